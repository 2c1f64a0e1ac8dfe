//! Field reports, rows 63 to 77, and 17 once more: faults that users of other libraries met, played
//! here with the right outcome. The name of a test starts with its row.

mod cases_common {
    pub(crate) mod knot;
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cases_common::knot::Knot;
use cases_common::log::{Log, follow};
use cases_common::panics::panic_of;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, Derived, Source, Step};

/// Three rows of which two may form a cycle: `a` and `b` in way 1, `b` and `c` in way 2, none in
/// way 0.
fn three_rows(arena: &mut Arena, way: Source<i32>, base: Source<i32>) -> [Derived<i32>; 3] {
    let (b_knot, c_knot) = (Knot::<Derived<i32>>::new(), Knot::<Derived<i32>>::new());
    let (b_later, c_later) = (b_knot.clone(), c_knot.clone());
    let a = arena.derived(move |r| {
        if *r.get(way) == 1 {
            r.get(b_later.handle()) + 1
        } else {
            *r.get(base)
        }
    });
    let b = arena.derived(move |r| {
        if *r.get(way) == 2 {
            r.get(c_later.handle()) + 1
        } else {
            r.get(a) + 10
        }
    });
    let c = arena.derived(move |r| r.get(b) + 100);
    b_knot.tie(b);
    c_knot.tie(c);
    [a, b, c]
}

#[test]
fn report_63_rows_that_leave_a_cycle_are_as_if_made_from_scratch() {
    let mut arena = Arena::new();
    let (way, base) = (arena.source(1), arena.source(1));
    let rows = three_rows(&mut arena, way, base);

    for (next, value) in [
        (1, 1),
        (2, 2),
        (1, 3),
        (0, 4),
        (2, 5),
        (0, 6),
        (0, 7),
        (1, 8),
        (0, 9),
    ] {
        arena.turn(|w| {
            w.set(way, next);
            w.set(base, value);
        });
        let mut fresh = Arena::new();
        let (fresh_way, fresh_base) = (fresh.source(next), fresh.source(value));
        let fresh_rows = three_rows(&mut fresh, fresh_way, fresh_base);
        for (row, fresh_row) in rows.into_iter().zip(fresh_rows) {
            let (old, new) = (
                arena.try_read(row).ok().copied(),
                fresh.try_read(fresh_row).ok().copied(),
            );
            assert_eq!(old, new, "way {next}, base {value}");
        }
    }
}

#[test]
fn report_64_a_reaction_that_comes_with_a_switch_to_a_deep_branch_sees_each_value_once() {
    let mut arena = Arena::new();
    let (short, s) = (arena.source(true), arena.source(0));
    let mut deep = arena.derived(move |r| *r.get(s));
    for _ in 0..200 {
        let below = deep;
        deep = arena.derived(move |r| r.get(below) + 1);
    }
    let selected = arena.derived(move |r| {
        if *r.get(short) {
            *r.get(s)
        } else {
            *r.get(deep)
        }
    });
    assert_eq!(*arena.read(selected), 0);

    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        if !*r.get(short) {
            let seen = seen.clone();
            later.react(move |r, _| seen.push(*r.get(selected)));
        }
    });
    set(&mut arena, short, false);
    set(&mut arena, s, 1);

    assert_eq!(log.entries(), [200, 201]);
}

#[test]
fn report_67_every_one_of_three_derived_families_follows_its_item() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let item = arena.source_family(space, |_| false);
    let families =
        [(); 3].map(|()| arena.derived_family(space, move |r, key| *r.get(item.at(*key))));
    for key in [1, 2] {
        assert_eq!(
            families.map(|family| *arena.read(family.at(key))),
            [false; 3]
        );
    }

    arena.turn(|w| w.set(item.at(2), true));

    assert_eq!(families.map(|family| *arena.read(family.at(1))), [false; 3]);
    assert_eq!(families.map(|family| *arena.read(family.at(2))), [true; 3]);
}

#[test]
fn report_68_a_selection_that_a_reaction_mends_settles_after_each_switch() {
    let mut arena = Arena::new();
    let (list, selected) = (arena.source(vec![1, 2]), arena.source(1));
    let valid = arena.derived(move |r| {
        let selected = *r.get(selected);
        r.get(list).contains(&selected).then_some(selected)
    });
    arena.react(move |r, later| {
        if r.get(valid).is_none() {
            let first = r.peek(list)[0];
            later.turn(move |w| w.set(selected, first));
        }
    });
    let (log, _) = follow(&mut arena, move |r| *r.get(valid));

    for next in [vec![3, 4], vec![1, 2], vec![3, 4]] {
        let first = next[0];
        set(&mut arena, list, next);
        assert_eq!(*arena.read(valid), Some(first));
    }

    assert_eq!(
        log.entries(),
        [Some(1), None, Some(3), None, Some(1), None, Some(3)]
    );
}

#[test]
fn report_69_a_value_that_was_gone_for_a_moment_did_not_change() {
    let mut arena = Arena::new();
    let s = arena.source(Some(1));
    let space = arena.key_space::<u32>();
    let family = arena.member_family::<u32, i32>(space);
    arena.turn(|w| w.set(family.at(1), 1));
    let (log, _) = follow(&mut arena, move |r| {
        (*r.get(s), r.lookup(family.at(1)).copied())
    });

    arena.turn(|w| {
        w.set(s, None);
        w.remove(family.at(1));
        w.set(s, Some(1));
        w.set(family.at(1), 1);
    });

    assert_eq!(log.entries(), [(Some(1), Some(1))]);
}

// A reaction's write is a later turn, so it sees it (P10); with a value that is never equal that
// would go on for ever, and the limit on turns ends it.
#[test]
fn report_70_a_reaction_that_writes_back_a_value_without_equality_ends_at_the_limit() {
    let mut arena = Arena::new();
    arena.set_turns_max(100);
    let s = arena.cog().always_changes().source(1);
    let on = arena.source(false);
    let (peer, _) = follow(&mut arena, move |r| *r.get(s));
    arena.react(move |r, later| {
        let value = *r.get(s);
        if *r.get(on) {
            later.turn(move |w| w.set(s, value));
        }
    });

    set(&mut arena, s, 1);
    assert_eq!(peer.entries(), [1, 1], "a peer hears of each write once");
    assert!(arena.try_turn(|w| w.set(on, true)).is_err());
    assert!(peer.entries().len() <= 102);

    set(&mut arena, on, false);
    let heard = peer.entries().len();
    set(&mut arena, s, 1);
    assert_eq!(peer.entries().len(), heard + 1);
}

#[test]
fn report_72_a_million_runs_of_one_reaction_use_the_same_stack() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (lowest, highest) = (
        Arc::new(AtomicUsize::new(usize::MAX)),
        Arc::new(AtomicUsize::new(0)),
    );
    let (low, high) = (Arc::clone(&lowest), Arc::clone(&highest));
    arena.react(move |r, _| {
        let here = *r.get(s);
        // The address of a local shows how deep the stack is.
        let address = std::ptr::from_ref(std::hint::black_box(&here)).addr();
        if here > 0 {
            low.fetch_min(address, Ordering::Relaxed);
            high.fetch_max(address, Ordering::Relaxed);
        }
    });

    for value in 1..=1_000_000 {
        arena.turn(|w| w.set(s, value));
    }

    assert_eq!(
        lowest.load(Ordering::Relaxed),
        highest.load(Ordering::Relaxed)
    );
}

// In a derived value: the read fails, and each later read runs again. In a reaction: the turn
// raises it after the other reactions have run.
#[test]
fn report_73_a_panic_is_raised_where_the_failing_function_was_asked_for() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let d = arena.derived(tally.count("d", move |r| {
        assert!(*r.get(s) != 1, "derived");
        *r.get(s)
    }));
    assert_eq!(*arena.read(d), 0);
    set(&mut arena, s, 1);
    assert_eq!(tally.of(["d"]), [1], "nobody asked, so nothing failed");
    assert_eq!(panic_of(|| *arena.read(d)), "derived");
    set(&mut arena, s, 0);

    arena.react(move |r, _| assert!(*r.get(s) != 2, "reaction"));
    let (log, _) = follow(&mut arena, move |r| *r.get(d));
    assert_eq!(panic_of(|| arena.turn(|w| w.set(s, 2))), "reaction");
    assert_eq!(log.entries(), [0, 2]);
    assert_eq!(*arena.read(d), 2);
}

// The report wants one more run; with writes as later turns it is two, one that writes and one
// that reads `a` again.
#[test]
fn report_74_a_reaction_that_wakes_itself_and_takes_another_branch_keeps_what_it_reads() {
    let mut arena = Arena::new();
    let (a, change) = (arena.source(0), arena.source(0));
    let log = Log::default();
    let seen = log.clone();
    let mut count = 0;
    arena.react(move |r, later| {
        let now = *r.get(change);
        if now == count {
            seen.push(None);
            later.turn(move |w| w.set(change, now + 1));
        } else {
            count = now;
            seen.push(Some(*r.get(a)));
        }
    });
    arena.turn(|_| {});
    assert_eq!(log.entries(), [None, Some(0)]);

    set(&mut arena, a, 1);
    assert_eq!(log.entries(), [None, Some(0), None, Some(1)]);
    set(&mut arena, a, 2);

    assert_eq!(log.entries(), [None, Some(0), None, Some(1), None, Some(2)]);
}

#[test]
fn report_75_a_read_outside_of_any_function_leaves_no_edge() {
    let mut arena = Arena::new();
    let s = arena.source(1);
    let d = arena.derived(move |r| *r.get(s));

    assert_eq!(
        (
            *arena.read(d),
            arena.lookup(d).copied(),
            arena.settled(d).copied()
        ),
        (1, Some(1), Some(1))
    );
    assert_eq!(arena.turn(|w| *w.read(d)), 1);

    assert_eq!(arena.consumer_count(d), 0);
}

#[test]
fn report_77_a_derived_value_that_nobody_observes_runs_only_when_it_is_read() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let d = arena.derived(tally.count("d", move |r| *r.get(s)));
    assert_eq!(*arena.read(d), 0);

    for value in 1..=100 {
        set(&mut arena, s, value);
    }
    assert_eq!(tally.of(["d"]), [1]);

    assert_eq!(*arena.read(d), 100);
    assert_eq!(tally.of(["d"]), [2]);
}

/// Panics when it is compared, or when it is dropped.
#[derive(Debug)]
struct Touchy {
    value: i32,
    trips: Option<&'static str>,
}

impl PartialEq for Touchy {
    fn eq(&self, other: &Self) -> bool {
        for side in [self, other] {
            assert!(side.trips != Some("in an equality"), "in an equality");
        }
        self.value == other.value
    }
}

impl Drop for Touchy {
    fn drop(&mut self) {
        let trips = self.trips == Some("in a drop") && !std::thread::panicking();
        assert!(!trips, "in a drop");
    }
}

// Row 17 once more, for the code of a value; the bodies of turns and functions are in `reports.rs`.
#[test]
fn report_17_a_panic_in_an_equality_or_a_drop_does_not_stop_the_next_turn() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let touchy = arena.derived(move |r| Touchy {
        value: *r.get(s),
        trips: match *r.get(s) {
            1 => Some("in an equality"),
            3 => Some("in a drop"),
            _ => None,
        },
    });
    let (log, _) = follow(&mut arena, move |r| r.get(touchy).value);
    let (beside, _) = follow(&mut arena, move |r| *r.get(s));

    assert_eq!(panic_of(|| arena.turn(|w| w.set(s, 1))), "in an equality");
    assert_eq!(arena.step(), Step::Idle);
    arena.turn(|w| w.set(s, 2));
    assert_eq!(log.entries(), [0, 2]);

    // The value that panics as it goes is replaced by the next.
    arena.turn(|w| w.set(s, 3));
    assert_eq!(panic_of(|| arena.turn(|w| w.set(s, 4))), "in a drop");
    assert_eq!(arena.step(), Step::Idle);
    arena.turn(|w| w.set(s, 5));

    assert_eq!(log.entries(), [0, 2, 3, 4, 5]);
    assert_eq!(beside.entries(), [0, 1, 2, 3, 4, 5]);
    assert_eq!((arena.read(touchy).value, arena.queued()), (5, 0));
}
