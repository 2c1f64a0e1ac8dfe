//! Catalogue A.1, P1 to P15: where libraries differ, what this one does. P8 and P25 come with
//! scopes and lifetime; P14 and P15 are impossible by type.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use cases_common::log::{Log, follow};
use cases_common::panics::panic_of;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, Source};

#[test]
fn policy_p1_nan_is_unequal_to_itself_unless_compared_bitwise() {
    let mut arena = Arena::new();
    let plain = arena.source(f64::NAN);
    let bitwise = arena
        .cog()
        .equality(|a: &f64, b: &f64| a.to_bits() == b.to_bits())
        .source(f64::NAN);
    let (of_plain, _) = follow(&mut arena, move |r| r.get(plain).is_nan());
    let (of_bitwise, _) = follow(&mut arena, move |r| r.get(bitwise).is_nan());

    for s in [plain, bitwise] {
        set(&mut arena, s, f64::NAN);
    }

    assert_eq!(of_plain.entries(), [true, true]);
    assert_eq!(of_bitwise.entries(), [true]);
}

#[test]
fn policy_p2_an_equal_value_is_skipped_however_it_is_written() {
    let mut arena = Arena::new();
    let s = arena.source(String::from("same"));
    let (log, _) = follow(&mut arena, move |r| r.get(s).clone());

    set(&mut arena, s, String::from("same"));
    arena.turn(|w| w.set_ref(s, &String::from("same")));
    arena.turn(|w| w.update(s, |text| text.truncate(4)));

    assert_eq!(log.entries(), ["same"]);
    assert_eq!(arena.counts().written, 0, "equal is no change");
}

#[test]
fn policy_p3_a_turn_that_reverts_itself_runs_nothing() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let d = arena.derived(tally.count("d", move |r| *r.get(s)));
    let (log, _) = follow(&mut arena, move |r| *r.get(d));

    arena.turn(|w| {
        w.set(s, 2);
        w.set(s, 1);
    });

    assert_eq!((arena.counts().reached, arena.counts().run), (0, 0));
    assert_eq!(log.entries(), [1]);
    assert_eq!(tally.of(["d"]), [1]);
}

#[test]
fn policy_p4_a_writer_sees_what_it_staged() {
    let mut arena = Arena::new();
    let (s, untouched) = (arena.source(1), arena.source(5));

    arena.turn(|w| {
        w.set(s, 2);
        w.update(s, |value| *value += 1);
        assert_eq!((*w.get(s), *w.get(untouched)), (3, 5));
    });

    assert_eq!(*arena.read(s), 3);
}

#[test]
fn policy_p5_a_derived_value_read_inside_a_turn_is_the_committed_one() {
    let mut arena = Arena::new();
    let s = arena.source(1);
    let d = arena.derived(move |r| r.get(s) * 10);

    arena.turn(|w| {
        w.set(s, 2);
        assert_eq!(*w.read(d), 10);
    });

    assert_eq!(*arena.read(d), 20);
}

#[test]
fn policy_p6_a_reaction_first_runs_at_registration_or_at_the_tail_of_the_flush() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let log = Log::default();
    let (early, late, tail) = (log.clone(), log.clone(), log.clone());
    arena.react(move |r, later| {
        early.push(("early", *r.get(s)));
        if *r.get(s) == 1 {
            let tail = tail.clone();
            later.react(move |r, _| tail.push(("tail", *r.get(s))));
        }
    });
    assert_eq!(log.entries(), [("early", 0)]);
    arena.react(move |r, _| late.push(("late", *r.get(s))));
    assert_eq!(log.entries(), [("early", 0), ("late", 0)]);

    set(&mut arena, s, 1);

    assert_eq!(log.entries()[2..], [("early", 1), ("late", 1), ("tail", 1)]);
}

// Scopes own, and a reaction is no scope. What it registers lives on when it runs again or ends.
#[test]
fn policy_p7_a_reaction_does_not_own_what_it_registers() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let log = Log::default();
    let seen = log.clone();
    let mut first = true;
    let outer = arena.react(move |r, later| {
        r.get(s);
        if std::mem::take(&mut first) {
            let seen = seen.clone();
            later.react(move |r, _| seen.push(*r.get(s)));
        }
    });

    set(&mut arena, s, 1);
    assert!(arena.end(outer));
    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [0, 1, 2]);
}

#[test]
fn policy_p9_reactions_run_in_the_order_of_registration_however_they_subscribed() {
    let mut arena = Arena::new();
    let (s, on) = (arena.source(0), arena.source(true));
    let deep = arena.derived(move |r| *r.get(s));
    let log = Log::default();
    let [one, two, three] = [(); 3].map(|()| log.clone());
    // The first reads through a derived value and drops `s` now and then, so that it is always the
    // youngest consumer.
    arena.react(move |r, _| {
        if *r.get(on) {
            r.get(deep);
        }
        one.push(1);
    });
    arena.react(move |r, _| {
        r.get(s);
        two.push(2);
    });
    arena.react(move |r, _| {
        r.get(deep);
        three.push(3);
    });
    set(&mut arena, on, false);
    set(&mut arena, on, true);
    let before = log.entries().len();

    for value in 1..4 {
        set(&mut arena, s, value);
    }

    assert_eq!(log.entries()[before..], [1, 2, 3, 1, 2, 3, 1, 2, 3]);
}

#[test]
fn policy_p10_a_reaction_that_writes_what_it_reads_runs_again_until_it_is_stable() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        let value = *r.get(s);
        seen.push(value);
        if value % 5 != 0 {
            later.turn(move |w| w.set(s, value + 1));
        }
    });

    set(&mut arena, s, 1);

    assert_eq!(log.entries(), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn policy_p10_a_reaction_that_never_becomes_stable_is_an_error() {
    let mut arena = Arena::new();
    arena.set_turns_max(200);
    let (s, on) = (arena.source(0), arena.source(false));
    let (log, _) = follow(&mut arena, move |r| *r.get(s));
    arena.react(move |r, later| {
        let value = *r.get(s);
        if *r.get(on) {
            later.turn(move |w| w.set(s, value + 1));
        }
    });

    assert!(arena.try_turn(|w| w.set(on, true)).is_err());
    let runs = log.entries().len();
    assert!((100..=201).contains(&runs), "{runs} runs");

    set(&mut arena, on, false);
    panic_of(|| {
        arena.turn(|w| w.set(on, true));
    });
    set(&mut arena, on, false);
    set(&mut arena, s, -1);
    assert_eq!(log.entries().last(), Some(&-1));
}

#[test]
fn policy_p11_a_reaction_that_resets_its_source_runs_twice_a_write() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let c = arena.derived(move |r| *r.get(s));
    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        seen.push(*r.get(c));
        if *r.get(c) > 0 {
            later.turn(move |w| w.set(s, 0));
        }
    });

    for value in 1..4 {
        set(&mut arena, s, value);
        assert_eq!(*arena.read(s), 0);
    }

    assert_eq!(log.entries(), [0, 1, 0, 2, 0, 3, 0]);
}

#[test]
fn policy_p12_a_turn_asked_for_by_a_reaction_is_one_run_below_and_two_turns_are_two() {
    let mut arena = Arena::new();
    let (trigger, a, b) = (arena.source(0), arena.source(0), arena.source(0));
    let write = move |value: i32, targets: Vec<Source<i32>>| {
        move |w: &mut cog_arena::Writer<'_>| {
            for target in targets {
                w.set(target, value);
            }
        }
    };
    arena.react(move |r, later| match *r.get(trigger) {
        1 => later.turn(write(1, vec![a, b])),
        2 => {
            later.turn(write(2, vec![a]));
            later.turn(write(2, vec![b]));
        }
        _ => {}
    });
    let (log, _) = follow(&mut arena, move |r| (*r.get(a), *r.get(b)));

    set(&mut arena, trigger, 1);
    set(&mut arena, trigger, 2);

    assert_eq!(log.entries(), [(0, 0), (1, 1), (2, 1), (2, 2)]);
}

// A write by a reaction is a later turn: the second reaction of the same flush still sees the old
// value, and runs again for the new one.
#[test]
fn policy_p13_a_later_reaction_of_the_flush_sees_the_write_with_the_next_turn() {
    let mut arena = Arena::new();
    let (s, t) = (arena.source(0), arena.source(0));
    arena.react(move |r, later| {
        let value = *r.get(s);
        later.turn(move |w| w.set(t, value));
    });
    let (log, _) = follow(&mut arena, move |r| (*r.get(s), *r.get(t)));

    set(&mut arena, s, 1);

    assert_eq!(log.entries(), [(0, 0), (1, 0), (1, 1)]);
}
