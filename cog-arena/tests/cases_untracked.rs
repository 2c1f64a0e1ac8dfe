//! Catalogue A.9: `peek` reads what is current and leaves no edge. It neither takes away the edges
//! of other reads, nor those of the row that it settles.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use std::panic::{AssertUnwindSafe, catch_unwind};

use cases_common::log::follow;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::Arena;

#[test]
fn case_u01_a_peeked_source_does_not_wake_the_reaction() {
    let mut arena = Arena::new();
    let (a, b) = (arena.source(1), arena.source(10));
    let (log, _) = follow(&mut arena, move |r| r.get(a) + r.peek(b));

    set(&mut arena, b, 20);
    assert_eq!(log.entries(), [11]);
    set(&mut arena, a, 2);

    assert_eq!(log.entries(), [11, 22]);
}

#[test]
fn case_u02_a_peek_is_fresh_whenever_the_function_runs() {
    let mut arena = Arena::new();
    let (a, b) = (arena.source(0), arena.source(10));
    let c = arena.derived(move |r| r.get(a) + r.peek(b));
    assert_eq!(*arena.read(c), 10);

    set(&mut arena, b, 20);
    assert_eq!(*arena.read(c), 10);
    set(&mut arena, a, 1);

    assert_eq!(*arena.read(c), 21);
}

#[test]
fn case_u03_a_peek_settles_a_stale_row() {
    let mut arena = Arena::new();
    let (s, trigger) = (arena.source(1), arena.source(0));
    let double = arena.derived(move |r| r.get(s) * 2);
    assert_eq!(*arena.read(double), 2);
    let (log, _) = follow(&mut arena, move |r| (*r.get(trigger), *r.peek(double)));

    arena.turn(|w| {
        w.set(s, 5);
        w.set(trigger, 1);
    });

    assert_eq!(log.entries(), [(0, 2), (1, 10)]);
}

#[test]
fn case_u04_a_peek_of_a_derived_value_blocks_the_chain_but_not_the_row_itself() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let double = arena.derived(tally.count("double", move |r| r.get(s) * 2));
    let (log, _) = follow(&mut arena, move |r| *r.peek(double));

    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [2]);
    assert_eq!(
        (arena.consumer_count(double), arena.consumer_count(s)),
        (0, 1)
    );
    assert_eq!(*arena.read(double), 4);
    assert_eq!(tally.of(["double"]), [2]);
}

#[test]
fn case_u06_a_panic_inside_a_peek_leaves_tracking_on() {
    let mut arena = Arena::new();
    let (bad, s) = (arena.source(true), arena.source(1));
    let failing = arena.derived(move |r| {
        assert!(!*r.get(bad), "bad");
        100
    });
    let (log, _) = follow(&mut arena, move |r| {
        let peeked = catch_unwind(AssertUnwindSafe(|| *r.peek(failing))).unwrap_or(-1);
        (peeked, *r.get(s))
    });
    assert_eq!(arena.consumer_count(failing), 0);

    set(&mut arena, s, 2);
    set(&mut arena, bad, false);
    set(&mut arena, s, 3);

    assert_eq!(log.entries(), [(-1, 1), (-1, 2), (100, 3)]);
}

#[test]
fn case_u08_a_reaction_that_only_peeks_runs_once() {
    let mut arena = Arena::new();
    let (s, t) = (arena.source(1), arena.source(10));
    let d = arena.derived(move |r| *r.get(s));
    let (log, _) = follow(&mut arena, move |r| r.peek(s) + r.peek(t) + r.peek(d));

    set(&mut arena, s, 2);
    set(&mut arena, t, 20);
    assert_eq!(*arena.read(d), 2);
    set(&mut arena, t, 30);

    assert_eq!(log.entries(), [12]);
    let readers = (arena.consumer_count(s), arena.consumer_count(d));
    assert_eq!(readers, (1, 0), "`s` has `d` alone");
    assert_eq!(arena.consumer_count(t), 0);
}

#[test]
fn case_u10_a_row_whose_first_run_is_inside_a_peek_tracks_its_own_reads() {
    let mut arena = Arena::new();
    let s = arena.source(1);
    let inner = arena.derived(move |r| *r.get(s));
    let outer = arena.derived(move |r| *r.peek(inner));
    assert_eq!(*arena.read(outer), 1);
    assert_eq!(arena.consumer_count(s), 1);

    let (log, _) = follow(&mut arena, move |r| *r.get(inner));
    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [1, 2]);
    assert_eq!(*arena.read(outer), 1, "nothing that it tracks has changed");
}
