//! Catalogue A.4, D01 to D10 and D20: dependencies are what the last run read, and they are checked
//! in the order of reading. What is guarded doesn't run while its guard is shut.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cases_common::log::follow;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, Source};

#[test]
fn case_d01_a_branch_follows_its_condition() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (c, a, b) = (arena.source(true), arena.source(1), arena.source(2));
    let m = arena.derived(tally.count("m", move |r| if *r.get(c) { *r.get(a) } else { *r.get(b) }));
    assert_eq!((*arena.read(m), tally.of(["m"])), (1, [1]));

    set(&mut arena, b, 20);
    assert_eq!((*arena.read(m), tally.of(["m"])), (1, [1]));
    set(&mut arena, a, 10);
    assert_eq!((*arena.read(m), tally.of(["m"])), (10, [2]));
    set(&mut arena, c, false);
    assert_eq!((*arena.read(m), tally.of(["m"])), (20, [3]));
    set(&mut arena, a, 11);
    assert_eq!((*arena.read(m), tally.of(["m"])), (20, [3]));
    set(&mut arena, b, 21);
    assert_eq!((*arena.read(m), tally.of(["m"])), (21, [4]));
}

#[test]
fn case_d02_a_new_dependency_is_fresh_before_it_is_used() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (c, a, b) = (arena.source(false), arena.source(1), arena.source(2));
    let x = arena.derived(tally.count("x", move |r| r.get(a) * 2));
    let m = arena.derived(move |r| if *r.get(c) { *r.get(x) } else { *r.get(b) });
    assert_eq!(*arena.read(m), 2);

    set(&mut arena, c, true);
    set(&mut arena, a, 4);

    assert_eq!(*arena.read(m), 8);
    assert_eq!(tally.of(["x"]), [1]);
}

#[test]
fn case_d03_a_branch_and_its_condition_may_share_a_source() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let b = arena.derived(tally.count("b", move |r| *r.get(s)));
    let c = arena.derived(tally.count(
        "c",
        move |r| if *r.get(s) > 0 { *r.get(s) } else { *r.get(b) },
    ));

    for (value, b_runs) in [(0, 1), (1, 1), (0, 2)] {
        set(&mut arena, s, value);
        assert_eq!(*arena.read(c), value);
        assert_eq!(tally.of(["b"]), [b_runs]);
    }

    assert_eq!(tally.of(["c"]), [3]);
}

#[test]
fn case_d04_a_shut_guard_keeps_what_it_guards_from_running() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(Some(1));
    let b = arena.derived(move |r| *r.get(s));
    let c = arena.derived(tally.count("c", move |r| {
        r.get(b).expect("only asked for while there is one")
    }));
    let d = arena.derived(move |r| if r.get(b).is_some() { *r.get(c) } else { 0 });
    let (log, _) = follow(&mut arena, move |r| *r.get(d));
    assert_eq!(*arena.read(d), 1);

    set(&mut arena, s, None);

    assert_eq!(*arena.read(d), 0);
    assert_eq!(log.entries(), [1, 0]);
    assert_eq!(tally.of(["c"]), [1]);
}

#[test]
fn case_d05_a_dropped_dependency_is_taken_again() {
    let mut arena = Arena::new();
    let (f, s) = (arena.source(true), arena.source(1));
    let (log, _) = follow(&mut arena, move |r| if *r.get(f) { *r.get(s) } else { 0 });
    assert_eq!(arena.consumer_count(s), 1);

    set(&mut arena, f, false);
    set(&mut arena, s, 9);
    assert_eq!(log.entries(), [1, 0]);
    assert_eq!(arena.consumer_count(s), 0);

    set(&mut arena, f, true);
    assert_eq!(log.entries(), [1, 0, 9]);
    assert_eq!(arena.consumer_count(s), 1);
}

#[test]
fn case_d06_a_turn_may_make_a_changed_input_irrelevant() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (a, b) = (arena.source(0), arena.source(0));
    let c = arena.derived(tally.count("c", move |r| *r.get(b)));
    let d = arena.derived(move |r| if *r.get(a) == 0 { *r.get(c) } else { -1 });
    let (log, _) = follow(&mut arena, move |r| *r.get(d));

    arena.turn(|w| {
        w.set(b, 1);
        w.set(a, 1);
    });

    assert_eq!(log.entries(), [0, -1]);
    assert_eq!(*arena.read(d), -1);
    assert_eq!(tally.of(["c"]), [1]);
}

// The second dependency is older as a consumer of `c` than the run that may drop it: what counts
// is the order of reading, not that of declaring.
#[test]
fn case_d07_dependencies_are_checked_in_the_order_of_reading() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (a, b, c) = (arena.source(1), arena.source(1), arena.source(1));
    let d = arena.derived(tally.count("d", move |r| *r.get(c)));
    let e = arena.derived(move |r| {
        if *r.get(a) > 0 {
            r.get(b) + r.get(d)
        } else {
            *r.get(b)
        }
    });
    let (log, _) = follow(&mut arena, move |r| *r.get(e));
    assert_eq!(tally.of(["d"]), [1]);

    for (value, d_runs) in [(2, 2), (-1, 2)] {
        arena.turn(|w| {
            for s in [c, b, a] {
                w.set(s, value);
            }
        });
        assert_eq!(tally.of(["d"]), [d_runs]);
    }

    assert_eq!(log.entries(), [2, 4, -1]);
}

#[test]
fn case_d08_a_dirty_input_that_is_no_longer_needed_does_not_run() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(2);
    let a = arena.derived(move |r| r.get(s) + 1);
    let b = arena.derived(tally.count("b", move |r| r.get(s) + 10));
    let l = arena.derived(move |r| {
        let a = *r.get(a);
        a + if a % 2 == 1 { *r.get(b) } else { 0 }
    });
    assert_eq!(*arena.read(l), 15);

    set(&mut arena, s, 3);

    assert_eq!(*arena.read(l), 4);
    assert_eq!(tally.of(["b"]), [1]);
}

#[test]
fn case_d09_a_dependency_that_is_gone_for_good_costs_nothing() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let done = AtomicBool::new(false);
    let c = arena.derived(tally.count("c", move |r| {
        if done.load(Ordering::Relaxed) {
            return 0;
        }
        let value = *r.get(s);
        done.store(value > 2, Ordering::Relaxed);
        value
    }));
    for (value, expected) in [(1, 1), (3, 3), (1, 0), (4, 0)] {
        set(&mut arena, s, value);
        assert_eq!(*arena.read(c), expected);
    }
    assert_eq!(tally.of(["c"]), [3]);
    assert_eq!(arena.consumer_count(s), 0);

    set(&mut arena, s, 5);

    assert_eq!(arena.counts().reached, 0);
    assert_eq!(arena.counts().run, 0);
}

/// How many of `sources` have a consumer, plus whether `window` has one: the edges of one reader.
fn edge_count(arena: &Arena, sources: &[Source<i32>], window: Source<(usize, usize)>) -> usize {
    sources
        .iter()
        .map(|s| arena.consumer_count(*s))
        .sum::<usize>()
        + arena.consumer_count(window)
}

#[test]
fn case_d10_a_window_of_sources_shrinks_and_slides() {
    for observed in [false, true] {
        let mut arena = Arena::new();
        let sources: Arc<[Source<i32>]> = (0..8).map(|i| arena.source(i)).collect();
        let window = arena.source((0, 8));
        let inside = Arc::clone(&sources);
        let text = arena.derived(move |r| {
            let (from, to) = *r.get(window);
            inside[from..to]
                .iter()
                .map(|s| r.get(*s).to_string())
                .collect::<String>()
        });
        let hold = observed.then(|| arena.hold(text));

        for (range, expected, edges) in [
            ((0, 8), "01234567", 9),
            ((0, 5), "01234", 6),
            ((3, 8), "34567", 6),
        ] {
            set(&mut arena, window, range);
            assert_eq!(arena.read(text), expected, "observed: {observed}");
            assert_eq!(
                edge_count(&arena, &sources, window),
                edges,
                "observed: {observed}"
            );
            for (i, s) in sources.iter().enumerate() {
                let inside = (range.0..range.1).contains(&i);
                assert_eq!(
                    arena.consumer_count(*s),
                    usize::from(inside),
                    "source {i}, observed: {observed}"
                );
            }
        }
        if let Some(hold) = hold {
            arena.let_go(hold);
        }
    }
}

#[test]
fn case_d20_a_list_of_sources_may_lie_in_a_source() {
    let mut arena = Arena::new();
    let nodes = [1, 2, 3, 4].map(|value| arena.source(value));
    let list = arena.source(nodes[..2].to_vec());
    let even = arena.derived(move |r| {
        r.get(list)
            .iter()
            .map(|node| *r.get(*node))
            .filter(|value| value % 2 == 0)
            .collect::<Vec<i32>>()
    });
    let (log, _) = follow(&mut arena, move |r| r.get(even).clone());

    set(&mut arena, nodes[0], 6);
    arena.turn(|w| w.update(list, |list| list.push(nodes[3])));
    set(&mut arena, nodes[3], 8);
    arena.turn(|w| {
        w.update(list, |list| {
            list.remove(0);
        });
    });
    set(&mut arena, nodes[0], 10);
    set(&mut arena, nodes[2], 12);

    let expected: [&[i32]; 5] = [&[2], &[6, 2], &[6, 2, 4], &[6, 2, 8], &[2, 8]];
    assert_eq!(log.entries(), expected);
    assert_eq!(arena.consumer_count(nodes[0]), 0);
}
