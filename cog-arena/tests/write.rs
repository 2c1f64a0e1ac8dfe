//! Step 1 of a turn, and turns as such: staging, the last write, equality, nesting, queueing.

mod common;

use cog_arena::Arena;
use common::{arena, arena_with_log};

#[test]
fn turn_01_a_writer_reads_back_what_it_staged() {
    let mut arena = arena();
    let gold = arena.source(10);

    let seen = arena.turn(|w| {
        w.set(gold, 25);
        let staged = *w.get(gold);
        w.update(gold, |g| *g += 5);
        (staged, *w.get(gold))
    });

    assert_eq!(seen, (25, 30));
    assert_eq!(*arena.read(gold), 30);
}

#[test]
fn turn_02_the_last_write_wins_and_makes_one_change() {
    let (mut arena, log) = arena_with_log();
    let gold = arena.source(0);
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.get(gold).to_string()));

    arena.turn(|w| {
        for next in [1, 2, 3] {
            w.set(gold, next);
        }
    });

    assert_eq!(log.take(), ["0", "3"]);
    assert_eq!(arena.counts().written, 1);
}

#[test]
fn turn_03_a_writer_reads_the_committed_value_of_what_it_did_not_write() {
    let mut arena = arena();
    let (a, b) = (arena.source(1), arena.source(2));
    arena.turn(|w| w.set(b, 20));

    arena.turn(|w| {
        w.set(a, 5);
        assert_eq!(*w.get(b), 20);
    });
}

#[test]
fn turn_04_committed_reads_inside_a_body_see_the_old_values() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let double = arena.derived(log.named("double", move |r| r.get(a) * 2));

    arena.turn(|w| {
        w.set(a, 7);
        assert_eq!(*w.read(a), 1);
        assert_eq!(*w.read(double), 2);
        assert_eq!(*w.get(a), 7, "what is staged stays staged");
    });

    assert_eq!(*arena.read(double), 14);
    assert_eq!(log.runs("double"), 2);
}

#[test]
fn turn_05_a_nested_turn_joins() {
    let (mut arena, log) = arena_with_log();
    let (a, b) = (arena.source(0), arena.source(0));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("{} {}", r.get(a), r.get(b))));
    arena.turn(|_| {});
    let before = arena.counts().revision;

    let inside = arena.turn(|w| {
        w.set(a, 1);
        let inner = w.turn(|w| {
            w.set(b, 2);
            w.turn(|w| *w.get(a))
        });
        w.set(a, 3);
        inner
    });

    assert_eq!(inside, 1, "the inner turn sees what the outer one staged");
    assert_eq!(
        log.take(),
        ["0 0", "3 2"],
        "one flush, at the outermost end"
    );
    assert_eq!(arena.counts().revision, before + 1);
}

#[test]
fn turn_08_turns_asked_for_during_a_flush_run_first_in_first_out_each_complete() {
    let (mut arena, log) = arena_with_log();
    let (start, step) = (arena.source(0), arena.source(0));
    let double = arena.derived(move |r| r.get(step) * 2);
    arena.react(move |r, later| {
        if *r.get(start) == 1 {
            for next in [1, 2, 3] {
                later.turn(move |w| w.set(step, next));
            }
        }
    });
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("{} {}", r.get(step), r.get(double))));

    arena.turn(|w| w.set(start, 1));

    assert_eq!(log.take(), ["0 0", "1 2", "2 4", "3 6"]);
    assert_eq!(arena.queued(), 0);
}

#[test]
fn turn_09_an_equal_write_recomputes_nothing() {
    let (mut arena, log) = arena_with_log();
    let name = arena.source(String::from("Ada"));
    let length = arena.derived(log.named("length", move |r| r.get(name).len()));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("length is {}", r.get(length))));
    log.take();

    arena.turn(|w| w.set(name, String::from("Ada")));
    arena.turn(|w| w.set_ref(name, &String::from("Ada")));
    arena.turn(|w| w.update(name, |_| {}));

    assert_eq!(log.len(), 0);
    assert_eq!(arena.counts().written, 0);
}

#[test]
fn turn_10_change_and_revert_is_no_change() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u8>();
    let (plain, keyed) = (arena.source(1), arena.source_family(space, |_| 1));
    let through = arena.derived(log.named("through", move |r| *r.get(plain)));
    let noted = log.clone();
    arena.react(move |r, _| {
        noted.note(format!(
            "{} {} {}",
            r.get(plain),
            r.get(through),
            r.get(keyed.at(3))
        ));
    });
    log.take();

    for _ in 0..3 {
        arena.turn(|w| {
            w.set(plain, 2);
            w.set(keyed.at(3), 2);
            w.set(keyed.at(3), 1);
            w.set(plain, 1);
        });
    }

    assert_eq!(
        log.len(),
        0,
        "the same for a source, a derived and a member of a family"
    );
}

#[test]
fn turn_11_an_equality_of_ones_own_decides() {
    let (mut arena, log) = arena_with_log();
    let near = |a: &f64, b: &f64| (a - b).abs() < 0.5;
    let heat = arena.cog().name("heat").equality::<f64>(near).source(20.0);
    let shown = arena.derived(log.named("shown", move |r| *r.get(heat)));
    arena.read(shown);

    arena.turn(|w| w.set(heat, 20.4));
    assert_eq!(*arena.read(shown), 20.0);
    // Compared with the value that is stored, so that drift cannot creep.
    arena.turn(|w| w.set(heat, 20.6));
    assert_eq!(*arena.read(shown), 20.6);

    assert_eq!(log.runs("shown"), 2);
}

#[test]
fn turn_12_a_cog_that_always_changes_needs_no_equality() {
    /// Has no `PartialEq`.
    struct Opaque(i32);
    let (mut arena, log) = arena_with_log();
    let source = arena.cog().always_changes().source(Opaque(1));
    let middle = arena
        .cog()
        .always_changes()
        .derived(log.named("middle", move |r| Opaque(r.get(source).0)));
    let end = arena.derived(log.named("end", move |r| r.get(middle).0));
    arena.read(end);

    arena.turn(|w| w.set(source, Opaque(1)));
    arena.read(end);

    assert_eq!(log.take(), ["end", "middle", "middle", "end"]);
}

#[test]
fn turn_13_two_turns_in_a_row_are_two_turns() {
    let (mut arena, log) = arena_with_log();
    let (a, b) = (arena.source(0), arena.source(0));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("{} {}", r.get(a), r.get(b))));
    arena.turn(|_| {});
    let before = arena.counts().revision;

    arena.turn(|w| w.set(a, 1));
    arena.turn(|w| w.set(b, 1));

    assert_eq!(log.take(), ["0 0", "1 0", "1 1"]);
    assert_eq!(arena.counts().revision, before + 2);
}

#[test]
fn turn_14_changing_one_key_touches_only_that_key() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let stock = arena.source_family(space, |_| 10);
    let double = arena.derived_family(
        space,
        log.keyed("double", move |r, &k| r.get(stock.at(k)) * 2),
    );
    for key in 0..5 {
        arena.read(double.at(key));
    }
    log.take();

    arena.turn(|w| w.update(stock.at(3), |s| *s -= 1));

    let all: Vec<i32> = (0..5).map(|key| *arena.read(double.at(key))).collect();
    assert_eq!(all, [20, 20, 20, 18, 20]);
    assert_eq!(log.take(), ["double[3]"]);
}

#[test]
fn turn_15_settling_inside_a_body_uses_committed_values_and_runs_again_afterwards() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let double = arena.derived(log.named("double", move |r| r.get(a) * 2));
    arena.read(double);
    arena.turn(|w| w.set(a, 2));

    arena.turn(|w| {
        w.set(a, 3);
        assert_eq!(
            *w.read(double),
            4,
            "stale when the turn began, settled from what is committed"
        );
    });
    assert_eq!(*arena.read(double), 6);

    assert_eq!(log.runs("double"), 3);
}

#[test]
fn a_turn_returns_what_its_body_returns() {
    let mut arena = arena();
    let a = arena.source(4);

    let word = arena.turn(|w| {
        w.update(a, |a| *a += 1);
        "done"
    });
    let number = arena.turn_named("count", |w| *w.get(a));

    assert_eq!((word, number), ("done", 5));
}

#[test]
fn an_empty_turn_runs_nothing_that_a_turn_before_it_left_stale() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let lazy = arena.derived(log.named("lazy", move |r| *r.get(a)));
    arena.read(lazy);
    arena.turn(|w| w.set(a, 2));

    arena.turn(|_| {});

    assert_eq!(log.runs("lazy"), 1, "nobody reads it");
    assert_eq!(arena.counts().run, 0);
}

#[test]
fn ten_thousand_writes_in_one_turn_are_one_change() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(0);
    let double = arena.derived(log.named("double", move |r| r.get(a) * 2));
    let hold = arena.hold(double);
    log.take();

    arena.turn(|w| (1..=10_000).for_each(|next| w.set(a, next)));

    assert_eq!(arena.counts().written, 1);
    assert_eq!(arena.counts().run, 1);
    assert_eq!(*arena.read(double), 20_000);
    assert_eq!(log.runs("double"), 1);
    arena.let_go(hold);
}

#[test]
fn a_turn_queued_from_outside_runs_with_the_next_one() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(0);
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.get(a).to_string()));
    arena.queue(move |w| w.update(a, |a| *a += 1));
    arena.queue(move |w| w.update(a, |a| *a *= 10));
    assert_eq!(arena.queued(), 2);
    assert_eq!(*arena.read(a), 0, "asking is not doing");

    arena.turn(|_| {});

    assert_eq!(*arena.read(a), 10);
    assert_eq!(arena.queued(), 0);
    assert_eq!(log.take(), ["0", "1", "10"], "each a turn of its own");
}

#[test]
fn a_turn_in_steps_is_the_same_turn() {
    fn build(arena: &mut Arena) -> (cog_arena::Source<i32>, cog_arena::Derived<i32>) {
        let a = arena.source(1);
        (a, arena.derived(move |r| r.get(a) * 2))
    }
    let (mut whole, mut steps) = (arena(), arena());
    let (a, double) = build(&mut whole);
    let (same_a, same_double) = build(&mut steps);

    for next in [2, 2, 5] {
        whole.turn(|w| w.set(a, next));
        steps.begin();
        steps.writer().set(same_a, 100);
        steps.writer().set(same_a, next);
        steps.settle();
        steps.publish();
        steps.run_reactions();
        assert!(!steps.release(), "nothing is queued");

        assert_eq!(whole.read(double), steps.read(same_double));
        assert_eq!(whole.counts().written, steps.counts().written);
    }
    assert_eq!(whole.totals().run, steps.totals().run);
}
