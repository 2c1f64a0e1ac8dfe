//! Cases of the catalogue again, with declared inputs: the same graphs, values and counts as the
//! tracked ones, by the other path.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod turns;
}

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cases_common::log::follow;
use cases_common::turns::set;
use cog_arena::Arena;

/// Counts the runs of one function.
#[derive(Clone, Default)]
struct Runs(Arc<AtomicU32>);

impl Runs {
    fn hit(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn count(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Three counters: those of the two arms and of the join.
fn counters() -> [Runs; 3] {
    [(); 3].map(|()| Runs::default())
}

fn counts(runs: &[Runs; 3]) -> [u32; 3] {
    [runs[0].count(), runs[1].count(), runs[2].count()]
}

#[test]
fn case_p01_a_declared_diamond_joins_once() {
    let (mut arena, runs) = (Arena::new(), counters());
    let s = arena.source(3);
    let [l, r, j] = runs.clone();
    let left = arena.derived_from(s.shared(), move |s: &i32| {
        l.hit();
        s * 10
    });
    let right = arena.derived_from(s.shared(), move |s: &i32| {
        r.hit();
        s + 1
    });
    let join = arena.derived_from(
        (left.shared(), right.shared()),
        move |(l, r): (&i32, &i32)| {
            j.hit();
            l + r
        },
    );
    assert_eq!(*arena.read(join), 34);

    set(&mut arena, s, 5);

    assert_eq!(*arena.read(join), 56);
    assert_eq!(counts(&runs), [2, 2, 2]);
}

#[test]
fn case_p07_a_declared_join_of_constant_arms_does_not_run() {
    let (mut arena, runs) = (Arena::new(), counters());
    let s = arena.source(4);
    let [l, r, j] = runs.clone();
    let one = arena.derived_from(s.shared(), move |_: &i32| {
        l.hit();
        7
    });
    let two = arena.derived_from(s.shared(), move |_: &i32| {
        r.hit();
        8
    });
    let join = arena.derived_from((one.shared(), two.shared()), move |(l, r): (&i32, &i32)| {
        j.hit();
        l + r
    });
    let (log, _) = follow(&mut arena, move |r| *r.get(join));

    set(&mut arena, s, 9);

    assert_eq!(log.entries(), [15]);
    assert_eq!(counts(&runs), [2, 2, 1]);
}

#[test]
fn case_p16_a_long_and_a_short_declared_path_meet_once() {
    let (mut arena, runs) = (Arena::new(), Runs::default());
    let s = arena.source(0);
    let a = arena.derived_from(s.shared(), |s: &i32| *s);
    let b = arena.derived_from(a.shared(), |a: &i32| *a);
    let t = {
        let runs = runs.clone();
        arena.derived_from((s.shared(), b.shared()), move |(s, b): (&i32, &i32)| {
            runs.hit();
            (*s, *b)
        })
    };
    let (log, _) = follow(&mut arena, move |r| *r.get(t));

    set(&mut arena, s, 3);

    assert_eq!(log.entries(), [(0, 0), (3, 3)]);
    assert_eq!(runs.count(), 2);
}

#[test]
fn case_q03_a_declared_boolean_gate_stops_the_wave() {
    let (mut arena, runs) = (Arena::new(), counters());
    let s = arena.source(0);
    let [one, two, three] = runs.clone();
    let gate = arena.derived_from(s.shared(), move |s: &i32| {
        one.hit();
        *s > 0
    });
    let number = arena.derived_from(gate.shared(), move |gate: &bool| {
        two.hit();
        i32::from(*gate)
    });
    let end = arena.derived_from(number.shared(), move |number: &i32| {
        three.hit();
        *number
    });

    for (value, expected) in [(0, 0), (3, 1), (4, 1)] {
        set(&mut arena, s, value);
        assert_eq!(*arena.read(end), expected);
    }

    assert_eq!(counts(&runs), [3, 2, 2]);
}

#[test]
fn case_q06_opposite_changes_leave_a_declared_sum_equal() {
    let (mut arena, runs) = (Arena::new(), Runs::default());
    let (a, b) = (arena.source(1), arena.source(2));
    let sum = {
        let runs = runs.clone();
        arena.derived_from((a.shared(), b.shared()), move |(a, b): (&i32, &i32)| {
            runs.hit();
            a + b
        })
    };
    let (log, _) = follow(&mut arena, move |r| *r.get(sum));

    arena.turn(|w| {
        w.set(a, 2);
        w.set(b, 1);
    });

    assert_eq!(log.entries(), [3]);
    assert_eq!(runs.count(), 2);
}

#[test]
fn case_q20_a_partial_value_that_is_none_was_computed_all_the_same() {
    let (mut arena, runs) = (Arena::new(), Runs::default());
    let s = arena.source(0);
    let c = {
        let runs = runs.clone();
        arena.partial_from(s.shared(), move |s: &i32| {
            runs.hit();
            (*s > 0).then_some(*s)
        })
    };
    assert_eq!(
        (arena.lookup(c).copied(), arena.lookup(c).copied()),
        (None, None)
    );
    assert_eq!(runs.count(), 1);

    set(&mut arena, s, 1);
    assert_eq!(arena.lookup(c), Some(&1));
    set(&mut arena, s, 0);
    assert_eq!(arena.lookup(c), None);

    assert_eq!(runs.count(), 3);
}

#[test]
fn case_b04_a_turn_without_net_change_runs_no_declared_row() {
    let (mut arena, runs) = (Arena::new(), Runs::default());
    let s = arena.source(1);
    let double = {
        let runs = runs.clone();
        arena.derived_from(s.shared(), move |s: &i32| {
            runs.hit();
            s * 2
        })
    };
    let (log, _) = follow(&mut arena, move |r| *r.get(double));

    for _ in 0..3 {
        arena.turn(|w| {
            w.set(s, 9);
            w.set(s, 1);
        });
    }

    assert_eq!(log.entries(), [2]);
    assert_eq!(runs.count(), 1);
}

#[test]
fn case_p28_a_row_of_an_aligned_diamond_runs_alone() {
    let (mut arena, runs) = (Arena::new(), counters());
    let [l, r, j] = runs.clone();
    let space = arena.key_space::<u32>();
    let s = arena.source_family(space, |_| 0);
    let left = arena.derived_family_from(space, s.aligned(), move |s: &i32| {
        l.hit();
        s + 1
    });
    let right = arena.derived_family_from(space, s.aligned(), move |s: &i32| {
        r.hit();
        s + 2
    });
    let join = arena.derived_family_from(
        space,
        (left.aligned(), right.aligned()),
        move |(l, r): (&i32, &i32)| {
            j.hit();
            l + r
        },
    );
    let hold = arena.hold(join);
    arena.turn(|w| {
        for key in 0..100 {
            w.set(s.at(key), 0);
        }
    });
    assert_eq!(counts(&runs), [100; 3]);

    arena.turn(|w| w.set(s.at(42), 1));

    assert_eq!(*arena.read(join.at(42)), 5);
    assert_eq!(*arena.read(join.at(41)), 3);
    assert_eq!(counts(&runs), [101; 3]);
    arena.let_go(hold);
}
