//! Catalogue A.10: a panic in a user's function is raised again once the graph is whole. Nothing of
//! it is cached, and nothing that it did not touch is lost.

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
use cog_arena::{Arena, Derived, Reader, Source};

/// A derived value that fails while its source is negative.
fn failing(arena: &mut Arena, tally: &Tally, s: Source<i32>) -> Derived<i32> {
    arena.derived(tally.count("failing", move |r| {
        let value = *r.get(s);
        assert!(value >= 0, "negative: {value}");
        value
    }))
}

// The catalogue caches the error: three reads, one evaluation. Here (P16) the next read runs again.
#[test]
fn case_x01_each_read_of_a_failing_row_runs_it_again() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(-1);
    let d = failing(&mut arena, &tally, s);
    for runs in 1..=3 {
        assert_eq!(panic_of(|| *arena.read(d)), "negative: -1");
        assert_eq!(tally.of(["failing"]), [runs]);
    }

    set(&mut arena, s, 5);
    assert_eq!((*arena.read(d), *arena.read(d)), (5, 5));
    assert_eq!(tally.of(["failing"]), [4]);

    set(&mut arena, s, -2);
    assert_eq!(panic_of(|| *arena.read(d)), "negative: -2");
}

#[test]
fn case_x02_a_reader_of_a_failing_row_fails_and_recovers_with_it() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let d = failing(&mut arena, &tally, s);
    let reader = arena.derived(move |r| r.get(d) * 10);
    assert_eq!(*arena.read(reader), 10);

    set(&mut arena, s, -1);
    assert_eq!(panic_of(|| *arena.read(reader)), "negative: -1");
    assert_eq!(panic_of(|| *arena.read(d)), "negative: -1");
    set(&mut arena, s, 2);

    assert_eq!((*arena.read(reader), *arena.read(d)), (20, 2));
}

/// Reads `cog`, or gives -1 if it fails.
fn read_or_caught(r: &Reader<'_>, cog: Derived<i32>) -> i32 {
    catch_unwind(AssertUnwindSafe(|| *r.get(cog))).unwrap_or(-1)
}

#[test]
fn case_x03_a_reader_that_catches_stays_attached() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(-1);
    let d = failing(&mut arena, &tally, s);
    let reader = arena.derived(move |r| read_or_caught(r, d));
    assert_eq!(*arena.read(reader), -1);

    set(&mut arena, s, -2);
    assert_eq!(*arena.read(reader), -1);
    set(&mut arena, s, 3);
    assert_eq!(*arena.read(reader), 3);
    set(&mut arena, s, -4);
    assert_eq!(*arena.read(reader), -1);
    set(&mut arena, s, 5);

    assert_eq!(*arena.read(reader), 5);
}

#[test]
fn case_x04_the_reactions_beside_one_that_panics_still_run() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (before, _) = follow(&mut arena, move |r| *r.get(s));
    arena.react(move |r, _| {
        let value = *r.get(s);
        assert!(value == 0, "middle: {value}");
    });
    let (after, _) = follow(&mut arena, move |r| *r.get(s));

    for value in [1, 2] {
        assert_eq!(
            panic_of(|| arena.turn(|w| w.set(s, value))),
            format!("middle: {value}")
        );
    }
    assert_eq!(
        (before.entries(), after.entries()),
        (vec![0, 1, 2], vec![0, 1, 2])
    );

    set(&mut arena, s, 0);
    arena.turn(|_| {});
    assert_eq!(
        (before.entries(), after.entries()),
        (vec![0, 1, 2, 0], vec![0, 1, 2, 0])
    );
}

#[test]
fn case_x08_a_failing_branch_does_not_touch_another() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let bad = arena.derived(move |r| {
        assert!(*r.get(s) < 2, "bad");
        0
    });
    let good = arena.derived(tally.count("good", move |r| r.get(s) * 10));
    let (log, _) = follow(&mut arena, move |r| *r.get(good));
    arena.react(move |r, _| {
        r.get(bad);
    });

    assert_eq!(panic_of(|| arena.turn(|w| w.set(s, 4))), "bad");

    assert_eq!(*arena.read(good), 40);
    assert_eq!(log.entries(), [10, 40]);
    assert_eq!(tally.of(["good"]), [2]);
}

// P18: it stays registered.
#[test]
fn case_x09_a_reaction_that_panics_on_its_first_run_runs_again() {
    let mut arena = Arena::new();
    let (s, other) = (arena.source(0), arena.source(0));
    let log = Log::default();
    let seen = log.clone();
    let text = panic_of(|| {
        arena.react(move |r, _| {
            let value = *r.get(s);
            assert!(value > 0, "too early");
            seen.push(value);
        })
    });
    assert_eq!(text, "too early");
    assert_eq!(*arena.read(other), 0);
    assert_eq!(
        arena.consumer_count(other),
        0,
        "a plain read after the panic is nobody's"
    );
    assert_eq!(arena.consumer_count(s), 1);

    set(&mut arena, s, 1);

    assert_eq!(log.entries(), [1]);
}

// The catalogue allows one evaluation more for all reads together. Here (P16) each read runs the
// function, once; none of them is news for the reaction.
#[test]
fn case_x10_a_reaction_that_catches_sees_the_error_and_the_recovery() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let d = failing(&mut arena, &tally, s);
    let (log, _) = follow(&mut arena, move |r| read_or_caught(r, d));
    assert_eq!(tally.of(["failing"]), [1]);

    set(&mut arena, s, -1);
    assert_eq!(log.entries(), [1, -1]);
    assert_eq!(tally.of(["failing"]), [2], "one run for the turn");
    for runs in 3..=5 {
        assert_eq!(panic_of(|| *arena.read(d)), "negative: -1");
        assert_eq!(tally.of(["failing"]), [runs], "one for a read");
    }
    assert_eq!(log.entries(), [1, -1], "a read is nothing new");
    set(&mut arena, s, -2);
    assert_eq!(log.entries(), [1, -1, -1], "another error");
    assert_eq!(tally.of(["failing"]), [6]);
    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [1, -1, -1, 2], "the recovery");
    assert_eq!((*arena.read(d), *arena.read(d)), (2, 2));
    assert_eq!(tally.of(["failing"]), [7], "and it is kept");
    set(&mut arena, s, 2);
    assert_eq!(log.entries(), [1, -1, -1, 2]);
}

#[test]
fn case_x11_an_error_that_stays_equal_moves_nothing() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(-1);
    let d = arena.derived(tally.count("d", move |r| {
        u32::try_from(*r.get(s)).map_err(|_| "negative")
    }));
    let (log, _) = follow(&mut arena, move |r| *r.get(d));

    set(&mut arena, s, -2);
    set(&mut arena, s, 3);

    assert_eq!(log.entries(), [Err("negative"), Ok(3)]);
    assert_eq!(tally.of(["d"]), [3]);
}

#[test]
fn case_x12_every_verb_works_after_a_panic_deep_inside() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(-1);
    let d = failing(&mut arena, &tally, s);
    let one = arena.derived(move |r| r.get(d) + 1);
    let two = arena.derived(move |r| r.get(one) + 1);
    let three = arena.derived_from(two.shared(), |two: &i32| two + 1);
    assert_eq!(panic_of(|| *arena.read(three)), "negative: -1");

    let late = arena.derived(move |r| r.get(two) + r.get(s));
    assert_eq!(panic_of(|| *arena.read(late)), "negative: -1");
    let t = arena.source(7);
    assert_eq!(*arena.read(t), 7);
    let hold = catch_unwind(AssertUnwindSafe(|| arena.hold(late))).ok();
    arena.queue(move |w| w.set(s, 1));
    let flushed = catch_unwind(AssertUnwindSafe(|| arena.turn(|w| w.set(t, 8))));
    assert_eq!(
        arena.queued(),
        0,
        "the queued turn ran, whether or not the first one raised: {flushed:?}"
    );

    assert_eq!(
        (*arena.read(three), *arena.read(late), *arena.read(t)),
        (4, 4, 8)
    );
    if let Some(hold) = hold {
        arena.let_go(hold);
    }
    set(&mut arena, s, 2);
    assert_eq!((*arena.read(three), *arena.read(late)), (5, 6));
}
