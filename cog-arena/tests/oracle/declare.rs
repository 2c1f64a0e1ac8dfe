//! From tables to cogs: every shape of input tuple that the game knows.
//!
//! Takes: a table. Leaves: the cog it describes, in the arena. Never: runs a function.

use crate::net::functions::{Game, Given, Handle, run};
use crate::net::model::first;
use crate::net::spec::{Equality, Kind, Place, Role, Spec};
use crate::net::value::{Tag, Value};
use cog_arena::{Arena, Declare, KeySpace, Lookup, OwnKey, Previous, Reader, Reads};
use std::sync::Arc;

/// How many cogs a game has at most.
pub(crate) const COGS_MAX: usize = 40;

/// One item of an input tuple, or a whole one, put where it belongs.
trait Gather<'a> {
    fn gather(self, given: &mut Given<'a>);
}

impl<'a> Gather<'a> for &'a Value {
    fn gather(self, given: &mut Given<'a>) {
        given.values.push(Some(self));
    }
}

impl<'a> Gather<'a> for Option<&'a Value> {
    fn gather(self, given: &mut Given<'a>) {
        given.values.push(self);
    }
}

impl<'a> Gather<'a> for &'a Tag {
    fn gather(self, given: &mut Given<'a>) {
        given.key = Some(self);
    }
}

impl<'a> Gather<'a> for &'a Reader<'_> {
    fn gather(self, given: &mut Given<'a>) {
        given.reader = Some(self);
    }
}

impl<'a> Gather<'a> for Lookup<'a, Tag, Value> {
    fn gather(self, given: &mut Given<'a>) {
        given.lookup = Some(self);
    }
}

macro_rules! gather_tuple {
    ($($item:ident)*) => {
        impl<'a, $($item: Gather<'a>),*> Gather<'a> for ($($item,)*) {
            #[expect(non_snake_case, reason = "the items' names are their types'")]
            fn gather(self, given: &mut Given<'a>) {
                let ($($item,)*) = self;
                $($item.gather(given);)*
            }
        }
    };
}
gather_tuple!(A);
gather_tuple!(A B);
gather_tuple!(A B C);
gather_tuple!(A B C D);
gather_tuple!(A B C D E F);

fn given<'a>(items: impl Gather<'a>) -> Given<'a> {
    let mut given = Given::default();
    items.gather(&mut given);
    given
}

/// The shapes of declared families and of declared keyless cogs, letter by letter: `A` aligned,
/// `O` optional, `S` shared, `Z` shared optional, `L` lookup, `R` reads, `P` previous, `K` own key.
/// A family's shape begins with a key or an aligned input, so that a run knows whose it is.
pub(crate) const FAMILY_SHAPES: &[&str] = &[
    "A", "KO", "AA", "AO", "AS", "KOZ", "AOS", "ASOK", "PA", "AAAOSZ", "K", "AR", "KOSR", "AL",
    "PAR", "KOLZ", "KR", "ALR",
];
/// The same for keyless cogs.
pub(crate) const KEYLESS_SHAPES: &[&str] = &["S", "SS", "ZS", "Z", "PS", "SR", "ZL", "SSSZ", "R"];

/// The next input's descriptor.
macro_rules! input {
    (A $roles:ident) => {
        family!($roles, Role::Aligned(cog) => cog, aligned)
    };
    (O $roles:ident) => {
        family!($roles, Role::Optional(cog) => cog, optional)
    };
    (L $roles:ident) => {
        family!($roles, Role::Lookup(cog) => cog, lookup)
    };
    (S $roles:ident) => {
        keyless!($roles, Role::Shared(cog) => cog, shared)
    };
    (Z $roles:ident) => {
        keyless!($roles, Role::SharedOptional(cog) => cog, shared_optional)
    };
    (R $roles:ident) => {{
        $roles.next();
        Reads
    }};
    (P $roles:ident) => {{
        $roles.next();
        Previous::<Value>::new()
    }};
    (K $roles:ident) => {{
        $roles.next();
        OwnKey::<Tag>::new()
    }};
}

macro_rules! family {
    ($roles:ident, $role:pat => $cog:ident, $verb:ident) => {{
        let Some(($role, handle)) = $roles.next() else {
            unreachable!("the roles fit the shape")
        };
        let _ = $cog;
        match handle {
            Some(Handle::SourceFamily(family)) => family.$verb(),
            Some(Handle::DerivedFamily(family)) => family.$verb(),
            other => unreachable!("{other:?} is a family"),
        }
    }};
}

macro_rules! keyless {
    ($roles:ident, $role:pat => $cog:ident, $verb:ident) => {{
        let Some(($role, handle)) = $roles.next() else {
            unreachable!("the roles fit the shape")
        };
        let _ = $cog;
        match handle {
            Some(Handle::Source(cog)) => cog.$verb(),
            Some(Handle::Derived(cog)) => cog.$verb(),
            other => unreachable!("{other:?} is keyless"),
        }
    }};
}

/// Everything a declaration needs but the builder.
pub(crate) struct Plan<'p> {
    /// The key spaces.
    pub(crate) spaces: [KeySpace<Tag>; 2],
    /// Both sides.
    pub(crate) game: &'p Arc<Game>,
    /// The cog's number.
    pub(crate) cog: usize,
    /// What it is to be.
    pub(crate) spec: &'p Arc<Spec>,
}

impl Plan<'_> {
    fn space(&self) -> Option<KeySpace<Tag>> {
        self.spec.space.map(|space| self.spaces[space])
    }
}

/// Gives out the handle of a reserved cog, before anything of its batch is declared.
pub(crate) fn reserve(arena: &mut Arena, plan: &Plan<'_>) {
    if plan.spec.reserved {
        let handle = match plan.space() {
            Some(space) => Handle::DerivedFamily(arena.reserve_family(space)),
            None => Handle::Derived(arena.reserve()),
        };
        plan.game.set_handle(plan.cog, handle);
    }
}

/// Declares a cog.
pub(crate) fn declare(arena: &mut Arena, plan: &Plan<'_>) {
    let declaring = arena.cog();
    let handle = match plan.spec.equality {
        Equality::Exact => declare_as(declaring, plan),
        Equality::Coarse => declare_as(declaring.equality(Value::same_third), plan),
        Equality::Always => declare_as(declaring.always_changes(), plan),
    };
    plan.game.set_handle(plan.cog, handle);
}

fn declare_as<E: cog_arena::Equality<Value>>(declaring: Declare<'_, E>, plan: &Plan<'_>) -> Handle {
    let (spec, cog) = (plan.spec, plan.cog);
    let fuse = Arc::clone(&plan.game.model().fuse);
    let declaring = declaring.name(format!("c{cog}"));
    match (spec.kind, plan.space()) {
        (Kind::Source, _) => {
            let place = Place { cog, key: 0 };
            Handle::Source(declaring.source(Value::new(&fuse, place, first(spec, 0))))
        }
        (Kind::Absent, _) => Handle::Source(declaring.absent_source()),
        (Kind::Total, Some(space)) => {
            let spec = Arc::clone(spec);
            let first = move |key: &Tag| {
                let place = Place {
                    cog,
                    key: key.number(),
                };
                Value::new(&fuse, place, first(&spec, place.key))
            };
            Handle::SourceFamily(declaring.source_family(space, first))
        }
        (Kind::Member, Some(space)) => Handle::SourceFamily(declaring.member_family(space)),
        (Kind::Tracked, None) => {
            let game = Arc::clone(plan.game);
            let place = Place { cog, key: 0 };
            Handle::Derived(
                declaring.derived(move |reader| total(run(&game, place, &given(reader)))),
            )
        }
        (Kind::Tracked, Some(space)) => {
            let game = Arc::clone(plan.game);
            let function = move |reader: &Reader<'_>, key: &Tag| {
                let place = Place {
                    cog,
                    key: key.number(),
                };
                total(run(&game, place, &given(reader)))
            };
            Handle::DerivedFamily(declaring.derived_family(space, function))
        }
        (Kind::Declared, None) => declare_keyless(declaring, plan),
        (Kind::Declared, Some(space)) => declare_family(declaring, space, plan),
        (Kind::Total | Kind::Member, None) => unreachable!("a family has a key space"),
    }
}

/// The value of a function that always gives one.
fn total(value: Option<Value>) -> Value {
    value.expect("a total function gives a value")
}

fn roles(game: &Game, spec: &Spec) -> impl Iterator<Item = (Role, Option<Handle>)> + use<> {
    let handles: Vec<_> = spec
        .inputs
        .iter()
        .map(|&role| (role, cog_of(role).map(|cog| game.handle(cog))))
        .collect();
    handles.into_iter()
}

fn cog_of(role: Role) -> Option<usize> {
    match role {
        Role::Aligned(cog)
        | Role::Optional(cog)
        | Role::Shared(cog)
        | Role::SharedOptional(cog)
        | Role::Lookup(cog) => Some(cog),
        Role::Reads | Role::Previous | Role::OwnKey => None,
    }
}

fn declare_keyless<E: cog_arena::Equality<Value>>(
    declaring: Declare<'_, E>,
    plan: &Plan<'_>,
) -> Handle {
    let (spec, game) = (plan.spec, Arc::clone(plan.game));
    let mut roles = roles(&game, spec);
    let place = Place {
        cog: plan.cog,
        key: 0,
    };
    macro_rules! shapes {
        ($($number:literal ($($letter:ident)*))*) => {
            match (spec.shape, spec.nothing) {
                $(
                    ($number, None) if spec.reserved => {
                        let Handle::Derived(cog) = game.handle(plan.cog) else { unreachable!("it is keyless") };
                        declaring.define(
                            cog,
                            ($(input!($letter roles),)*),
                            move |items| total(run(&game, place, &given(items))),
                        );
                        Handle::Derived(cog)
                    }
                    ($number, None) => Handle::Derived(declaring.derived_from(
                        ($(input!($letter roles),)*),
                        move |items| total(run(&game, place, &given(items))),
                    )),
                    ($number, Some(_)) => Handle::Derived(declaring.partial_from(
                        ($(input!($letter roles),)*),
                        move |items| run(&game, place, &given(items)),
                    )),
                )*
                (other, _) => unreachable!("{other} is a shape"),
            }
        };
    }
    shapes!(0 (S) 1 (S S) 2 (Z S) 3 (Z) 4 (P S) 5 (S R) 6 (Z L) 7 (S S S Z) 8 (R))
}

fn declare_family<E: cog_arena::Equality<Value>>(
    declaring: Declare<'_, E>,
    space: KeySpace<Tag>,
    plan: &Plan<'_>,
) -> Handle {
    let (spec, cog, game) = (plan.spec, plan.cog, Arc::clone(plan.game));
    let mut roles = roles(&game, spec);
    let reserved = match game.reserved_handle(cog) {
        Some(Handle::DerivedFamily(family)) => Some(family),
        _ => None,
    };
    let run_at = move |given: &Given<'_>| {
        run(
            &game,
            Place {
                cog,
                key: given.key(),
            },
            given,
        )
    };
    macro_rules! shapes {
        ($($number:literal ($($letter:ident)*))*) => {
            match (spec.shape, spec.nothing, reserved) {
                $(
                    ($number, None, Some(family)) => {
                        let inputs = ($(input!($letter roles),)*);
                        declaring.define_family(family, inputs, move |items| total(run_at(&given(items))));
                        Handle::DerivedFamily(family)
                    }
                    ($number, Some(_), Some(family)) => {
                        let inputs = ($(input!($letter roles),)*);
                        declaring.define_partial_family(family, inputs, move |items| run_at(&given(items)));
                        Handle::DerivedFamily(family)
                    }
                    ($number, None, None) => Handle::DerivedFamily(declaring.derived_family_from(
                        space,
                        ($(input!($letter roles),)*),
                        move |items| total(run_at(&given(items))),
                    )),
                    ($number, Some(_), None) => Handle::DerivedFamily(declaring.partial_family_from(
                        space,
                        ($(input!($letter roles),)*),
                        move |items| run_at(&given(items)),
                    )),
                )*
                (other, ..) => unreachable!("{other} is a shape"),
            }
        };
    }
    shapes!(
        0 (A) 1 (K O) 2 (A A) 3 (A O) 4 (A S) 5 (K O Z) 6 (A O S) 7 (A S O K) 8 (P A) 9 (A A A O S Z) 10 (K)
        11 (A R) 12 (K O S R) 13 (A L) 14 (P A R) 15 (K O L Z) 16 (K R) 17 (A L R)
    )
}
