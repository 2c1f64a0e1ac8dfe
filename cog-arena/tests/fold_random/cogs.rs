//! The cogs of a game: every kind of family, folds over them, and what depends on folds.
//!
//! Takes: an arena. Leaves: handles. Never: remembers a value.

use std::sync::{Arc, Mutex};

use cog_arena::{
    Arena, Derived, DerivedFamily, KeySpace, OwnKey, Reads, Sorted, Source, SourceFamily,
};

use super::model::{DECLARED_FAILS, FOLD_FAILS, TRACKED_FAILS};

/// All of them.
pub(crate) struct Cogs {
    pub(crate) space: KeySpace<u32>,
    pub(crate) some: SourceFamily<u32, i64>,
    pub(crate) every: SourceFamily<u32, i64>,
    pub(crate) shared: Source<i64>,
    pub(crate) declared: DerivedFamily<u32, i64>,
    pub(crate) tracked: DerivedFamily<u32, i64>,
    pub(crate) sum_some: Derived<i64>,
    pub(crate) sum_every: Derived<i64>,
    pub(crate) sum_declared: Derived<i64>,
    pub(crate) min_partial: Derived<Option<i64>>,
    pub(crate) sorted_tracked: Derived<Sorted<u32, i64>>,
    pub(crate) sum_tracked: Derived<i64>,
    pub(crate) sum_below: Derived<i64>,
    pub(crate) filtered_mixed: Derived<Sorted<u32, ()>>,
    pub(crate) picky: Derived<i64>,
    pub(crate) top: Derived<i64>,
    pub(crate) declared_top: Derived<i64>,
    /// What the reaction saw last.
    pub(crate) seen: Arc<Mutex<i64>>,
}

impl Cogs {
    pub(crate) fn new(arena: &mut Arena, keys: u32) -> Self {
        let space = arena.key_space();
        let some = arena.cog().name("some").member_family::<u32, i64>(space);
        let every = arena.source_family(space, |key: &u32| i64::from(key % 5));
        let shared = arena.source(0_i64);
        let sources = (space, some, every, shared);
        let (declared, partial, tracked) = families(arena, sources, keys);
        let sum_some = arena.cog().name("sum_some").over(some.aligned()).sum();
        let sum_every = arena.over(every.aligned()).sum();
        let sum_declared = arena.over(declared.aligned()).sum_by(|_, value| *value);
        let min_partial = arena.over(partial.aligned()).min();
        let sorted_tracked = arena
            .over(tracked.aligned())
            .sorted_by(|_, value: &i64| *value);
        let sum_tracked = arena.over(tracked.aligned()).sum();
        let below = arena.derived_family_from(
            space,
            (some.aligned(), sum_tracked.shared()),
            |(some, sum): (&i64, &i64)| some + sum,
        );
        let sum_below = arena.over(below.aligned()).sum();
        let mixed = arena.derived_family_from(
            space,
            (some.aligned(), Reads, OwnKey::<u32>::new()),
            move |(some, r, _): (&i64, &cog_arena::Reader<'_>, &u32)| some - r.get(sum_some),
        );
        let filtered_mixed = arena
            .over(mixed.aligned())
            .filtered(|_, value: &i64| value % 2 == 0);
        let picky = arena.over(some.aligned()).fold(
            0,
            |sum, _, value| {
                *sum += value;
                assert!(*value != FOLD_FAILS, "the fold fails");
            },
            |sum, _, value| *sum -= value,
        );
        let top = arena.derived(move |r| r.get(sum_declared) * 2 + r.get(sum_every));
        let declared_top = arena.derived_from(
            (sum_declared.shared(), sum_every.shared()),
            |(declared, every): (&i64, &i64)| declared * 2 + every,
        );
        let seen = Arc::new(Mutex::new(0));
        let note = seen.clone();
        arena.react(move |r, _| {
            let sum = *r.get(sum_some);
            *note.lock().expect("nothing panics with the lock") = sum;
        });
        Self {
            space,
            some,
            every,
            shared,
            declared,
            tracked,
            sum_some,
            sum_every,
            sum_declared,
            min_partial,
            sorted_tracked,
            sum_tracked,
            sum_below,
            filtered_mixed,
            picky,
            top,
            declared_top,
            seen,
        }
    }
}

/// What the derived families are made of.
type Sources = (
    KeySpace<u32>,
    SourceFamily<u32, i64>,
    SourceFamily<u32, i64>,
    Source<i64>,
);

/// Derived families: all inputs declared, with a value for some rows only, and tracked.
fn families(
    arena: &mut Arena,
    (space, some, every, shared): Sources,
    keys: u32,
) -> (
    DerivedFamily<u32, i64>,
    DerivedFamily<u32, i64>,
    DerivedFamily<u32, i64>,
) {
    let declared = arena.cog().name("declared").derived_family_from(
        space,
        (some.aligned(), every.aligned(), shared.shared()),
        |(some, every, shared): (&i64, &i64, &i64)| {
            assert!(*some != DECLARED_FAILS, "declared fails");
            some + every + shared
        },
    );
    let partial = arena.partial_family_from(space, some.aligned(), |some: &i64| {
        (some % 3 != 0).then_some(*some)
    });
    let tracked = arena
        .cog()
        .name("tracked")
        .derived_family(space, move |r, key: &u32| {
            let own = r.lookup(some.at(*key)).copied().unwrap_or(100);
            assert!(own != TRACKED_FAILS, "tracked fails");
            let next = (own % 2 == 0).then(|| r.lookup(some.at((key + 1) % keys)));
            own + next.flatten().copied().unwrap_or(0)
        });
    (declared, partial, tracked)
}
