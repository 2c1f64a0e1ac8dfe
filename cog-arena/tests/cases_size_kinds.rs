//! Catalogue A.14, G02 again for the other kinds of chain: warm rows that read the source first,
//! declared rows, rows of one family, and declared and tracked rows by turns. All on a stack of 2
//! MB.

mod cases_common {
    pub(crate) mod knot;
    pub(crate) mod log;
    pub(crate) mod stack;
    pub(crate) mod turns;
}

use cases_common::knot::Knot;
use cases_common::log::follow;
use cases_common::stack::on_a_small_stack;
use cases_common::turns::set;
use cog_arena::{Arena, Derived, DerivedFamily, Source};

const LENGTH: u64 = 100_000;

/// Reads the end of a chain cold and warm, then with a reaction on it, and drops all.
fn pull(mut arena: Arena, s: Source<u64>, last: Derived<u64>, per_link: u64) {
    let end = |s: u64| LENGTH + s * per_link;
    assert_eq!(*arena.read(last), end(0));
    set(&mut arena, s, 1);
    assert_eq!(*arena.read(last), end(1));
    let (log, reaction) = follow(&mut arena, move |r| *r.get(last));
    set(&mut arena, s, 2);
    assert_eq!(log.entries(), [end(1), end(2)]);
    assert!(arena.end(reaction));
    set(&mut arena, s, 3);
    assert_eq!(*arena.read(last), end(3));
    drop(arena);
}

// Each row is dirty at once, by its own read of the source, so each one runs and asks for the one
// below it while it runs: the warm chain nests as deep as a cold one.
#[test]
fn case_g02_a_warm_chain_whose_rows_read_the_source_first_uses_no_stack() {
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let s = arena.source(0_u64);
        let mut last = arena.derived(move |r| 1 + r.get(s));
        for _ in 1..LENGTH {
            let below = last;
            last = arena.derived(move |r| {
                let s = *r.get(s);
                s + 1 + r.get(below)
            });
        }
        pull(arena, s, last, LENGTH);
    });
}

#[test]
fn case_g02_a_declared_chain_of_a_hundred_thousand_uses_no_stack() {
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let s = arena.source(0_u64);
        let mut last = arena.derived_from(s.shared(), |s: &u64| s + 1);
        for _ in 1..LENGTH {
            last = arena.derived_from(last.shared(), |below: &u64| below + 1);
        }
        pull(arena, s, last, 1);
    });
}

#[test]
fn case_g02_a_chain_of_declared_and_tracked_rows_by_turns_uses_no_stack() {
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let s = arena.source(0_u64);
        let mut last = arena.derived(move |r| 1 + r.get(s));
        for at in 1..LENGTH {
            let below = last;
            last = if at % 2 == 0 {
                arena.derived(move |r| r.get(below) + 1)
            } else {
                arena.derived_from(below.shared(), |below: &u64| below + 1)
            };
        }
        pull(arena, s, last, 1);
    });
}

#[test]
fn case_g02_a_chain_within_one_family_uses_no_stack() {
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let s = arena.source(0_u64);
        let space = arena.key_space::<u64>();
        let knot = Knot::<DerivedFamily<u64, u64>>::new();
        let own = knot.clone();
        let depth = arena.derived_family(space, move |r, key| match *key {
            0 => 1 + r.get(s),
            key => r.get(own.handle().at(key - 1)) + 1,
        });
        knot.tie(depth);
        let last = arena.derived(move |r| *r.get(depth.at(LENGTH - 1)));
        pull(arena, s, last, 1);
    });
}

#[test]
fn case_g02_a_held_chain_of_a_hundred_thousand_settles_in_the_turn() {
    on_a_small_stack(|| {
        let mut arena = Arena::new();
        let s = arena.source(0_u64);
        let mut tracked = arena.derived(move |r| 1 + r.get(s));
        let mut declared = arena.derived_from(s.shared(), |s: &u64| s + 1);
        for _ in 1..LENGTH {
            let below = tracked;
            tracked = arena.derived(move |r| r.get(below) + 1);
            declared = arena.derived_from(declared.shared(), |below: &u64| below + 1);
        }
        let holds = [arena.hold(tracked), arena.hold(declared)];
        set(&mut arena, s, 1);

        for cog in [tracked, declared] {
            assert_eq!(arena.settled(cog), Some(&(LENGTH + 1)));
        }
        for hold in holds {
            arena.let_go(hold);
        }
        set(&mut arena, s, 2);
        for cog in [tracked, declared] {
            assert_eq!(arena.settled(cog), None, "nothing holds it any more");
            assert_eq!(*arena.read(cog), LENGTH + 2);
        }
    });
}
