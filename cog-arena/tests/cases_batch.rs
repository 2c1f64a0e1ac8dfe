//! Catalogue A.6, B01 to B16: a turn is atomic. What is staged, what is seen inside, and what a
//! turn without net change does.

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
use cog_arena::Arena;

#[test]
fn case_b01_only_the_last_value_of_a_turn_is_seen() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (log, _) = follow(&mut arena, move |r| *r.get(s));

    arena.turn(|w| {
        for value in [1, 2, 3] {
            w.set(s, value);
        }
    });

    assert_eq!(log.entries(), [0, 3]);
}

#[test]
fn case_b02_nested_turns_settle_at_the_end_of_the_outermost() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (log, _) = follow(&mut arena, move |r| *r.get(s));

    arena.turn(|w| {
        w.set(s, 1);
        w.turn(|w| w.set(s, 2));
        w.turn(|w| w.turn(|w| w.set(s, 3)));
        assert_eq!(log.entries(), [0]);
    });

    assert_eq!(log.entries(), [0, 3]);
}

// The catalogue wants both fresh. Here (P4, P5) a writer sees the sources that it staged, and
// derived values as they were committed.
#[test]
fn case_b03_a_writer_sees_staged_sources_and_committed_derived_values() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let double = arena.derived(tally.count("double", move |r| r.get(s) * 2));
    assert_eq!(*arena.read(double), 2);

    arena.turn(|w| {
        for value in [5, 6] {
            w.set(s, value);
            assert_eq!(*w.get(s), value);
            assert_eq!(*w.read(s), 1);
            assert_eq!(*w.read(double), 2);
        }
    });

    assert_eq!(*arena.read(double), 12);
    assert_eq!(tally.of(["double"]), [2]);
}

#[test]
fn case_b04_a_turn_without_net_change_runs_nothing() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let double = arena.derived(tally.count("double", move |r| r.get(s) * 2));
    let (direct, _) = follow(&mut arena, move |r| *r.get(s));
    let (derived, _) = follow(&mut arena, move |r| *r.get(double));

    for _ in 0..3 {
        arena.turn(|w| {
            w.set(s, 9);
            w.set(s, 1);
        });
    }

    assert_eq!((direct.entries(), derived.entries()), (vec![1], vec![2]));
    assert_eq!(tally.of(["double"]), [1]);
}

#[test]
fn case_b06_a_source_that_nets_out_does_not_hide_another() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (a, b) = (arena.source(0), arena.source(1));
    let x = arena.derived(tally.count("x", move |r| r.get(a) * 2));
    let y = arena.derived(move |r| r.get(x) + r.get(b));
    let (log, _) = follow(&mut arena, move |r| *r.get(y));

    arena.turn(|w| {
        w.set(a, 5);
        w.set(a, 0);
        w.set(b, 20);
    });

    assert_eq!(log.entries(), [1, 20]);
    assert_eq!(tally.of(["x"]), [1]);
}

// The catalogue keeps the write and runs the effect with it. Here (P19) nothing staged survives.
#[test]
fn case_b07_a_turn_whose_body_panics_leaves_everything_as_it_was() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (log, _) = follow(&mut arena, move |r| *r.get(s));

    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(s, 1);
            panic!("half way");
        });
    });
    assert_eq!(text, "half way");
    assert_eq!(*arena.read(s), 0);
    assert_eq!(log.entries(), [0]);

    set(&mut arena, s, 2);
    assert_eq!(log.entries(), [0, 2]);
}

#[test]
fn case_b08_a_reaction_that_ends_inside_the_turn_stays_quiet() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (log, reaction) = follow(&mut arena, move |r| *r.get(s));

    arena.begin();
    arena.writer().set(s, 1);
    assert!(arena.end(reaction));
    arena.writer().set(s, 2);
    arena.settle();
    arena.publish();
    arena.run_reactions();
    arena.release();

    assert_eq!(log.entries(), [0]);
    assert_eq!(*arena.read(s), 2);
    assert_eq!(arena.consumer_count(s), 0);
}

// The catalogue registers it in the turn's body, and runs it at once. Here (P6) nothing can be
// registered while a turn is open, save by a reaction of its flush: that runs at the tail, once,
// and sees what the turn committed.
#[test]
fn case_b09_a_reaction_that_comes_with_a_turn_runs_once_and_sees_it() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        if *r.get(s) == 42 {
            let seen = seen.clone();
            later.react(move |r, _| seen.push(*r.get(s)));
        }
    });

    set(&mut arena, s, 42);
    assert_eq!(log.entries(), [42]);

    set(&mut arena, s, 43);
    assert_eq!(log.entries(), [42, 43]);
}

#[test]
fn case_b09_a_reaction_cannot_be_registered_in_an_open_turn() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    arena.begin();
    arena.writer().set(s, 42);

    let text = panic_of(|| arena.react(|_, _| {}));

    assert!(text.contains("Writing"), "{text}");
    arena.settle();
    arena.publish();
    arena.run_reactions();
    arena.release();
    assert_eq!(*arena.read(s), 42, "the open turn goes on unharmed");
    assert_eq!(follow(&mut arena, move |r| *r.get(s)).0.entries(), [42]);
}

// The catalogue reads 2 inside the turn; here a derived value is the committed one there (P5). What
// the case is about holds: the arm that was read inside doesn't fall behind the other.
#[test]
fn case_b10_an_arm_that_is_read_inside_the_turn_stays_in_step() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let double = arena.derived(move |r| r.get(s) * 2);
    let triple = arena.derived(move |r| r.get(s) * 3);
    let (log, _) = follow(&mut arena, move |r| [*r.get(double), *r.get(triple)]);

    arena.turn(|w| {
        w.set(s, 1);
        assert_eq!(*w.read(double), 0);
    });

    assert_eq!(log.entries(), [[0, 0], [2, 3]]);
}

#[test]
fn case_b11_reading_a_sibling_inside_the_turn_runs_no_reaction_early() {
    let mut arena = Arena::new();
    let (s, t) = (arena.source(0), arena.source(0));
    let sibling = arena.derived(move |r| r.get(t) + 1);
    let (log, _) = follow(&mut arena, move |r| *r.get(s));

    arena.turn(|w| {
        w.set(s, 1);
        assert_eq!(*w.read(sibling), 1);
        assert_eq!(log.entries(), [0]);
    });

    assert_eq!(log.entries(), [0, 1]);
}

// The catalogue pulls the new value of the second row. Here the pull gives the committed one, and
// runs nothing; after the turn every row has run exactly once more all the same.
#[test]
fn case_b12_a_pull_in_the_middle_of_a_turn_costs_no_run() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let names = ["one", "two", "three", "four"];
    let mut chain = Vec::new();
    for name in names {
        let below = chain.last().copied();
        chain.push(arena.derived(tally.count(name, move |r| {
            1 + below.map_or_else(|| *r.get(s), |cog| *r.get(cog))
        })));
    }
    let (second, last) = (chain[1], chain[3]);
    let (log, _) = follow(&mut arena, move |r| *r.get(last));

    arena.turn(|w| {
        w.set(s, 10);
        assert_eq!(*w.read(second), 2);
        assert_eq!(tally.of(names), [1; 4]);
    });

    assert_eq!(log.entries(), [4, 14]);
    assert_eq!(tally.of(names), [2; 4]);
}

#[test]
fn case_b12_a_first_pull_in_a_turn_computes_the_committed_value_and_then_the_new_one() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let double = arena.derived(tally.count("double", move |r| r.get(s) * 2));

    arena.turn(|w| {
        w.set(s, 10);
        assert_eq!(*w.read(double), 2);
    });

    assert_eq!(*arena.read(double), 20);
    assert_eq!(tally.of(["double"]), [2]);
}

#[test]
fn case_b13_single_writes_and_a_nested_turn_give_one_run_each() {
    let mut arena = Arena::new();
    let (a, b) = (arena.source(0), arena.source(0));
    let (log, _) = follow(&mut arena, move |r| (*r.get(a), *r.get(b)));

    set(&mut arena, a, 1);
    set(&mut arena, b, 1);
    arena.turn(|w| {
        w.set(a, 2);
        w.turn(|w| {
            w.set(b, 2);
            w.set(a, 3);
        });
        w.set(b, 3);
    });

    assert_eq!(log.entries(), [(0, 0), (1, 0), (1, 1), (3, 3)]);
}

#[test]
fn case_b14_a_turn_gives_what_its_body_returns() {
    let mut arena = Arena::new();
    let s = arena.source(20);

    let answer = arena.turn(|w| {
        w.set(s, 21);
        w.turn(|w| *w.get(s)) * 2
    });

    assert_eq!(answer, 42);
}

#[test]
fn case_b15_a_turn_asked_for_by_a_reaction_that_only_peeks_is_still_one_turn() {
    let mut arena = Arena::new();
    let (trigger, a, b) = (arena.source(false), arena.source(1), arena.source(1));
    let (log, _) = follow(&mut arena, move |r| (*r.get(a), *r.get(b)));
    arena.react(move |r, later| {
        if *r.get(trigger) {
            let next = r.peek(a) + r.peek(b);
            later.turn(move |w| {
                w.set(a, next);
                w.set(b, next);
            });
        }
    });

    set(&mut arena, trigger, true);

    assert_eq!(log.entries(), [(1, 1), (2, 2)]);
}

#[test]
fn case_b16_the_writes_of_a_turn_asked_for_by_a_reaction_arrive_together() {
    let mut arena = Arena::new();
    let (trigger, a, b) = (arena.source(0), arena.source(10), arena.source(10));
    arena.react(move |r, later| {
        let by = *r.get(trigger);
        later.turn(move |w| {
            w.set(a, 10 + by);
            w.set(b, 10 + by);
        });
    });
    let sum = arena.derived(move |r| r.get(a) + r.get(b));
    let (log, _) = follow(&mut arena, move |r| *r.get(sum));

    set(&mut arena, trigger, 1);

    assert_eq!(log.entries(), [20, 22]);
}
