//! Catalogue A.2, P01 to P17: what a change reaches, in tracked graphs, and how often each row
//! runs. Nobody sees a value that was computed from a mixture of old and new ones.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use cases_common::log::{Log, follow};
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, Derived};

#[test]
fn case_p01_a_diamond_joins_once() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(3);
    let left = arena.derived(tally.count("left", move |r| r.get(s) * 10));
    let right = arena.derived(tally.count("right", move |r| r.get(s) + 1));
    let join = arena.derived(tally.count("join", move |r| r.get(left) + r.get(right)));
    assert_eq!(*arena.read(join), 34);

    set(&mut arena, s, 5);

    assert_eq!(*arena.read(join), 56);
    assert_eq!(tally.of(["left", "right", "join"]), [2, 2, 2]);
}

#[test]
fn case_p02_a_diamond_with_a_tail_runs_the_tail_once_a_change() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(3);
    let left = arena.derived(move |r| r.get(s) * 10);
    let right = arena.derived(move |r| r.get(s) + 1);
    let join = arena.derived(tally.count("join", move |r| r.get(left) + r.get(right)));
    let tail = arena.derived(tally.count("tail", move |r| -r.get(join)));
    assert_eq!(*arena.read(tail), -34);

    set(&mut arena, s, 4);

    assert_eq!(*arena.read(tail), -45);
    assert_eq!(tally.of(["join", "tail"]), [2, 2]);
}

#[test]
fn case_p03_a_jagged_diamond_with_two_tails_runs_every_row_twice() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let a = arena.derived(tally.count("a", move |r| *r.get(s)));
    let b = arena.derived(tally.count("b", move |r| r.get(s) * 2));
    let c = arena.derived(tally.count("c", move |r| r.get(b) + 1));
    let join = arena.derived(tally.count("join", move |r| r.get(a) + r.get(c)));
    let x = arena.derived(tally.count("x", move |r| r.get(join) * 10));
    let y = arena.derived(tally.count("y", move |r| r.get(join) * 100));
    assert_eq!((*arena.read(x), *arena.read(y)), (40, 400));

    set(&mut arena, s, 2);

    assert_eq!(
        (*arena.read(x), *arena.read(y), *arena.read(join)),
        (70, 700, 7)
    );
    assert_eq!(tally.of(["a", "b", "c", "join", "x", "y"]), [2; 6]);
}

#[test]
fn case_p04_a_source_may_feed_an_arm_and_the_join() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(2);
    let a = arena.derived(move |r| r.get(s) - 1);
    let b = arena.derived(tally.count("b", move |r| r.get(s) + r.get(a)));
    let d = arena.derived(tally.count("d", move |r| format!("v{}", r.get(b))));
    assert_eq!(arena.read(d), "v3");

    set(&mut arena, s, 6);

    assert_eq!(arena.read(d), "v11");
    assert_eq!(tally.of(["b", "d"]), [2, 2]);
}

#[test]
fn case_p05_every_level_of_a_fibonacci_ladder_runs_once_a_change() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let names = ["n0", "n1", "n2", "n3", "n4", "n5"];
    let s = arena.source(0);
    let mut older = arena.derived(tally.count(names[0], move |r| *r.get(s)));
    let mut newer = arena.derived({
        let n0 = older;
        tally.count(names[1], move |r| r.get(n0) + r.get(s))
    });
    for name in &names[2..] {
        let (one, two) = (newer, older);
        let next = arena.derived(tally.count(name, move |r| r.get(one) + r.get(two)));
        (older, newer) = (newer, next);
    }
    assert_eq!(*arena.read(newer), 0);

    set(&mut arena, s, 1);

    assert_eq!(*arena.read(newer), 13);
    assert_eq!(tally.of(names), [2; 6]);
}

#[test]
fn case_p06_a_constant_arm_does_not_hide_the_other() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(4);
    let constant = arena.derived(tally.count("constant", move |r| {
        r.get(s);
        7
    }));
    let moving = arena.derived(tally.count("moving", move |r| r.get(s) + 1));
    let join = arena.derived(tally.count("join", move |r| r.get(moving) + r.get(constant)));
    assert_eq!(*arena.read(join), 12);

    set(&mut arena, s, 9);

    assert_eq!(*arena.read(join), 17);
    assert_eq!(tally.of(["constant", "moving", "join"]), [2, 2, 2]);
}

#[test]
fn case_p07_a_join_of_two_constant_arms_does_not_run() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(4);
    let [one, two] = [("one", 7), ("two", 8)].map(|(name, value)| {
        arena.derived(tally.count(name, move |r| {
            r.get(s);
            value
        }))
    });
    let join = arena.derived(tally.count("join", move |r| r.get(one) + r.get(two)));
    assert_eq!(*arena.read(join), 15);

    set(&mut arena, s, 9);

    assert_eq!(*arena.read(join), 15);
    assert_eq!(tally.of(["one", "two", "join"]), [2, 2, 1]);
}

#[test]
fn case_p08_a_changed_arm_is_seen_before_and_after_constant_ones() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(4);
    let [one, two] = [7, 8].map(|value| {
        arena.derived(move |r| {
            r.get(s);
            value
        })
    });
    let moving = arena.derived(move |r| *r.get(s));
    let first =
        arena.derived(tally.count("first", move |r| r.get(moving) + r.get(one) + r.get(two)));
    let last = arena.derived(tally.count("last", move |r| r.get(one) + r.get(two) + r.get(moving)));
    assert_eq!((*arena.read(first), *arena.read(last)), (19, 19));

    set(&mut arena, s, 5);

    assert_eq!((*arena.read(first), *arena.read(last)), (20, 20));
    assert_eq!(tally.of(["first", "last"]), [2, 2]);
}

#[test]
fn case_p09_a_cross_diamond_takes_two_writes_in_one_run() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (a, b) = (arena.source(2), arena.source(5));
    let sum = arena.derived(tally.count("sum", move |r| r.get(a) + r.get(b)));
    let product = arena.derived(tally.count("product", move |r| r.get(a) * r.get(b)));
    let join = arena.derived(tally.count("join", move |r| r.get(sum) - r.get(product)));
    assert_eq!(*arena.read(join), -3);

    set(&mut arena, a, 3);
    set(&mut arena, b, 7);

    assert_eq!(*arena.read(join), -11);
    assert_eq!(tally.of(["sum", "product", "join"]), [2, 2, 2]);
}

#[test]
fn case_p10_three_stacked_diamonds_run_each_row_once_a_change() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let names = [["l1", "r1", "j1"], ["l2", "r2", "j2"], ["l3", "r3", "j3"]];
    let mut top: Option<Derived<i32>> = None;
    for [left, right, join] in names {
        let below = top;
        let arm =
            move |r: &cog_arena::Reader<'_>| below.map_or_else(|| *r.get(s), |cog| *r.get(cog));
        let left = arena.derived(tally.count(left, arm));
        let right = arena.derived(tally.count(right, arm));
        top = Some(arena.derived(tally.count(join, move |r| r.get(left) + r.get(right))));
    }
    let top = top.expect("three layers were declared");
    assert_eq!(*arena.read(top), 8);

    set(&mut arena, s, 2);

    assert_eq!(*arena.read(top), 16);
    for layer in names {
        assert_eq!(tally.of(layer), [2; 3]);
    }
}

#[test]
fn case_p11_a_deep_arm_and_a_flat_one_join_once() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let one = arena.derived(move |r| r.get(s) + 1);
    let two = arena.derived(move |r| r.get(one) + 1);
    let deep = arena.derived(move |r| r.get(two) + 1);
    let flat = arena.derived(move |r| *r.get(s));
    let join = arena.derived(tally.count("join", move |r| r.get(deep) + r.get(flat)));
    assert_eq!(*arena.read(join), 5);

    set(&mut arena, s, 10);

    assert_eq!(*arena.read(join), 23);
    assert_eq!(tally.of(["join"]), [2]);
}

#[test]
fn case_p12_five_arms_meet_in_one_run() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let arms = [1, 2, 3, 4, 5].map(|k| arena.derived(move |r| r.get(s) * k));
    let join = arena.derived(tally.count("join", move |r| {
        arms.iter().map(|arm| r.get(*arm)).sum::<i32>()
    }));
    assert_eq!(*arena.read(join), 0);

    set(&mut arena, s, 2);

    assert_eq!(*arena.read(join), 30);
    assert_eq!(tally.of(["join"]), [2]);
}

#[test]
fn case_p13_a_mesh_of_three_by_three_converges_without_extra_runs() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let upper = ["f1", "f2", "f3"].map(|name| arena.derived(tally.count(name, move |r| *r.get(s))));
    let lower = ["g1", "g2", "g3"].map(|name| {
        arena.derived(tally.count(name, move |r| {
            upper.iter().map(|cog| r.get(*cog)).sum::<i32>()
        }))
    });
    let end = arena.derived(tally.count("h", move |r| {
        lower.iter().map(|cog| r.get(*cog)).sum::<i32>()
    }));
    assert_eq!(*arena.read(end), 0);

    set(&mut arena, s, 1);

    assert_eq!(*arena.read(end), 9);
    assert_eq!(tally.of(["f1", "f2", "f3", "g1", "g2", "g3", "h"]), [2; 7]);
}

#[test]
fn case_p14_each_arm_of_a_fan_runs_its_reaction_once_a_write() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let logs: Vec<Log<i32>> = (0..8)
        .map(|i| {
            let arm = arena.derived(move |r| r.get(s) + i);
            follow(&mut arena, move |r| *r.get(arm)).0
        })
        .collect();

    set(&mut arena, s, 10);
    set(&mut arena, s, 20);

    for (i, log) in (0..).zip(&logs) {
        assert_eq!(log.entries(), [i, 10 + i, 20 + i]);
    }
}

/// Declares a diamond whose functions log their ends.
fn diamond_that_logs_ends(
    arena: &mut Arena,
    s: cog_arena::Source<i32>,
) -> (Derived<i32>, Log<&'static str>) {
    let log = Log::default();
    let ends = |name: &'static str| {
        let log = log.clone();
        move |value: i32| {
            log.push(name);
            value
        }
    };
    let (b_ends, c_ends, d_ends) = (ends("b"), ends("c"), ends("d"));
    let b = arena.derived(move |r| b_ends(r.get(s) + 1));
    let c = arena.derived(move |r| c_ends(r.get(s) + 2));
    let d = arena.derived(move |r| d_ends(r.get(b) + r.get(c)));
    (d, log)
}

// Checking stops at the first dependency that changed. So after a write `d` starts when `b` is
// known to have changed, and asks for `c` while it runs: the order in which runs *end* is the
// order of the values, and that is what is promised.
#[test]
fn case_p15_inputs_are_ready_before_the_join() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (d, ends) = diamond_that_logs_ends(&mut arena, s);
    arena.read(d);
    assert_eq!(ends.entries(), ["b", "c", "d"]);

    set(&mut arena, s, 1);
    assert_eq!(*arena.read(d), 5);

    assert_eq!(ends.entries(), ["b", "c", "d", "b", "c", "d"]);
}

#[test]
fn case_p16_a_long_and_a_short_path_meet_without_a_mixture() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let a = arena.derived(move |r| *r.get(s));
    let b = arena.derived(move |r| *r.get(a));
    let seen = Log::default();
    let log = seen.clone();
    let t = arena.derived(tally.count("t", move |r| {
        let parts = (*r.get(s), *r.get(b));
        log.push(parts);
        parts.0 + parts.1
    }));
    assert_eq!(*arena.read(t), 0);

    set(&mut arena, s, 3);

    assert_eq!(*arena.read(t), 6);
    assert_eq!(tally.of(["t"]), [2]);
    assert_eq!(seen.entries(), [(0, 0), (3, 3)]);
}

#[test]
fn case_p17_any_row_of_a_stale_chain_is_fresh_in_any_order_of_reading() {
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let mut arena = Arena::new();
        let s = arena.source(0);
        let first = arena.derived(move |r| r.get(s) + 1);
        let second = arena.derived(move |r| r.get(first) + 1);
        let third = arena.derived(move |r| r.get(second) + 1);
        assert_eq!(*arena.read(third), 3);

        set(&mut arena, s, 20);

        for at in order {
            assert_eq!(
                *arena.read([first, second, third][at]),
                [21, 22, 23][at],
                "reading in order {order:?}"
            );
        }
    }
}
