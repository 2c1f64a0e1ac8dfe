//! Everything that was declared: which function derives what, and what is read but not derived.
//!
//! Takes: declarations, in any order, before or after entities exist. Leaves: sources and derived
//! cogs in the arena, in an order in which every declared input exists before its readers.
//! Never: looks at a value.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::panic::Location;

use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;

/// A cog as a function names it: a component of entities, or a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CogId {
    pub(crate) kind: Kind,
    pub(crate) of: TypeId,
}

/// One type may be both: every resource is a component since Bevy 0.20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Component,
    Resource,
}

/// A function that derives something.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) at: &'static Location<'static>,
    pub(crate) derives: &'static str,
    pub(crate) needs: Vec<Needed>,
}

/// One thing a function reads.
#[derive(Clone, Copy)]
pub(crate) struct Needed {
    pub(crate) id: CogId,
    /// Declared, as opposed to looked up: such needs form no cycle.
    pub(crate) declared: bool,
    /// Makes it a source, if nothing derives it.
    pub(crate) make_source: fn(&mut World),
}

/// A declaration that is not yet in the arena.
pub(crate) struct Pending {
    pub(crate) id: CogId,
    /// Names the cog before it has a function, so that it can be looked up. Idempotent.
    pub(crate) reserve: fn(&mut World),
    /// Gives it its function.
    pub(crate) define: Box<dyn FnOnce(&mut World) + Send + Sync>,
}

/// All declarations of a world.
#[derive(Resource, Default)]
pub(crate) struct Declarations {
    pub(crate) functions: BTreeMap<CogId, Function>,
    /// What became a source, and for which function.
    pub(crate) sources: BTreeMap<CogId, &'static str>,
    /// Equalities given by `source_with`.
    pub(crate) equalities: BTreeMap<TypeId, Box<dyn Any + Send + Sync>>,
    /// What reactions wait for; checked when the frame begins, since a reaction may come first.
    pub(crate) awaited: VecDeque<Awaited>,
    pub(crate) pending: Vec<Pending>,
}

/// A reaction's component, and where the reaction was added.
pub(crate) struct Awaited {
    pub(crate) id: CogId,
    pub(crate) name: &'static str,
    pub(crate) at: &'static Location<'static>,
}

/// What is wrong with it, if nothing derives what it waits for.
impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, name) = (self.at, self.name);
        match self.id.kind {
            Kind::Component => write!(
                f,
                "the reaction added at {at} waits for `{name}`, which no function derives as a component: derive it \
                 with `.add_derived(..)`; for a component that you write use Bevy's `Changed<{name}>`, for a \
                 resource, derived or not, `resource_changed`"
            ),
            Kind::Resource => write!(
                f,
                "the moves of `{name}`, asked for at {at}, never come, since no function derives it as a resource: \
                 derive it with `.add_derived_resource(..)`; for a resource that you write use Bevy's \
                 `resource_changed`"
            ),
        }
    }
}

impl Declarations {
    /// The declared inputs that lead from `id` back to itself, if any do.
    pub(crate) fn cycle(&self, id: CogId) -> Option<Vec<CogId>> {
        // Depth first with a path. The graph was free of cycles before `id` came, so a cycle leads
        // through `id`; what was seen once need not be seen again.
        let mut seen = BTreeSet::new();
        let mut path = vec![(id, 0)];
        while let Some((at, next)) = path.last_mut() {
            let needs = self
                .functions
                .get(at)
                .map_or(&[][..], |function| &function.needs);
            let Some(need) = needs.get(*next) else {
                path.pop();
                continue;
            };
            *next += 1;
            if need.declared && need.id == id {
                return Some(path.into_iter().map(|(id, _)| id).collect());
            }
            if need.declared && seen.insert(need.id) {
                path.push((need.id, 0));
            }
        }
        None
    }

    /// The functions of a cycle, each with its place, as one sentence.
    pub(crate) fn describe(&self, cycle: &[CogId]) -> String {
        let step = |id| {
            let f = &self.functions[id];
            format!("`{}` is derived by `{}` ({})", f.derives, f.name, f.at)
        };
        cycle
            .iter()
            .map(step)
            .collect::<Vec<_>>()
            .join(", which reads ")
    }
}

/// Brings everything that was declared since the last turn into the arena; whether there was anything. What is held then
/// settles with the open turn, which has yet to collect what the new sources hold.
///
/// # Panics
///
/// If a source has no equality, before anything was done: the next turn tries again. If a reaction waits for a component
/// that nothing derives, after everything else was done; the next turn looks at the reactions after it.
pub(crate) fn declare_pending(world: &mut World) -> bool {
    let declarations = world.resource::<Declarations>();
    if declarations.pending.is_empty() && declarations.awaited.is_empty() {
        return false;
    }
    let ids: Vec<_> = declarations
        .pending
        .iter()
        .map(|pending| pending.id)
        .collect();
    for id in ids {
        make_sources(world, id);
    }
    let declarations = world.resource_mut::<Declarations>().into_inner();
    let waiting = std::mem::take(&mut declarations.pending);
    define_all(world, waiting);
    let declarations = world.resource_mut::<Declarations>().into_inner();
    while let Some(awaited) = declarations.awaited.pop_front() {
        let is_derived = declarations.functions.contains_key(&awaited.id);
        assert!(is_derived, "{awaited}");
    }
    true
}

/// Gives the arena one function after the other.
fn define_all(world: &mut World, mut waiting: Vec<Pending>) {
    while !waiting.is_empty() {
        let next = next_of(world.resource::<Declarations>(), &waiting);
        // Whoever looks something up that has no function yet, itself included, gets its name.
        for looked_up in waiting
            .iter()
            .filter(|pending| next.reserves.contains(&pending.id))
        {
            (looked_up.reserve)(world);
        }
        let pending = waiting.remove(next.at);
        (pending.define)(world);
    }
}

/// The declaration that comes next, and what it looks up before that is defined.
struct Next {
    at: usize,
    reserves: Vec<CogId>,
}

/// Prefers a function whose needs are all there: a cog that was reserved settles row by row, which
/// costs more than what it would cost otherwise.
///
/// # Panics
///
/// If declared inputs form a cycle, which declaring refuses.
fn next_of(declarations: &Declarations, waiting: &[Pending]) -> Next {
    let is_waiting = |id| waiting.iter().any(|pending| pending.id == id);
    let needs = |pending: &Pending| {
        let needs = declarations.functions[&pending.id].needs.iter();
        needs
            .filter(|need| is_waiting(need.id))
            .copied()
            .collect::<Vec<_>>()
    };
    let is_ready = |pending: &Pending| needs(pending).iter().all(|need| need.id == pending.id);
    let may_begin = |pending: &Pending| !needs(pending).iter().any(|need| need.declared);
    let at = waiting
        .iter()
        .position(is_ready)
        .or_else(|| waiting.iter().position(may_begin))
        .expect("declared inputs form no cycle");
    Next {
        at,
        reserves: needs(&waiting[at]).iter().map(|need| need.id).collect(),
    }
}

/// Makes a source of each thing that the function of `id` reads and nothing derives.
fn make_sources(world: &mut World, id: CogId) {
    let needs = world.resource::<Declarations>().functions[&id]
        .needs
        .clone();
    for need in needs {
        let declarations = world.resource_mut::<Declarations>().into_inner();
        let is_new = !declarations.functions.contains_key(&need.id)
            && !declarations.sources.contains_key(&need.id);
        if is_new {
            let reader = declarations.functions[&id].name;
            (need.make_source)(world);
            let mut declarations = world.resource_mut::<Declarations>();
            declarations.sources.insert(need.id, reader);
        }
    }
}
