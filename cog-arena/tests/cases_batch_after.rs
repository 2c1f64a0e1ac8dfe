//! Catalogue A.6, B18 to B26: turns that end early, do nothing, write ten thousand times, or fail
//! inside.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use std::panic::{AssertUnwindSafe, catch_unwind};

use cases_common::log::{Log, follow};
use cases_common::panics::panic_of;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::Arena;

#[test]
fn case_b18_a_body_that_returns_early_ends_its_turn() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (log, _) = follow(&mut arena, move |r| *r.get(s));

    let result: Result<(), std::num::ParseIntError> = arena.turn(|w| {
        w.set(s, 1);
        w.set(s, "two".parse()?);
        Ok(())
    });

    assert!(result.is_err());
    assert_eq!(
        log.entries(),
        [0, 1],
        "an error that is returned is no panic: what was staged is committed"
    );
    set(&mut arena, s, 3);
    assert_eq!(log.entries(), [0, 1, 3]);
}

#[test]
fn case_b20_a_turn_with_nothing_to_do_does_nothing() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let d = arena.derived(tally.count("d", move |r| *r.get(s)));
    let (log, _) = follow(&mut arena, move |r| *r.get(d));

    arena.turn(|_| {});

    let counts = arena.counts();
    assert_eq!(
        (
            counts.written,
            counts.reached,
            counts.run,
            counts.cut,
            counts.published
        ),
        (0, 0, 0, 0, 0)
    );
    assert_eq!(log.entries(), [0]);
    assert_eq!(tally.of(["d"]), [1]);
}

#[test]
fn case_b22_an_empty_turn_runs_no_row_that_is_stale_and_unread() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let d = arena.derived(tally.count("d", move |r| *r.get(s)));
    assert_eq!(*arena.read(d), 0);
    set(&mut arena, s, 1);

    for _ in 0..3 {
        arena.turn(|_| {});
        assert_eq!(tally.of(["d"]), [1]);
    }

    assert_eq!(*arena.read(d), 1);
    assert_eq!(tally.of(["d"]), [2]);
}

#[test]
fn case_b23_ten_thousand_writes_of_a_turn_propagate_once() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let arms = [1, 2, 3].map(|k| arena.derived(move |r| r.get(s) * k));
    let join = arena.derived(tally.count("join", move |r| {
        arms.iter().map(|arm| r.get(*arm)).sum::<i32>()
    }));
    let (log, _) = follow(&mut arena, move |r| *r.get(join));

    arena.turn(|w| {
        for value in 1..=10_000 {
            w.set(s, value);
        }
    });

    assert_eq!(log.entries(), [0, 60_000]);
    assert_eq!(tally.of(["join"]), [2]);
    let edges = 7;
    assert!(
        arena.counts().reached <= edges,
        "{} rows were reached over {edges} edges",
        arena.counts().reached
    );
}

#[test]
fn case_b24_a_write_after_a_turn_is_a_normal_write() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (log, _) = follow(&mut arena, move |r| *r.get(s));

    arena.turn(|w| w.set(s, 1));
    set(&mut arena, s, 2);
    panic_of(|| arena.turn(|_| panic!("a turn that fails")));
    set(&mut arena, s, 3);

    assert_eq!(log.entries(), [0, 1, 2, 3]);
}

#[test]
fn case_b25_a_turn_that_only_makes_and_removes_keys_leaves_nothing() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let family = arena.member_family::<u32, i32>(space);
    let runs = Tally::default();
    let count = runs.clone();
    let double = arena.derived_family_from(space, family.aligned(), move |value: &i32| {
        count.hit("double");
        value * 2
    });
    let hold = arena.hold(double);
    let (log, _) = follow(&mut arena, move |r| r.lookup(family.at(1)).copied());

    for round in 0..50 {
        arena.turn(|w| {
            for key in 10 * round..10 * (round + 1) {
                w.insert_key(space, key);
                w.set(family.at(key), 1);
            }
            for key in 10 * round..10 * (round + 1) {
                assert!(w.remove_key(space, &key));
            }
        });
        let counts = arena.counts();
        assert_eq!((counts.run, counts.published), (0, 0));
    }

    assert_eq!(arena.len(space), 0);
    assert_eq!(arena.keys(space).next(), None);
    assert_eq!(arena.lookup(family.at(1)), None);
    assert_eq!(log.entries(), [None]);
    assert_eq!(runs.of(["double"]), [0]);
    // The key that the reaction reads has a row number of its own.
    let slot = arena.turn(|w| w.insert_key(space, 1_000));
    assert!(slot.index() <= 10, "row numbers were used again");
    arena.let_go(hold);
}

// A nested turn joins the outer one: it is not a transaction of its own. What it had staged before
// it panicked stays staged, if the outer body catches the panic and goes on.
#[test]
fn case_b26_a_nested_turn_that_panics_and_is_caught_keeps_what_it_staged() {
    let mut arena = Arena::new();
    let (a, b) = (arena.source(0), arena.source(0));
    let (log, _): (Log<(i32, i32)>, _) = follow(&mut arena, move |r| (*r.get(a), *r.get(b)));

    arena.turn(|w| {
        let nested = catch_unwind(AssertUnwindSafe(|| {
            w.turn(|w| {
                w.set(a, 1);
                panic!("inside");
            });
        }));
        assert!(nested.is_err());
        w.set(b, 2);
    });

    assert_eq!(log.entries(), [(0, 0), (1, 2)]);
}
