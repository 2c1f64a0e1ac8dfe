//! Catalogue A.3, Q12 to Q22: equalities that panic, types without one, errors and `None` as
//! values, large values.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use cases_common::log::follow;
use cases_common::panics::panic_of;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::Arena;

/// A number whose equality panics as soon as a negative one is involved.
#[derive(Clone, Debug)]
struct Touchy(i32);

impl PartialEq for Touchy {
    fn eq(&self, other: &Self) -> bool {
        assert!(
            self.0 >= 0 && other.0 >= 0,
            "a negative number cannot be compared"
        );
        self.0 == other.0
    }
}

// The catalogue lets a second read throw again without running the function. Here, as with any
// panic (P16), the row stays dirty and the next read runs it again.
#[test]
fn case_q12_a_panic_in_the_equality_of_a_derived_value_leaves_it_dirty() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let d = arena.derived(tally.count("d", move |r| Touchy(*r.get(s))));
    assert_eq!(arena.read(d).0, 1);

    set(&mut arena, s, -1);
    for runs in [2, 3] {
        assert!(panic_of(|| arena.read(d).0).contains("cannot be compared"));
        assert_eq!(tally.of(["d"]), [runs]);
    }

    set(&mut arena, s, 5);
    assert_eq!(arena.read(d).0, 5);
    assert_eq!(tally.of(["d"]), [4]);
}

#[test]
fn case_q12_a_panic_in_the_equality_of_a_source_discards_the_turn() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (touchy, other) = (arena.source(Touchy(1)), arena.source(1));
    let (log, _) = follow(&mut arena, move |r| (r.get(touchy).0, *r.get(other)));
    let reader = arena.derived(tally.count("reader", move |r| r.get(touchy).0));
    arena.read(reader);

    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(other, 2);
            w.set(touchy, Touchy(-1));
        });
    });

    assert!(text.contains("cannot be compared"));
    assert_eq!((arena.read(touchy).0, *arena.read(other)), (1, 1));
    assert_eq!(*arena.read(reader), 1);
    assert_eq!(tally.of(["reader"]), [1]);
    assert_eq!(log.entries(), [(1, 1)]);

    set(&mut arena, touchy, Touchy(3));
    assert_eq!(log.entries(), [(1, 1), (3, 1)]);
}

// `PartialEq` calls the two zeros equal, so a consumer that can tell them apart keeps the value of
// the one that came first. A bitwise equality tells them apart.
#[test]
fn case_q14_the_two_zeros_are_one_value_unless_compared_bitwise() {
    let mut arena = Arena::new();
    let plain = arena.source(0.0_f64);
    let bitwise = arena
        .cog()
        .equality(|a: &f64, b: &f64| a.to_bits() == b.to_bits())
        .source(0.0);
    let [by_plain, by_bitwise] = [plain, bitwise].map(|s| arena.derived(move |r| 1.0 / r.get(s)));
    assert_eq!(
        (*arena.read(by_plain), *arena.read(by_bitwise)),
        (f64::INFINITY, f64::INFINITY)
    );

    set(&mut arena, plain, -0.0);
    set(&mut arena, bitwise, -0.0);

    assert_eq!(*arena.read(by_plain), f64::INFINITY);
    assert_eq!(*arena.read(by_bitwise), f64::NEG_INFINITY);
}

/// A value without any equality.
#[derive(Clone)]
struct Opaque(i32);

// The catalogue lets the writer run once. Here a reaction's write is a later turn, so the writer
// sees it (P10): it writes until it stops itself, and the limit on turns ends one that never does.
#[test]
fn case_q15_a_value_without_equality_changes_with_every_write() {
    let mut arena = Arena::new();
    let s = arena.cog().always_changes().source(Opaque(1));
    let (peer, _) = follow(&mut arena, move |r| r.get(s).0);
    let runs = Tally::default();
    let seen = runs.clone();
    arena.react(move |r, later| {
        let same = r.get(s).clone();
        seen.hit("writer");
        if seen.of(["writer"]) == [1] {
            later.turn(move |w| w.set(s, same));
        }
    });

    assert_eq!(peer.entries(), [1, 1]);
    assert_eq!(runs.of(["writer"]), [2]);
}

#[test]
fn case_q16_a_value_changed_in_place_is_stale_until_it_is_touched() {
    let mut arena = Arena::new();
    let list = || Arc::new(Mutex::new(vec![1]));
    let (one, two, unread) = (list(), list(), list());
    let [s, t, u] =
        [&one, &two, &unread].map(|list| arena.cog().always_changes().source(Arc::clone(list)));
    let length = arena.derived(move |r| r.get(s).lock().expect("no other thread").len());
    let (both, _) = follow(&mut arena, move |r| {
        r.get(s).lock().expect("no other thread").len()
            + r.get(t).lock().expect("no other thread").len()
    });
    assert_eq!(*arena.read(length), 1);

    one.lock().expect("no other thread").push(2);
    assert_eq!(*arena.read(length), 1, "nobody told the arena");

    arena.turn(|w| {
        w.update(s, |_| {});
        w.update(t, |_| {});
    });
    assert_eq!(*arena.read(length), 2);
    assert_eq!(both.entries(), [2, 3], "two touches of a turn are one run");

    arena.turn(|w| w.update(u, |_| {}));
    assert_eq!(
        both.entries(),
        [2, 3],
        "touching what nobody reads runs nothing"
    );
}

#[test]
fn case_q17_an_update_that_leaves_the_value_equal_is_no_change() {
    let mut arena = Arena::new();
    let s = arena.source(vec![1, 2]);
    let (log, _) = follow(&mut arena, move |r| r.get(s).len());

    arena.turn(|w| w.update(s, |_| {}));
    assert_eq!(log.entries(), [2]);

    arena.turn(|w| w.update(s, |list| list.push(3)));
    assert_eq!(log.entries(), [2, 3]);
}

#[test]
fn case_q19_errors_are_values_and_differ_like_values() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let d = arena.derived(move |r| match *r.get(s) {
        ok if ok >= 0 => Ok(5),
        error => Err(format!("error {error}")),
    });
    let (log, _) = follow(&mut arena, move |r| r.get(d).clone());

    for value in [-1, -2, 1] {
        set(&mut arena, s, value);
    }

    let [one, two] = ["error -1", "error -2"].map(|text| Err(text.to_owned()));
    assert_eq!(log.entries(), [Ok(5), one, two, Ok(5)]);
}

// A panic of a dependency makes its reader run, since the reader may catch it. That is one more
// read of the dependency, so one more run of it; and one more run of both when the value is back.
#[test]
fn case_q19_a_reader_runs_for_a_panic_and_again_when_the_old_value_is_back() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let d = arena.derived(tally.count("d", move |r| {
        assert!(*r.get(s) >= 0, "negative");
        5
    }));
    let reader = arena.derived(tally.count("reader", move |r| *r.get(d)));
    assert_eq!(*arena.read(reader), 5);

    set(&mut arena, s, -1);
    assert!(panic_of(|| *arena.read(reader)).contains("negative"));
    set(&mut arena, s, 1);

    assert_eq!(*arena.read(reader), 5);
    assert_eq!(tally.of(["d", "reader"]), [3, 3]);
}

#[test]
fn case_q20_none_is_a_value_like_any_other() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let c = arena.derived(tally.count("c", move |r| {
        let value = *r.get(s);
        (value != 0).then_some(value)
    }));
    assert_eq!((*arena.read(c), *arena.read(c)), (None, None));
    assert_eq!(tally.of(["c"]), [1]);

    set(&mut arena, s, 1);
    assert_eq!(*arena.read(c), Some(1));
    set(&mut arena, s, 0);
    assert_eq!(*arena.read(c), None);

    assert_eq!(tally.of(["c"]), [3]);
}

#[test]
fn case_q21_a_value_that_came_back_while_nobody_looked_did_not_change() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(5);
    let c = arena.derived(move |r| *r.get(s));
    let kept = arena.derived(tally.count("kept", move |r| *r.get(c)));
    let (log, reaction) = follow(&mut arena, move |r| *r.get(c));
    assert_eq!(*arena.read(kept), 5);
    arena.end(reaction);

    set(&mut arena, s, 6);
    set(&mut arena, s, 5);
    let (new, _) = follow(&mut arena, move |r| *r.get(c));

    assert_eq!(*arena.read(kept), 5);
    assert_eq!(tally.of(["kept"]), [1]);
    assert_eq!(log.entries(), [5]);
    assert_eq!(new.entries(), [5]);
}

#[test]
fn case_q22_a_large_value_is_compared_once_a_run_and_never_for_a_mark() {
    static COMPARED: AtomicU32 = AtomicU32::new(0);
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let counted = |a: &Vec<u8>, b: &Vec<u8>| {
        COMPARED.fetch_add(1, Ordering::Relaxed);
        a == b
    };
    let large = arena.cog().equality(counted).derived(move |r| {
        r.get(s);
        vec![1_u8; 1 << 20]
    });
    let reader = arena.derived(tally.count("reader", move |r| r.get(large).len()));
    assert_eq!(*arena.read(reader), 1 << 20);

    for value in 1..=10 {
        set(&mut arena, s, value);
    }
    assert_eq!(
        COMPARED.load(Ordering::Relaxed),
        0,
        "marking compares nothing"
    );

    assert_eq!(*arena.read(reader), 1 << 20);
    assert_eq!(COMPARED.load(Ordering::Relaxed), 1);
    assert_eq!(tally.of(["reader"]), [1]);
}
