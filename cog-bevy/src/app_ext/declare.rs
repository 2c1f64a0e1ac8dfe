//! Turns a function's signature into a declaration, or says what is wrong with it.
//!
//! Takes: a function. Leaves: what it needs and derives, and how to bring it into the arena later.
//! Never: touches the arena before the next frame begins, so that the order of declarations is free.

use std::any::{TypeId, type_name};
use std::panic::Location;

use bevy_ecs::component::Component;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::IntoSystem;
use bevy_ecs::world::World;
use cog_arena::Inputs;

use crate::binding::declared::{Awaited, CogId, Declarations, Function, Kind, Needed, Pending};
use crate::binding::lists::{Bindings, Reacting};
use crate::cogs::{Cogs, Family, Shared};
use crate::frame::{Polled, PolledResource, Published, PublishedResource, Reaction};
use crate::params::{CogParam, Compare, Declarer, DerivedFn, DerivedOut, Moved, Need};

/// What a derived function returns, without the `Option`.
type Value<F, M, O> = <<F as DerivedFn<M>>::Out as DerivedOut<O>>::Value;

/// Declares that `function` derives a component.
///
/// # Panics
///
/// If the function has no required input, or the declaration contradicts another.
#[track_caller]
pub(super) fn component<M, O, F>(world: &mut World, function: F)
where
    F: DerivedFn<M>,
    F::Out: DerivedOut<O>,
{
    let signature = Signature::read::<M, F>();
    let derives = short::<Value<F, M, O>>();
    assert!(
        signature.has_required_component,
        "`{}` derives the component `{derives}`, but has no `Input<C>`, so nothing says which \
         entities should have it: add one, or derive a resource with `.add_derived_resource(..)`",
        signature.name,
    );
    let id = id_of::<Value<F, M, O>>(Kind::Component);
    let define = move |world: &mut World| {
        let cogs = world.resource_mut::<Cogs>().into_inner();
        let (reserved, space) = (cogs.derived::<Value<F, M, O>>(), cogs.space());
        let inputs = F::Params::inputs(cogs);
        let declare = cogs.arena_mut().cog().name(derives);
        let run = move |items: Items<'_, M, F>| function.call(F::Params::item(items));
        let family = if let Some(family) = reserved {
            F::Out::define(declare, family, inputs, run);
            family
        } else {
            let family = F::Out::family(declare, space, inputs, run);
            cogs.insert_family(Family::Derived(family));
            family
        };
        Published::install(world, family);
    };
    let reserve = |world: &mut World| {
        let cogs = world.resource_mut::<Cogs>().into_inner();
        if cogs.family::<Value<F, M, O>>().is_none() {
            let space = cogs.space();
            let family = cogs.arena_mut().reserve_family(space);
            cogs.insert_family::<Value<F, M, O>>(Family::Derived(family));
        }
    };
    add(
        world,
        signature,
        derives,
        Pending {
            id,
            reserve,
            define: Box::new(define),
        },
    );
}

/// Declares that `function` derives a resource.
///
/// # Panics
///
/// If the function takes something of an entity, or the declaration contradicts another.
#[track_caller]
pub(super) fn resource<M, O, F>(world: &mut World, function: F)
where
    F: DerivedFn<M>,
    F::Out: DerivedOut<O>,
    Value<F, M, O>: Resource,
{
    let signature = Signature::read::<M, F>();
    let derives = short::<Value<F, M, O>>();
    assert!(
        !signature.has_own_row,
        "`{}` derives the resource `{derives}`, which belongs to no entity: it can't take \
         `Input<C>` or `Own`. Use `InputRes<R>`, `Lookup<C>`, or `.add_derived(..)`",
        signature.name,
    );
    let id = id_of::<Value<F, M, O>>(Kind::Resource);
    let define = move |world: &mut World| {
        let cogs = world.resource_mut::<Cogs>().into_inner();
        let inputs = F::Params::inputs(cogs);
        let declare = cogs.arena_mut().cog().name(derives);
        let run = move |items: Items<'_, M, F>| function.call(F::Params::item(items));
        let cog = F::Out::keyless(declare, inputs, run);
        cogs.insert_shared::<Value<F, M, O>>(Shared::Derived(cog));
        PublishedResource::install(world, cog);
    };
    // A resource is always a declared input, so nobody waits for its name.
    let reserve = |_: &mut World| {};
    add(
        world,
        signature,
        derives,
        Pending {
            id,
            reserve,
            define: Box::new(define),
        },
    );
}

/// Declares `system` as a reaction to a derived component.
#[track_caller]
pub(super) fn reaction<C, M, S>(world: &mut World, system: S)
where
    C: Component + Clone,
    S: IntoSystem<Moved<'static, C>, (), M>,
{
    require_plugin(world, || {
        format!("the reaction to `{}` was added", short::<C>())
    });
    let reaction = Reaction::<C, S::System>::new(world, system, type_name::<S>());
    add_reacting::<C>(world, Kind::Component, Box::new(reaction));
}

/// Adds a reaction to what some function derives, as a component or as a resource.
#[track_caller]
pub(super) fn add_reacting<T: 'static>(world: &mut World, kind: Kind, reaction: Box<dyn Reacting>) {
    let awaited = Awaited {
        id: id_of::<T>(kind),
        name: short::<T>(),
        at: Location::caller(),
    };
    let mut declarations = world.resource_mut::<Declarations>();
    declarations.awaited.push_back(awaited);
    world
        .resource_mut::<Bindings>()
        .reactions
        .push(Some(reaction));
}

/// Declares how the source `C` is compared.
///
/// # Panics
///
/// If it is too late, said twice, or `C` is derived.
#[track_caller]
pub(super) fn source_with<C: Component>(world: &mut World, equality: fn(&C, &C) -> bool) {
    let name = short::<C>();
    require_plugin(world, || format!("the source `{name}` was declared"));
    let mut declarations = world.resource_mut::<Declarations>();
    for id in [Kind::Component, Kind::Resource].map(id_of::<C>) {
        if let Some(function) = declarations.functions.get(&id) {
            panic!(
                "`{name}` is derived by `{}` ({}), so it is no source",
                function.name, function.at
            );
        }
        if let Some(reader) = declarations.sources.get(&id) {
            panic!(
                "`{name}` is already a source, read by `{reader}`: declare how it is compared \
                 before the first frame in which a function reads it"
            );
        }
    }
    let earlier = declarations
        .equalities
        .insert(TypeId::of::<C>(), Box::new(equality));
    assert!(
        earlier.is_none(),
        "`{name}` was declared as a source twice: keep one"
    );
}

/// What the arena hands to a function.
type Items<'a, M, F> = <<<F as DerivedFn<M>>::Params as CogParam>::Inputs as Inputs>::Items<'a>;

/// Adds a declaration.
///
/// # Panics
///
/// If it contradicts another: the message names both and says what to do.
#[track_caller]
pub(super) fn add(
    world: &mut World,
    signature: Signature,
    derives: &'static str,
    pending: Pending,
) {
    let Signature {
        name,
        needs,
        previous,
        ..
    } = signature;
    require_plugin(world, || {
        format!("`{derives}` was declared as derived by `{name}`")
    });
    let id = pending.id;
    let declarations = world.resource_mut::<Declarations>().into_inner();
    if let Some(first) = declarations.functions.get(&id) {
        panic!(
            "both `{}` ({}) and `{name}` derive `{derives}`: keep one, or let one derive another type",
            first.name, first.at
        );
    }
    if let Some(reader) = declarations.sources.get(&id) {
        panic!(
            "`{name}` derives `{derives}` too late: `{reader}` already reads it as a source, and the app \
             has run since. Declare `{name}` before the first frame"
        );
    }
    assert!(
        !declarations.equalities.contains_key(&id.of),
        "`{name}` derives `{derives}`, which was declared as a source by `.source_with(..)`",
    );
    for (of, name_of) in previous {
        assert!(
            of == id.of,
            "`{name}` derives `{derives}` and asks for `Previous<{name_of}>`: a function's own last \
             value is `Previous<{derives}>`",
        );
    }
    declarations.functions.insert(
        id,
        Function {
            name,
            at: Location::caller(),
            derives,
            needs,
        },
    );
    if let Some(cycle) = declarations.cycle(id) {
        let cycle = declarations.describe(&cycle);
        declarations.functions.remove(&id);
        panic!(
            "declared inputs form a cycle: {cycle}, which reads `{derives}` again. Read one of them with `Lookup<C>`, \
             or with `Previous<C>` if a function means its own last value"
        );
    }
    declarations.pending.push(pending);
}

/// Makes sure that there are cogs to declare something to.
///
/// # Panics
///
/// If there are none: the message says `what` was tried.
#[track_caller]
pub(super) fn require_plugin(world: &World, what: impl Fn() -> String) {
    assert!(
        world.contains_resource::<Cogs>(),
        "{} without the plugin: call `.add_plugins(CogPlugin::default())` first",
        what(),
    );
}

/// What a signature says.
pub(super) struct Signature {
    name: &'static str,
    needs: Vec<Needed>,
    previous: Vec<(TypeId, &'static str)>,
    has_required_component: bool,
    has_own_row: bool,
}

impl Signature {
    /// Of what needs one thing of all entities.
    pub(super) fn of(name: &'static str, need: Needed) -> Self {
        Self {
            name,
            needs: vec![need],
            previous: Vec::new(),
            has_required_component: false,
            has_own_row: false,
        }
    }

    fn read<M, F: DerivedFn<M>>() -> Self {
        let mut signature = Self {
            name: type_name::<F>(),
            needs: Vec::new(),
            previous: Vec::new(),
            has_required_component: false,
            has_own_row: false,
        };
        F::Params::declare(&mut signature);
        signature
    }
}

impl Declarer for Signature {
    fn component<C: Component + Clone, E: Compare<C>>(&mut self, need: Need) {
        self.has_required_component |= need == Need::Required;
        self.has_own_row |= need != Need::Tracked;
        self.needs.push(Needed {
            id: id_of::<C>(Kind::Component),
            declared: need != Need::Tracked,
            make_source: component_source::<C, E>,
        });
    }

    fn resource<R: Resource + Clone, E: Compare<R>>(&mut self, _: Need) {
        self.needs.push(Needed {
            id: id_of::<R>(Kind::Resource),
            declared: true,
            make_source: resource_source::<R, E>,
        });
    }

    fn own(&mut self) {
        self.has_own_row = true;
    }

    fn previous<C: 'static>(&mut self) {
        self.previous.push((TypeId::of::<C>(), short::<C>()));
    }
}

/// Makes a source of the component `C`, which no function derives.
pub(super) fn component_source<C: Component + Clone, E: Compare<C>>(world: &mut World) {
    let equality = equality::<C, E>(world);
    let cogs = world.resource_mut::<Cogs>().into_inner();
    let space = cogs.space();
    let declare = cogs.arena_mut().cog().name(short::<C>()).equality(equality);
    let family = declare.member_family(space);
    cogs.insert_family::<C>(Family::Source(family));
    Polled::install(world, family);
}

/// Makes a source of the resource `R`, which no function derives.
fn resource_source<R: Resource + Clone, E: Compare<R>>(world: &mut World) {
    let equality = equality::<R, E>(world);
    let cogs = world.resource_mut::<Cogs>().into_inner();
    let cog = cogs
        .arena_mut()
        .cog()
        .name(short::<R>())
        .equality(equality)
        .absent_source();
    cogs.insert_shared::<R>(Shared::Source(cog));
    PolledResource::install(world, cog);
}

/// How values of `C` are compared: as declared, or else as the type itself does.
///
/// # Panics
///
/// If neither says how.
fn equality<C: 'static, E: Compare<C>>(world: &World) -> fn(&C, &C) -> bool {
    let declared = world
        .resource::<Declarations>()
        .equalities
        .get(&TypeId::of::<C>());
    let declared = declared.and_then(|any| any.downcast_ref::<fn(&C, &C) -> bool>().copied());
    declared.or_else(E::equality).unwrap_or_else(|| {
        panic!(
            "a function reads `{name}` as `AsDeclared`, but nothing was declared: call \
             `.source_with::<{name}>(|a, b| ..)` before the first frame",
            name = short::<C>(),
        )
    })
}

pub(super) fn id_of<T: 'static>(kind: Kind) -> CogId {
    CogId {
        kind,
        of: TypeId::of::<T>(),
    }
}

/// The type's name without the path to it, as messages show it.
pub(super) fn short<T>() -> &'static str {
    let full = type_name::<T>();
    let path = &full[..full.find('<').unwrap_or(full.len())];
    &full[path.rfind("::").map_or(0, |at| at + 2)..]
}
