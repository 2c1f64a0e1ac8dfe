//! Catalogue A.5: nothing runs before it is read, what was read is kept, and what nobody observes
//! is passive. Grace and the hooks of holds come with lifetime.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod tally;
    pub(crate) mod turns;
}

use cases_common::log::follow;
use cases_common::panics::panic_of;
use cases_common::tally::Tally;
use cases_common::turns::set;
use cog_arena::Arena;

#[test]
fn case_l01_nothing_runs_before_the_first_read() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let d = arena.derived(tally.count("d", move |r| *r.get(s)));

    set(&mut arena, s, 1);
    set(&mut arena, s, 2);
    assert_eq!(tally.of(["d"]), [0]);

    assert_eq!(*arena.read(d), 2);
    assert_eq!(tally.of(["d"]), [1]);
}

#[test]
fn case_l02_a_function_without_inputs_runs_once_for_ever() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let other = arena.source(0);
    let d = arena.derived(tally.count("d", |_| 7));

    for value in 1..4 {
        assert_eq!(*arena.read(d), 7);
        set(&mut arena, other, value);
    }

    assert_eq!(tally.of(["d"]), [1]);
}

#[test]
fn case_l03_a_chain_is_passive_once_its_reaction_has_ended() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let one = arena.derived(tally.count("one", move |r| r.get(s) + 1));
    let two = arena.derived(tally.count("two", move |r| r.get(one) + 1));
    let (log, reaction) = follow(&mut arena, move |r| *r.get(two));
    arena.end(reaction);

    for value in 1..4 {
        set(&mut arena, s, value);
    }
    assert_eq!(tally.of(["one", "two"]), [1, 1]);

    assert_eq!(*arena.read(two), 5);
    assert_eq!(tally.of(["one", "two"]), [2, 2]);
    assert_eq!(log.entries(), [2]);
}

#[test]
fn case_l04_the_second_operand_runs_only_when_the_first_is_false() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(true);
    let a = arena.derived(move |r| *r.get(s));
    let b = arena.derived(tally.count("b", |_| true));
    let either = arena.derived(move |r| *r.get(a) || *r.get(b));
    assert!(*arena.read(either));
    assert_eq!(tally.of(["b"]), [0]);

    set(&mut arena, s, false);

    assert!(*arena.read(either));
    assert_eq!(tally.of(["b"]), [1]);
}

#[test]
fn case_l06_reading_a_middle_row_first_hides_nothing_from_the_end() {
    let mut arena = Arena::new();
    let list = arena.source(vec![false, false]);
    let is_loaded = arena.derived(move |r| r.get(list).iter().any(|loaded| *loaded));
    let message = arena.derived(move |r| {
        if *r.get(is_loaded) {
            "ready"
        } else {
            "loading"
        }
    });
    assert_eq!(*arena.read(message), "loading");

    set(&mut arena, list, vec![false, true]);

    assert!(*arena.read(is_loaded));
    assert_eq!(*arena.read(message), "ready");
}

#[test]
fn case_l07_a_row_that_nobody_reads_pulls_nothing() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let inner = arena.derived(tally.count("inner", move |r| *r.get(s)));
    arena.derived(tally.count("outer", move |r| *r.get(inner)));

    for value in 1..=100 {
        set(&mut arena, s, value);
    }

    assert_eq!(tally.of(["inner", "outer"]), [0, 0]);
}

#[test]
fn case_l18_a_write_runs_only_what_the_observed_row_needs() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(0);
    let rows: Vec<_> = (0..1_000)
        .map(|i| {
            let name = if i == 500 { "needed" } else { "idle" };
            arena.derived(tally.count(name, move |r| r.get(s) + i))
        })
        .collect();
    for row in &rows {
        arena.read(*row);
    }
    let needed = rows[500];
    let (log, _) = follow(&mut arena, move |r| *r.get(needed));

    set(&mut arena, s, 1);

    assert_eq!(log.entries(), [500, 501]);
    assert_eq!(tally.of(["needed", "idle"]), [2, 999]);
}

#[test]
fn case_l19_a_first_read_inside_another_run_counts_once() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let inner = arena.derived(tally.count("inner", move |r| r.get(s) * 2));
    let middle = arena.derived(tally.count("middle", move |r| r.get(inner) + r.get(s)));
    let outer = arena.derived(tally.count("outer", move |r| r.get(middle) + r.get(inner)));
    assert_eq!(*arena.read(outer), 5);
    assert_eq!(tally.of(["inner", "middle", "outer"]), [1, 1, 1]);

    set(&mut arena, s, 2);

    assert_eq!(*arena.read(outer), 10);
    assert_eq!(tally.of(["inner", "middle", "outer"]), [2, 2, 2]);
}

#[test]
fn case_l20_a_reaction_that_fails_to_start_spoils_no_cache() {
    let (mut arena, tally) = (Arena::new(), Tally::default());
    let s = arena.source(1);
    let d = arena.derived(tally.count("d", move |r| *r.get(s)));
    assert_eq!(*arena.read(d), 1);

    let text = panic_of(|| {
        arena.react(move |r, _| {
            assert!(*r.get(d) > 1, "not ready");
        })
    });
    assert!(text.contains("not ready"));
    assert_eq!(*arena.read(d), 1);
    assert_eq!(tally.of(["d"]), [1]);

    set(&mut arena, s, 2);
    assert_eq!(*arena.read(d), 2);
    assert_eq!(tally.of(["d"]), [2]);
}
