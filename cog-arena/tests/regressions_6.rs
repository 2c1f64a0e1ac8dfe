//! Faults that were found by counting: the rows of a cycle fail once in a turn, for all that read them.
//!
//! Takes: rings, and chains that are too deep. Leaves: how often each function ran. Never: depends on another test.

mod common;

#[path = "common/seen.rs"]
mod seen;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cog_arena::{Arena, Derived, DerivedFamily, Source};
use common::{Late, assert_says, panic_of};
use seen::{Count, Seen, caught, take};

/// Who is held of a ring.
#[derive(Clone, Copy, Debug)]
enum Held {
    Family,
    EachRow,
}

/// A ring whose every row is held: each key reads the next one, and the last one the first while `closed`.
struct Ring {
    arena: Arena,
    closed: Source<bool>,
    rows: DerivedFamily<u32, u32>,
    runs: Count,
}

fn ring(keys: u32, closed: bool, held: Held) -> Ring {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let closed = arena.source(closed);
    let (late, runs) = (Late::<DerivedFamily<u32, u32>>::new(), Count::default());
    let (own, its) = (late.clone(), runs.clone());
    let rows = arena
        .cog()
        .name("ring")
        .derived_family(space, move |r, &key| {
            its.add();
            if key + 1 < keys {
                r.get(own.get().at(key + 1)) + 1
            } else if *r.get(closed) {
                r.get(own.get().at(0)) + 1
            } else {
                0
            }
        });
    late.set(rows);
    arena.turn(|w| {
        for key in 0..keys {
            w.insert_key(space, key);
        }
    });
    match held {
        Held::Family => drop(caught(|| arena.hold(rows))),
        Held::EachRow => {
            for key in 0..keys {
                let _hold = caught(|| arena.hold(rows.at(key)));
            }
        }
    }
    runs.take();
    Ring {
        arena,
        closed,
        rows,
        runs,
    }
}

#[test]
fn a_held_ring_runs_each_of_its_rows_once_in_a_turn() {
    for held in [Held::Family, Held::EachRow] {
        for keys in [100, 400] {
            let mut ring = ring(keys, true, held);
            for _ in 0..3 {
                assert_says(&panic_of(|| ring.arena.turn(|_| {})), &["cycle: ring[0] →"]);
                assert_eq!(ring.runs.take(), keys, "{held:?}");
            }
            ring.arena.check();
        }
    }
}

#[test]
fn a_warm_chain_that_closes_into_a_ring_runs_each_row_once_and_so_it_does_when_it_opens() {
    for held in [Held::Family, Held::EachRow] {
        let mut ring = ring(100, false, held);
        assert_eq!(ring.arena.settled(ring.rows.at(0)), Some(&99));

        let text = panic_of(|| ring.arena.turn(|w| w.set(ring.closed, true)));
        assert_says(&text, &["cycle: ring[", "→"]);
        assert_eq!(ring.runs.take(), 100, "{held:?}, closed");

        ring.arena.turn(|w| w.set(ring.closed, false));
        assert_eq!(ring.runs.take(), 100, "{held:?}, opened");
        assert_eq!(ring.arena.settled(ring.rows.at(0)), Some(&99));
        ring.arena.check();
    }
}

#[test]
fn a_ring_fails_once_though_other_rows_recover_in_the_same_turn() {
    const ROWS: u32 = 50;
    let mut arena = Arena::new();
    let runs = Count::default();
    let fails = Arc::new(AtomicBool::new(true));
    let first = Late::<Derived<u32>>::new();
    let mut last = None;
    for _ in 0..ROWS {
        let (its, next, after) = (runs.clone(), first.clone(), last);
        let row = arena.derived(move |r| {
            its.add();
            *r.get(after.unwrap_or_else(|| next.get()))
        });
        last = Some(row);
        let its = Arc::clone(&fails);
        let shaky = arena.derived(move |_| assert!(!its.load(Ordering::Relaxed), "not yet"));
        let _hold = caught(|| arena.hold(row));
        let _hold = caught(|| arena.hold(shaky));
        first.set(row);
    }
    let _ended = caught(|| arena.turn(|_| {}));
    runs.take();
    fails.store(false, Ordering::Relaxed);

    let _ended = caught(|| arena.turn(|_| {}));

    assert_eq!(runs.take(), ROWS);
    arena.check();
}

#[test]
fn a_ring_of_which_one_row_catches_the_error_costs_the_same_in_every_turn() {
    const ROWS: u32 = 100;
    let mut arena = Arena::new();
    let runs = Count::default();
    let first = Late::<Derived<u32>>::new();
    let mut rows: Vec<Derived<u32>> = Vec::new();
    for at in 0..ROWS {
        let (its, next, after) = (runs.clone(), first.clone(), rows.last().copied());
        rows.push(arena.derived(move |r| {
            its.add();
            let read = || *r.get(after.unwrap_or_else(|| next.get()));
            if at == ROWS / 2 {
                caught(read).unwrap_or(0)
            } else {
                read() + 1
            }
        }));
    }
    first.set(rows[99]);
    for row in rows {
        let _hold = caught(|| arena.hold(row));
    }
    runs.take();
    for _ in 0..5 {
        let _ended = caught(|| arena.turn(|_| {}));
        assert!(runs.take() <= 3 * ROWS);
    }
    arena.check();
}

#[test]
fn who_reads_a_row_of_a_ring_later_in_the_turn_is_told_of_the_cycle() {
    let mut ring = ring(3, true, Held::Family);
    let told: Seen<String> = Seen::default();
    let (its, rows) = (Arc::clone(&told), ring.rows);
    let other = ring.arena.source(0);
    ring.arena.react(move |r, _| {
        r.get(other);
        for key in 0..3 {
            its.lock().unwrap().push(panic_of(|| *r.get(rows.at(key))));
        }
    });
    take(&told);
    ring.runs.take();

    let _ended = caught(|| ring.arena.turn(|w| w.set(other, 1)));

    let told = take(&told);
    assert_eq!(told.len(), 3);
    for text in told {
        assert_eq!(
            text,
            "dependency cycle: ring[0] → ring[1] → ring[2] → ring[0]"
        );
    }
    assert_eq!(ring.runs.take(), 3);
}

#[test]
fn a_row_that_caught_a_cycle_runs_again_when_the_cycle_is_gone() {
    let mut arena = Arena::new();
    let closed = arena.source(true);
    let late = Late::<Derived<i32>>::new();
    let other = late.clone();
    let catches = arena.derived(move |r| caught(|| *r.get(other.get())).unwrap_or(0));
    let five = arena.derived(move |r| {
        if *r.get(closed) {
            r.get(catches);
        }
        5
    });
    late.set(five);
    for _ in 0..2 {
        // The one that is asked first is on the stack when the other one needs it.
        assert_eq!(*arena.read(five), 5);
        arena.turn(|w| w.set(closed, false));

        assert_eq!(*arena.read(catches), 5);

        arena.turn(|w| w.set(closed, true));
    }
    let _holds = [arena.hold(five), arena.hold(catches)];
    arena.turn(|w| w.set(closed, false));
    assert_eq!(arena.settled(catches), Some(&5));
    arena.check();
}

#[test]
fn a_held_chain_that_is_too_deep_runs_each_row_twice_at_most_and_is_settled_at_last() {
    const ROWS: u32 = 1_000;
    let mut arena = Arena::new();
    arena.set_depth_max(100);
    let runs = Count::default();
    let space = arena.key_space::<u32>();
    let late = Late::<DerivedFamily<u32, u32>>::new();
    let (own, its) = (late.clone(), runs.clone());
    let chain = arena.derived_family(space, move |r, &key| {
        its.add();
        if key + 1 < ROWS {
            r.get(own.get().at(key + 1)) + 1
        } else {
            0
        }
    });
    late.set(chain);
    arena.turn(|w| {
        for key in 0..ROWS {
            w.insert_key(space, key);
        }
    });
    let _hold = caught(|| arena.hold(chain));
    // Once as it fails, and once as the row that it needs is well.
    assert!(runs.take() <= 2 * ROWS);
    assert_eq!(arena.settled(chain.at(0)), Some(&(ROWS - 1)));
    arena.check();
}
