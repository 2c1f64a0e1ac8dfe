//! Catalogue A.7, A.8 and A.12, as far as they need no scope: reactions that end, watch, skip and
//! write back.

mod cases_common {
    pub(crate) mod knot;
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use cases_common::knot::Knot;
use cases_common::log::{Log, follow};
use cases_common::panics::panic_of;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::{Arena, First, Reaction};

#[test]
fn case_e08_the_neighbours_of_a_reaction_that_ended_go_on() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let [one, two, three] = [(); 3].map(|()| follow(&mut arena, move |r| *r.get(s)));
    assert!(arena.end(two.1));

    set(&mut arena, s, 1);

    assert_eq!(
        [one.0, two.0, three.0].map(|log| log.entries().len()),
        [2, 1, 2]
    );
}

#[test]
fn case_e09_a_reaction_registered_after_one_ended_is_a_new_one() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (old, reaction) = follow(&mut arena, move |r| *r.get(s));
    arena.end(reaction);
    let (new, _) = follow(&mut arena, move |r| *r.get(s));
    assert!(
        !arena.end(reaction),
        "the old handle does not name the new reaction"
    );

    set(&mut arena, s, 1);

    assert_eq!((old.entries(), new.entries()), (vec![0], vec![0, 1]));
}

#[test]
fn case_e27_a_watch_delivers_the_old_and_the_new_value() {
    let mut arena = Arena::new();
    let s = arena.source(-1);
    let d = arena.derived(move |r| r.get(s) * 10);
    let [skipping, running] = [(); 2].map(|()| Log::default());
    for (first, log) in [
        (First::Skip, skipping.clone()),
        (First::Run, running.clone()),
    ] {
        arena.watch(d, first, move |old: Option<&i32>, new: &i32, _| {
            log.push((old.copied(), *new));
        });
    }

    set(&mut arena, s, 1);
    set(&mut arena, s, 2);

    assert_eq!(skipping.entries(), [(Some(-10), 10), (Some(10), 20)]);
    assert_eq!(
        running.entries(),
        [(None, -10), (Some(-10), 10), (Some(10), 20)]
    );
}

#[test]
fn case_e32_ten_thousand_reactions_end_in_any_order() {
    for stride in [1, 9_999, 7_919] {
        let (mut arena, runs) = (Arena::new(), Tally::default());
        let s = arena.source(0);
        let reactions: Vec<_> = (0..10_000)
            .map(|_| {
                let runs = runs.clone();
                arena.react(move |r, _| {
                    r.get(s);
                    runs.hit("any");
                })
            })
            .collect();
        for step in 0..10_000 {
            assert!(
                arena.end(reactions[step * stride % 10_000]),
                "stride {stride}, step {step}"
            );
        }
        assert_eq!(arena.consumer_count(s), 0);
        set(&mut arena, s, 1);
        assert_eq!(runs.of(["any"]), [10_000], "each once, as it came");
    }
}

#[test]
fn case_e34_a_reaction_may_end_others_that_ran_already_or_not() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let knots: [Knot<Reaction>; 2] = [Knot::new(), Knot::new()];
    let (early, early_reaction) = follow(&mut arena, move |r| *r.get(s));
    let ends = knots.clone();
    arena.react(move |r, later| {
        if *r.get(s) == 1 {
            for knot in &ends {
                later.end(knot.handle());
            }
        }
    });
    let (late, late_reaction) = follow(&mut arena, move |r| *r.get(s));
    knots[0].tie(early_reaction);
    knots[1].tie(late_reaction);

    set(&mut arena, s, 1);
    set(&mut arena, s, 2);

    assert_eq!(early.entries(), [0, 1]);
    assert_eq!(late.entries(), [0]);
}

#[test]
fn case_e35_a_late_watch_starts_with_the_present_and_then_both_get_the_change() {
    let mut arena = Arena::new();
    let s = arena.source(13);
    let [early, late] = [(); 2].map(|()| Log::default());
    let (of_early, of_late) = (early.clone(), late.clone());
    arena.watch(s, First::Run, move |old: Option<&i32>, new: &i32, _| {
        of_early.push((old.copied(), *new));
    });
    set(&mut arena, s, 14);
    arena.watch(s, First::Run, move |old: Option<&i32>, new: &i32, _| {
        of_late.push((old.copied(), *new));
    });

    set(&mut arena, s, 15);

    assert_eq!(
        early.entries(),
        [(None, 13), (Some(13), 14), (Some(14), 15)]
    );
    assert_eq!(late.entries(), [(None, 14), (Some(14), 15)]);
}

#[test]
fn case_e36_a_watch_that_skips_first_runs_at_the_first_change() {
    let mut arena = Arena::new();
    let s = arena.source(1);
    let log = Log::default();
    let seen = log.clone();
    arena.watch(s, First::Skip, move |_: Option<&i32>, new: &i32, _| {
        seen.push(*new);
    });
    assert_eq!(log.entries(), []);

    set(&mut arena, s, 1);
    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [2]);
}

#[test]
fn case_e39_a_reaction_without_inputs_runs_once() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let (log, reaction) = follow(&mut arena, |_| 1);

    set(&mut arena, s, 1);

    assert_eq!(log.entries(), [1]);
    assert!(arena.end(reaction));
}

#[test]
fn case_e41_a_reaction_that_peeks_registers_one_that_follows() {
    let mut arena = Arena::new();
    let (outer_source, inner_source) = (arena.source(1), arena.source(10));
    let [outer, inner] = [(); 2].map(|()| Log::default());
    let (of_outer, of_inner) = (outer.clone(), inner.clone());
    arena.react(move |r, later| {
        of_outer.push(*r.peek(outer_source));
        let of_inner = of_inner.clone();
        later.react(move |r, _| of_inner.push(*r.get(inner_source)));
    });

    set(&mut arena, outer_source, 2);
    set(&mut arena, inner_source, 20);

    assert_eq!((outer.entries(), inner.entries()), (vec![1], vec![10, 20]));
}

#[test]
fn case_w01_a_reaction_may_keep_a_source_in_step() {
    let mut arena = Arena::new();
    let (a, b) = (arena.source(1), arena.source(0));
    arena.react(move |r, later| {
        let double = r.get(a) * 2;
        later.turn(move |w| w.set(b, double));
    });

    set(&mut arena, a, 5);

    assert_eq!(*arena.read(b), 10);
}

// The catalogue lets the second reaction never see the 1. Here the write is a later turn, so it
// does, and then it ends on the 10.
#[test]
fn case_w05_a_reaction_that_maps_a_value_has_the_last_word() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    arena.react(move |r, later| {
        if *r.get(s) == 1 {
            later.turn(move |w| w.set(s, 10));
        }
    });
    let (log, _) = follow(&mut arena, move |r| *r.get(s));

    set(&mut arena, s, 1);

    assert_eq!(log.entries(), [0, 1, 10]);
}

#[test]
fn case_w22_a_reaction_that_writes_back_what_it_read_does_not_run_again() {
    let mut arena = Arena::new();
    let s = arena.source(1);
    let log = Log::default();
    let seen = log.clone();
    arena.react(move |r, later| {
        let value = *r.get(s);
        seen.push(value);
        later.turn(move |w| w.set(s, value));
    });
    arena.turn(|_| {});

    assert_eq!(log.entries(), [1]);
}

#[test]
fn case_w25_an_update_that_panics_changes_nothing_and_locks_nothing() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(vec![1]);
    let length = arena.derived(tally.count("length", move |r| r.get(s).len()));
    assert_eq!(*arena.read(length), 1);

    let text = panic_of(|| {
        arena.turn(|w| {
            w.update(s, |list| {
                list.push(2);
                panic!("in the middle");
            });
        });
    });
    assert_eq!(text, "in the middle");
    assert_eq!(
        (arena.read(s).as_slice(), tally.of(["length"])),
        (&[1][..], [1])
    );

    arena.turn(|w| w.update(s, |list| list.push(3)));
    assert_eq!(*arena.read(s), [1, 3]);
}

#[test]
fn case_m01_a_thousand_reactions_that_came_and_went_leave_nothing() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    for _ in 0..1_000 {
        let (_, reaction) = follow(&mut arena, move |r| *r.get(s));
        assert_eq!(arena.consumer_count(s), 1);
        assert!(arena.end(reaction));
        assert_eq!(arena.consumer_count(s), 0);
    }
}
