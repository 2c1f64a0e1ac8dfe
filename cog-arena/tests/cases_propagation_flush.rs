//! Catalogue A.2, P18 to P30: rows that come late, several writes, several readers, reactions that
//! write back, and what stays untouched.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use cases_common::log::follow;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::Arena;

#[test]
fn case_p18_a_row_declared_over_a_stale_input_is_fresh() {
    let mut arena = Arena::new();
    let s = arena.source(1);
    let middle = arena.derived(move |r| r.get(s) * 2);
    set(&mut arena, s, 4);
    let tail = arena.derived(move |r| r.get(middle) + 1);
    assert_eq!(*arena.read(tail), 9);

    set(&mut arena, s, 8);

    assert_eq!(*arena.read(tail), 17);
}

#[test]
fn case_p19_a_row_that_was_read_cold_wakes_a_later_reaction() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let b = arena.derived(move |r| *r.get(s));
    let c = arena.derived(move |r| *r.get(b));
    assert_eq!(*arena.read(c), 0);
    let (log, _) = follow(&mut arena, move |r| *r.get(c));

    set(&mut arena, s, 1);

    assert_eq!(log.entries(), [0, 1]);
}

#[test]
fn case_p20_a_reaction_on_a_stale_row_sees_the_fresh_value_first() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let c = arena.derived(move |r| *r.get(s));
    assert_eq!(*arena.read(c), 0);
    set(&mut arena, s, 6);

    let (log, _) = follow(&mut arena, move |r| *r.get(c));

    assert_eq!(log.entries(), [6]);
}

#[test]
fn case_p21_two_writes_of_a_turn_are_one_run_of_the_join() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let (a, b) = (arena.source(1), arena.source(10));
    let c = arena.derived(tally.count("c", move |r| r.get(a) + r.get(b)));
    let (log, _) = follow(&mut arena, move |r| *r.get(c));

    arena.turn(|w| {
        w.set(a, 2);
        w.set(b, 20);
    });

    assert_eq!(log.entries(), [11, 22]);
    assert_eq!(tally.of(["c"]), [2]);
}

#[test]
fn case_p22_repeated_reads_make_one_edge() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(2);
    let c = arena.derived(tally.count("c", move |r| (0..30).map(|_| r.get(s)).sum::<i32>()));
    let (log, _) = follow(&mut arena, move |r| (*r.get(c), *r.get(c)));
    assert_eq!(log.entries(), [(60, 60)]);

    set(&mut arena, s, 3);

    assert_eq!(log.entries(), [(60, 60), (90, 90)]);
    assert_eq!(tally.of(["c"]), [2]);
    assert_eq!(arena.consumer_count(s), 1);
    assert_eq!(arena.consumer_count(c), 1);
}

#[test]
fn case_p24_reactions_at_different_depths_see_the_same_turn() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    let near = arena.derived(move |r| r.get(s) + 1);
    let mut far = near;
    for _ in 0..4 {
        let below = far;
        far = arena.derived(move |r| r.get(below) + 1);
    }
    let (near_log, _) = follow(&mut arena, move |r| (*r.get(s), *r.get(near)));
    let (far_log, _) = follow(&mut arena, move |r| (*r.get(s), *r.get(far)));

    for value in 1..4 {
        set(&mut arena, s, value);

        assert_eq!(near_log.entries().last(), Some(&(value, value + 1)));
        assert_eq!(far_log.entries().last(), Some(&(value, value + 5)));
    }
    assert_eq!(near_log.entries().len(), 4);
    assert_eq!(far_log.entries().len(), 4);
}

// The arena is synchronous: two turns are two runs, and between them the values are those of the
// first turn, whole.
#[test]
fn case_p25_two_turns_are_two_runs_and_never_a_mixture() {
    let mut arena = Arena::new();
    let (x, y) = (arena.source(0), arena.source(0));
    let (log, _) = follow(&mut arena, move |r| (*r.get(x), *r.get(y)));

    set(&mut arena, x, 1);
    set(&mut arena, y, 1);
    assert_eq!(log.entries(), [(0, 0), (1, 0), (1, 1)]);

    arena.turn(|w| {
        w.set(x, 2);
        w.set(y, 2);
    });
    assert_eq!(log.entries(), [(0, 0), (1, 0), (1, 1), (2, 2)]);
}

// A write by a reaction is a later turn, so the 1 is seen before the 11.
#[test]
fn case_p26_a_write_by_an_earlier_reaction_is_the_last_thing_seen() {
    let mut arena = Arena::new();
    let (a, b) = (arena.source(0), arena.source(0));
    let c = arena.derived(move |r| r.get(a) + r.get(b));
    arena.react(move |r, later| {
        if *r.get(a) == 1 {
            later.turn(move |w| w.set(b, 10));
        }
    });
    let (log, _) = follow(&mut arena, move |r| *r.get(c));

    set(&mut arena, a, 1);

    assert_eq!(log.entries(), [0, 1, 11]);
}

// The catalogue gives [0, 30]. Here each of the two writes is a turn of its own, complete before
// the next one, so the sum of the first alone is seen in between.
#[test]
fn case_p27_writes_of_two_reactions_are_two_turns_and_both_arrive() {
    let mut arena = Arena::new();
    let (a, b1, b2) = (arena.source(0), arena.source(0), arena.source(0));
    for (target, value) in [(b1, 10), (b2, 20)] {
        arena.react(move |r, later| {
            if *r.get(a) == 1 {
                later.turn(move |w| w.set(target, value));
            }
        });
    }
    let c = arena.derived(move |r| r.get(b1) + r.get(b2));
    let (log, _) = follow(&mut arena, move |r| *r.get(c));

    set(&mut arena, a, 1);

    assert_eq!(log.entries(), [0, 10, 30]);
}

#[test]
fn case_p28_a_write_runs_nothing_in_another_graph() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let [(here, here_join), (there, there_join)] =
        [["a", "b", "c"], ["d", "e", "f"]].map(|[l, r, j]| {
            let s = arena.source(0);
            let left = arena.derived(tally.count(l, move |r| r.get(s) + 1));
            let right = arena.derived(tally.count(r, move |r| r.get(s) + 2));
            let join = arena.derived(tally.count(j, move |r| r.get(left) + r.get(right)));
            follow(&mut arena, move |r| *r.get(join));
            (s, join)
        });

    set(&mut arena, here, 1);

    assert_eq!(*arena.read(here_join), 5);
    assert_eq!(*arena.read(there_join), 3);
    assert_eq!(tally.of(["a", "b", "c", "d", "e", "f"]), [2, 2, 2, 1, 1, 1]);

    set(&mut arena, there, 1);
    assert_eq!(tally.of(["a", "b", "c", "d", "e", "f"]), [2; 6]);
}

#[test]
fn case_p29_ten_changes_of_a_hundred_sources_are_one_run_of_the_mux() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let sources: Vec<_> = (0..100).map(|_| arena.source(0)).collect();
    let read = sources.clone();
    let mux =
        arena.derived(tally.count("mux", move |r| read.iter().map(|s| r.get(*s)).sum::<i32>()));
    let (log, _) = follow(&mut arena, move |r| *r.get(mux));

    arena.turn(|w| {
        for s in &sources[..10] {
            w.set(*s, 1);
        }
    });

    assert_eq!(log.entries(), [0, 10]);
    assert_eq!(tally.of(["mux"]), [2]);
}

#[test]
fn case_p30_only_the_first_level_of_unchanged_joins_runs() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let levels = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
    let s = arena.source(1);
    let mut level =
        ["left", "right"].map(|_| arena.derived(tally.count("1", move |r| *r.get(s) > 0)));
    for name in &levels[1..] {
        let [one, two] = level;
        level = ["left", "right"]
            .map(|_| arena.derived(tally.count(name, move |r| *r.get(one) && *r.get(two))));
    }
    let [one, two] = level;
    let (log, _) = follow(&mut arena, move |r| (*r.get(one), *r.get(two)));

    set(&mut arena, s, 2);

    assert_eq!(log.entries(), [(true, true)]);
    assert_eq!(tally.of(levels), [4, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
}
