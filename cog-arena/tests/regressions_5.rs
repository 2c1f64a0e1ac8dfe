//! Faults that were found by reading: rows that fail, catch a failure, and recover while others run.
//!
//! Takes: functions that fail on purpose. Leaves: each fault's smallest case. Never: depends on another test.

#[path = "common/seen.rs"]
mod seen;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use cog_arena::{Arena, Derived, Reader, Reads, Source};
use seen::{Count, caught};

#[test]
fn a_value_that_was_lent_to_a_run_stays_though_what_it_is_made_of_recovers() {
    let mut arena = Arena::new();
    // In the first turn, and in the second; in the third it is well again.
    let failures_left = Arc::new(AtomicU32::new(0));
    let source = arena.source(0);
    let its = Arc::clone(&failures_left);
    let shaky = arena.derived(move |r| {
        let value = *r.get(source);
        let left = its.load(Ordering::Relaxed);
        its.store(left.saturating_sub(1), Ordering::Relaxed);
        assert!(left == 0, "not yet");
        value
    });
    let text = arena.derived(move |r| match caught(|| *r.get(shaky)) {
        Some(value) => format!("a text of some length, for {value}"),
        None => "a text that says that there is none".to_owned(),
    });
    let reader = arena.derived(move |r| {
        let lent: &String = r.get(text);
        let before = lent.clone();
        let shaky = *r.get(shaky);
        let again = r.get(text).clone();
        assert_eq!(*lent, before, "what was lent stays");
        (again, shaky)
    });
    let _hold = arena.hold(reader);
    failures_left.store(2, Ordering::Relaxed);

    for value in [1, 2] {
        let ended = caught(|| arena.turn(|w| w.set(source, value)));
        assert_eq!(ended, None, "what is held failed");
    }
    arena.turn(|w| w.set(source, 3));

    let right = ("a text of some length, for 3".to_owned(), 3);
    assert_eq!(arena.settled(reader), Some(&right));
    arena.check();
}

#[test]
fn a_knot_of_held_rows_of_which_one_catches_the_other_ends() {
    let mut arena = Arena::new();
    let runs = Arc::new(AtomicU32::new(0));
    let b: Derived<i32> = arena.reserve();
    let its = Arc::clone(&runs);
    let a = arena.derived(move |r| {
        its.fetch_add(1, Ordering::Relaxed);
        caught(|| *r.get(b)).unwrap_or(0)
    });
    arena
        .cog()
        .define(b, Reads, move |r: &Reader<'_>| r.get(a) + 1);
    for cog in [a, b] {
        let _hold = caught(|| arena.hold(cog));
    }
    for _ in 0..3 {
        let _ended = caught(|| arena.turn(|_| {}));
    }
    assert!(runs.load(Ordering::Relaxed) < 20, "it ends");
    arena.check();
}

#[test]
fn a_knot_of_held_rows_that_fail_costs_the_same_in_every_turn() {
    let mut arena = Arena::new();
    let runs = Arc::new(AtomicU32::new(0));
    let b: Derived<i32> = arena.reserve();
    let its = Arc::clone(&runs);
    let a = arena.derived(move |r| {
        its.fetch_add(1, Ordering::Relaxed);
        *r.get(b)
    });
    arena
        .cog()
        .define(b, Reads, move |r: &Reader<'_>| *r.get(a));
    for cog in [a, b] {
        let _hold = caught(|| arena.hold(cog));
    }
    let mut turn = || {
        let _ended = caught(|| arena.turn(|_| {}));
        runs.swap(0, Ordering::Relaxed)
    };
    turn();
    for _ in 0..8 {
        assert_eq!(
            turn(),
            1,
            "whoever is asked first, and for all that are held"
        );
    }
    arena.check();
}

/// Eight rows read `shaky`, which fails where `source` is above one: it runs once in each turn.
fn fails_once_for_all(mut arena: Arena, source: Source<i32>, shaky: Derived<i32>, runs: &Count) {
    let readers: Vec<_> = (0..8)
        .map(|_| arena.derived(move |r| caught(|| *r.get(shaky))))
        .collect();
    for &reader in &readers {
        let _hold = arena.hold(reader);
    }
    assert_eq!(runs.take(), 1);
    for (value, right) in [(2, None), (0, Some(0))] {
        arena.turn(|w| w.set(source, value));

        assert_eq!(runs.take(), 1);
        for &reader in &readers {
            assert_eq!(arena.settled(reader), Some(&right));
        }
    }
    arena.check();
}

#[test]
fn a_row_that_fails_runs_once_in_a_turn_however_many_read_it() {
    let mut arena = Arena::new();
    let source = arena.source(1);
    let runs = Count::default();
    let its = runs.clone();
    let shaky = arena.derived(move |r| {
        its.add();
        assert!(*r.get(source) < 2, "too much");
        *r.get(source)
    });
    fails_once_for_all(arena, source, shaky, &runs);
}

#[test]
fn a_declared_row_that_fails_runs_once_in_a_turn_however_many_read_it() {
    let mut arena = Arena::new();
    let source = arena.source(1);
    let runs = Count::default();
    let its = runs.clone();
    let shaky = arena
        .cog()
        .derived_from(source.shared(), move |value: &i32| {
            its.add();
            assert!(*value < 2, "too much");
            *value
        });
    fails_once_for_all(arena, source, shaky, &runs);
}

#[test]
fn what_a_row_panics_with_reaches_the_read_that_made_it_run() {
    let mut arena = Arena::new();
    let source = arena.source(1);
    let shaky = arena.derived(move |r| {
        if 1 < *r.get(source) {
            std::panic::panic_any(42_u8);
        }
    });
    let over = arena.derived(move |r| *r.get(shaky));
    arena.read(over);
    arena.turn(|w| w.set(source, 2));

    // Once as the row is found to have changed, and not again for its reader.
    let payload = catch_unwind(AssertUnwindSafe(|| *arena.read(over))).unwrap_err();

    assert_eq!(payload.downcast_ref(), Some(&42_u8));
    arena.check();
}

#[test]
fn a_row_that_nothing_holds_and_that_caught_a_failure_hears_of_the_recovery() {
    let mut arena = Arena::new();
    let fails = Arc::new(AtomicBool::new(true));
    let source = arena.source(1);
    let its = Arc::clone(&fails);
    let shaky = arena.derived(move |r| {
        assert!(!its.load(Ordering::Relaxed), "not yet");
        *r.get(source)
    });
    let caught_it = arena.derived(move |r| caught(|| *r.get(shaky)));
    let over = arena.derived(move |r| *r.get(caught_it));
    arena.turn(|w| w.set(source, 2));
    assert_eq!(*arena.read(over), None);
    fails.store(false, Ordering::Relaxed);

    assert_eq!(*arena.read(shaky), 2);

    assert_eq!(*arena.read(over), Some(2));
    arena.check();
}

#[test]
fn a_key_that_comes_finds_that_what_was_read_of_it_before_had_failed() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let total = arena.source_family(space, |_| 0);
    let member = arena.member_family::<u32, i32>(space);
    let shaky = arena.derived_family(space, |_, key| -> i32 { panic!("not for {key}") });
    let requires = arena.derived_family_from(
        space,
        (member.aligned(), shaky.aligned()),
        |(member, shaky): (&i32, &i32)| member + shaky,
    );
    let runs = Count::default();
    let its = runs.clone();
    let over = arena.derived_family_from(
        space,
        (total.aligned(), requires.optional()),
        move |(total, _): (&i32, Option<&i32>)| {
            its.add();
            *total
        },
    );
    let _hold = arena.hold(over);
    assert!(caught(|| *arena.read(shaky.at(4))).is_none());

    let ended = caught(|| arena.turn(|w| w.set(total.at(4), 1)));

    assert!(
        ended.is_none(),
        "what is held fails, like what it is made of"
    );
    assert_eq!(
        runs.take(),
        0,
        "an input that failed is not one that is absent"
    );
    assert_eq!(arena.settled(over.at(4)), None);
    arena.check();
}

#[test]
fn a_family_that_is_held_finds_that_what_was_read_before_had_failed() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let source = arena.member_family::<u32, i32>(space);
    let shaky = arena.derived_family(space, |_, key| -> i32 { panic!("not for {key}") });
    let requires = arena.derived_family_from(
        space,
        (shaky.aligned(), Reads),
        |(shaky, _): (&i32, &Reader<'_>)| *shaky,
    );
    let runs = Count::default();
    let its = runs.clone();
    let over = arena.derived_family_from(
        space,
        (source.aligned(), requires.optional()),
        move |(source, _): (&i32, Option<&i32>)| {
            its.add();
            *source
        },
    );
    arena.turn(|w| w.set(source.at(4), 1));
    assert!(caught(|| *arena.read(shaky.at(4))).is_none());

    let _held = caught(|| arena.hold(over));

    assert_eq!(
        runs.take(),
        0,
        "an input that failed is not one that is absent"
    );
    assert_eq!(arena.settled(over.at(4)), None);
    arena.check();
}

#[test]
fn a_removed_key_of_a_family_with_declared_and_tracked_inputs_gives_its_row_back() {
    for held in [true, false] {
        let mut arena = Arena::new();
        let space = arena.key_space::<u32>();
        let source = arena.member_family::<u32, i32>(space);
        let mixed = arena.derived_family_from(
            space,
            (source.aligned(), Reads),
            |(v, _): (&i32, &Reader<'_>)| *v,
        );
        let _hold = held.then(|| arena.hold(mixed));
        for key in 0..100 {
            arena.turn(|w| w.set(source.at(key), 1));
            arena.read(mixed.at(key));
            arena.turn(|w| w.remove_key(space, &key));
            arena.check();
        }
        let slot = arena.turn(|w| w.insert_key(space, 100));
        assert!(slot.index() < 3, "row numbers are used again");
    }
}
