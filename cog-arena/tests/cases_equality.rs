//! Catalogue A.3, Q01 to Q11: equality decides what a change is. Equal values stop the wave,
//! tolerances compare with what is stored.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use std::sync::atomic::{AtomicU32, Ordering};

use cases_common::log::follow;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::Arena;

#[test]
fn case_q01_an_equal_write_runs_nothing() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let c = arena.derived(tally.count("c", move |r| r.get(s) + 1));
    assert_eq!(*arena.read(c), 2);

    set(&mut arena, s, 1);

    assert_eq!(*arena.read(c), 2);
    assert_eq!(tally.of(["c"]), [1]);
}

#[test]
fn case_q02_a_constant_value_stops_its_readers() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let k = arena.derived(tally.count("k", move |r| {
        r.get(s);
        "k"
    }));
    let t = arena.derived(tally.count("t", move |r| *r.get(k)));
    assert_eq!(*arena.read(t), "k");

    set(&mut arena, s, 2);

    assert_eq!(*arena.read(t), "k");
    assert_eq!(tally.of(["k", "t"]), [2, 1]);
}

#[test]
fn case_q03_a_boolean_gate_opens_once() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let gate = arena.derived(tally.count("gate", move |r| *r.get(s) > 0));
    let c = arena.derived(tally.count("c", move |r| i32::from(*r.get(gate))));
    let d = arena.derived(tally.count("d", move |r| *r.get(c)));

    for (value, expected) in [(0, 0), (3, 1), (4, 1)] {
        set(&mut arena, s, value);
        assert_eq!(*arena.read(d), expected);
    }

    assert_eq!(tally.of(["gate", "c", "d"]), [3, 2, 2]);
}

#[test]
fn case_q04_a_clamp_hides_what_happens_beyond_its_bounds() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let clamp = arena.derived(tally.count("clamp", move |r| (*r.get(s)).clamp(0, 10)));
    let t = arena.derived(tally.count("t", move |r| *r.get(clamp)));
    let (log, _) = follow(&mut arena, move |r| *r.get(t));

    for value in [-5, 4, 12, 30, 9] {
        set(&mut arena, s, value);
    }

    assert_eq!(log.entries(), [0, 4, 10, 9]);
    assert_eq!(tally.of(["t", "clamp"]), [4, 6]);
}

#[test]
fn case_q05_an_unchanged_parity_leaves_the_reaction_quiet() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let parity = arena.derived(tally.count("parity", move |r| r.get(s) % 2));
    let t = arena.derived(tally.count("t", move |r| r.get(parity) + 1));
    let (log, _) = follow(&mut arena, move |r| *r.get(t));

    for value in [2, 4, 6] {
        set(&mut arena, s, value);
    }

    assert_eq!(log.entries(), [1]);
    assert_eq!(tally.of(["parity", "t"]), [4, 1]);
}

#[test]
fn case_q06_opposite_changes_of_a_turn_leave_the_sum_equal() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (a, b) = (arena.source(1), arena.source(2));
    let c = arena.derived(tally.count("c", move |r| r.get(a) + r.get(b)));
    let (log, _) = follow(&mut arena, move |r| *r.get(c));

    arena.turn(|w| {
        w.set(a, 2);
        w.set(b, 1);
    });

    assert_eq!(log.entries(), [3]);
    assert_eq!(tally.of(["c"]), [2]);
}

#[test]
fn case_q07_a_value_that_is_never_equal_carries_every_change_on() {
    static COMPARED: AtomicU32 = AtomicU32::new(0);
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let never = |_: &&str, _: &&str| {
        COMPARED.fetch_add(1, Ordering::Relaxed);
        false
    };
    let constant = arena.cog().equality(never).derived(move |r| {
        r.get(s);
        "same"
    });
    let reader = arena.derived(tally.count("reader", move |r| *r.get(constant)));
    arena.read(reader);
    assert_eq!(
        COMPARED.load(Ordering::Relaxed),
        0,
        "a first value has nothing to be compared with"
    );

    set(&mut arena, s, 2);
    arena.read(reader);

    assert_eq!(COMPARED.load(Ordering::Relaxed), 1);
    assert_eq!(tally.of(["reader"]), [2]);
}

#[test]
fn case_q08_a_tolerance_compares_with_the_stored_value() {
    let mut arena = Arena::new();
    let near = |a: &i32, b: &i32| a.abs_diff(*b) <= 1;
    let s = arena.cog().equality(near).source(0);
    let (log, _) = follow(&mut arena, move |r| *r.get(s));

    for (value, stored) in [(2, 2), (3, 2), (5, 5)] {
        set(&mut arena, s, value);
        assert_eq!(*arena.read(s), stored);
    }

    assert_eq!(log.entries(), [0, 2, 5]);
}

#[test]
fn case_q08_a_tolerance_of_a_derived_value_does_not_creep() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let near = |a: &i32, b: &i32| a.abs_diff(*b) <= 1;
    let d = arena.cog().equality(near).derived(move |r| *r.get(s));
    let (log, _) = follow(&mut arena, move |r| *r.get(d));

    for (value, stored) in [(1, 0), (2, 2), (3, 2), (1, 2), (4, 4)] {
        set(&mut arena, s, value);
        assert_eq!(*arena.read(d), stored);
    }

    assert_eq!(log.entries(), [0, 2, 4]);
}

#[test]
fn case_q09_a_source_that_is_never_equal_changes_with_every_write() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.cog().always_changes().source(7);
    let c = arena.derived(tally.count("c", move |r| r.get(s) + r.get(s)));
    assert_eq!(*arena.read(c), 14);
    let (log, _) = follow(&mut arena, move |r| *r.get(s));

    set(&mut arena, s, 7);
    set(&mut arena, s, 7);

    assert_eq!(log.entries(), [7, 7, 7]);
    assert_eq!(*arena.read(c), 14);
    assert_eq!(
        tally.of(["c"]),
        [2],
        "nobody read it between the two writes"
    );
}

#[test]
fn case_q10_an_arm_that_settles_equal_does_not_hide_the_other() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let p1 = arena.derived(tally.count("p1", move |r| *r.get(s)));
    let p2 = arena.derived(tally.count("p2", move |r| r.get(s) % 2));
    let join = arena.derived(tally.count("join", move |r| r.get(p1) + r.get(p2)));
    assert_eq!(*arena.read(join), 0);

    set(&mut arena, s, 2);

    assert_eq!(*arena.read(join), 2);
    assert_eq!(tally.of(["p1", "p2", "join"]), [2, 2, 2]);
}

#[test]
fn case_q11_equality_is_asked_once_a_run() {
    static COMPARED: AtomicU32 = AtomicU32::new(0);
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (exact, counter) = (arena.source(1.0_f64), arena.source(1));
    let near = |a: &f64, b: &f64| {
        COMPARED.fetch_add(1, Ordering::Relaxed);
        (a - b).abs() < 0.1
    };
    let inner = arena
        .cog()
        .equality(near)
        .derived(tally.count("inner", move |r| *r.get(exact)));
    let outer = arena.derived(tally.count("outer", move |r| (*r.get(inner), *r.get(counter))));
    assert_eq!(*arena.read(outer), (1.0, 1));

    arena.turn(|w| {
        w.set(exact, 2.0);
        w.set(counter, 2);
    });

    assert_eq!(*arena.read(outer), (2.0, 2));
    assert_eq!(tally.of(["inner", "outer"]), [2, 2]);
    assert_eq!(COMPARED.load(Ordering::Relaxed), 1);
}
