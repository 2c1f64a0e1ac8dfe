//! Panics in a caller's code: functions, reactions, bodies. Re-raised when the graph is whole again.

mod common;

use cog_arena::First;
use common::{Log, arena, arena_with_log, panic_of};

#[test]
fn a_function_that_panics_is_raised_at_the_read_and_runs_again_at_the_next() {
    let (mut arena, log) = arena_with_log();
    let number = arena.source(0);
    let inverse = arena.derived(log.named("inverse", move |r| {
        let number = *r.get(number);
        assert_ne!(number, 0, "no inverse of nothing");
        100 / number
    }));
    let shown = arena.derived(log.named("shown", move |r| r.get(inverse) + 1));

    for _ in 0..2 {
        assert!(panic_of(|| *arena.read(shown)).contains("no inverse of nothing"));
        assert!(arena.settled(shown).is_none());
    }
    assert_eq!(log.take(), ["shown", "inverse", "shown", "inverse"]);
    assert!(
        panic_of(|| arena.try_read(inverse).map(|_| ())).contains("no inverse"),
        "no read error, a panic"
    );

    arena.turn(|w| w.set(number, 4));
    assert_eq!(*arena.read(shown), 26);
    arena.turn(|w| w.set(number, 0));
    assert!(panic_of(|| *arena.read(shown)).contains("no inverse"));
    arena.turn(|w| w.set(number, 5));
    assert_eq!(*arena.read(shown), 21);
}

#[test]
fn a_declared_function_that_panics_does_the_same() {
    let mut arena = arena();
    let number = arena.source(0);
    let inverse = arena.derived_from(number.shared(), |number: &i32| 100 / number);
    let shown = arena.derived_from(inverse.shared(), |inverse: &i32| inverse + 1);

    for _ in 0..2 {
        assert!(panic_of(|| *arena.read(shown)).contains("divide by zero"));
    }

    arena.turn(|w| w.set(number, 4));
    assert_eq!(*arena.read(shown), 26);
}

#[test]
fn a_function_that_panics_keeps_its_last_value_as_the_previous_one() {
    let mut arena = arena();
    let number = arena.source(1);
    let sum = arena.derived(move |r| {
        let number = *r.get(number);
        assert!(0 <= number, "only upwards");
        r.previous::<i32>().copied().unwrap_or(0) + number
    });
    assert_eq!(*arena.read(sum), 1);

    arena.turn(|w| w.set(number, -1));
    assert!(panic_of(|| *arena.read(sum)).contains("only upwards"));
    arena.turn(|w| w.set(number, 5));

    assert_eq!(*arena.read(sum), 6);
}

#[test]
fn a_panic_while_settling_ends_the_turn_with_it_after_everything_else_has_happened() {
    let (mut arena, log) = arena_with_log();
    let (number, other) = (arena.source(1), arena.source(1));
    let inverse = arena.derived(move |r| 100 / r.get(number));
    let fine = arena.derived(move |r| r.get(number) + r.get(other));
    let holds = [arena.hold(inverse), arena.hold(fine)];
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("fine {}", r.get(fine))));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("inverse {}", r.get(inverse))));
    log.take();

    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(number, 0);
            w.set(other, 5);
        });
    });
    assert!(text.contains("divide by zero"), "{text}");
    assert_eq!(log.take(), ["fine 5"]);
    assert_eq!(
        (*arena.read(number), *arena.read(other)),
        (0, 5),
        "what was staged is committed"
    );

    arena.turn(|w| w.set(number, 10));
    assert_eq!(log.take(), ["fine 15", "inverse 10"]);
    for hold in holds {
        arena.let_go(hold);
    }
}

#[test]
fn a_row_of_a_column_that_panics_leaves_the_other_rows_settled() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let number = arena.member_family::<u32, i32>(space);
    let inverse = arena.derived_family_from(space, number.aligned(), |n: &i32| 1_000 / n);
    let after = arena.derived_family_from(space, inverse.aligned(), |n: &i32| n + 1);
    arena.turn(|w| (0..200).for_each(|key| w.set(number.at(key), 1)));
    let hold = arena.hold(after);
    arena.turn(|_| {});
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("{:?}", r.lookup(after.at(150)))));
    log.take();

    let text = panic_of(|| {
        arena.turn(|w| {
            for key in [3, 70, 71, 150] {
                w.set(number.at(key), if key == 70 { 0 } else { 10 });
            }
        });
    });
    assert!(text.contains("divide by zero"), "{text}");
    assert_eq!(log.take(), ["Some(101)"]);
    for key in [3, 71, 150] {
        assert_eq!(arena.lookup(after.at(key)), Some(&101));
    }

    arena.turn(|w| w.set(number.at(70), 20));
    assert_eq!(arena.lookup(after.at(70)), Some(&51));
    arena.let_go(hold);
}

#[test]
fn a_body_that_panics_leaves_the_graph_as_it_was() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let (a, stock) = (arena.source(1), arena.member_family::<u32, i32>(space));
    arena.turn(|w| w.set(stock.at(1), 10));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("{} {:?}", r.get(a), r.lookup(stock.at(1)))));
    let slot = arena.slot(space, &1).expect("the key is a member");
    log.take();

    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(a, 2);
            w.remove_key(space, &1);
            w.set(stock.at(2), 20);
            w.turn(|w| w.update(a, |_| panic!("out of stock")));
        });
    });
    assert_eq!(text, "out of stock");

    assert_eq!(log.len(), 0);
    assert_eq!(*arena.read(a), 1);
    assert_eq!(arena.keys(space).copied().collect::<Vec<_>>(), [1]);
    assert_eq!(arena.slot(space, &1), Some(slot));
    assert_eq!(arena.lookup(stock.at(1)), Some(&10));
    arena.turn(|w| w.set(a, 3));
    assert_eq!(log.take(), ["3 Some(10)"], "nothing staged survived");
}

/// Three reactions on one source; the named ones panic when it is odd.
fn three_reactions(
    log: &Log,
    panicking: &'static [&'static str],
) -> (common::Checked, cog_arena::Source<u32>) {
    let mut arena = arena();
    let a = arena.source(0);
    for name in ["first", "second", "third"] {
        let log = log.clone();
        arena.react(move |r, _| {
            let odd = r.get(a) % 2 == 1;
            log.note(name);
            assert!(!(odd && panicking.contains(&name)), "{name} is odd");
        });
    }
    log.take();
    (arena, a)
}

#[test]
fn when_a_reaction_panics_the_others_still_run_and_the_first_panic_is_raised() {
    let log = Log::default();
    let (mut arena, a) = three_reactions(&log, &["second", "third"]);

    assert_eq!(panic_of(|| arena.turn(|w| w.set(a, 1))), "second is odd");

    assert_eq!(log.take(), ["first", "second", "third"]);
    assert_eq!(*arena.read(a), 1);
    // All of them are still registered, and nothing of that turn is left.
    arena.turn(|w| w.set(a, 2));
    assert_eq!(log.take(), ["first", "second", "third"]);
    arena.turn(|_| {});
    assert_eq!(log.len(), 0);
    assert_eq!(panic_of(|| arena.turn(|w| w.set(a, 3))), "second is odd");
}

#[test]
fn a_reaction_that_panics_at_its_registration_stays_registered() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let noted = log.clone();

    let text = panic_of(|| {
        arena.react(move |r, _| {
            noted.note(r.get(a).to_string());
            assert_ne!(*r.get(a), 1, "not one");
        })
    });
    assert!(text.contains("not one"), "{text}");

    arena.turn(|w| w.set(a, 2));
    assert_eq!(log.take(), ["1", "2"]);
}

#[test]
fn turns_that_a_panicking_reaction_asked_for_before_it_panicked_still_run() {
    let (mut arena, log) = arena_with_log();
    let (a, copy) = (arena.source(0), arena.source(0));
    arena.react(move |r, later| {
        let next = *r.get(a);
        later.turn(move |w| w.set(copy, next));
        assert_ne!(next, 1, "not one");
    });
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("copy {}", r.get(copy))));
    log.take();

    assert!(panic_of(|| arena.turn(|w| w.set(a, 1))).contains("not one"));

    arena.turn(|_| {});
    assert_eq!(
        log.take(),
        ["copy 1"],
        "in the turn or with the next one, but not never"
    );
    assert_eq!(arena.queued(), 0);
}

#[test]
fn a_queued_turn_that_panics_takes_no_other_with_it() {
    let (mut arena, log) = arena_with_log();
    let (a, b, c) = (arena.source(0), arena.source(0), arena.source(0));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("{} {} {}", r.get(a), r.get(b), r.get(c))));
    arena.queue(move |w| w.set(a, 1));
    arena.queue(move |w| {
        w.set(b, 1);
        panic!("not b");
    });
    arena.queue(move |w| w.set(c, 1));
    log.take();

    assert_eq!(panic_of(|| arena.turn(|_| {})), "not b");

    arena.turn(|_| {});
    assert_eq!(log.take(), ["1 0 0", "1 0 1"]);
    assert_eq!(arena.queued(), 0);
}

#[test]
fn in_steps_the_panic_is_raised_when_the_turn_is_released() {
    let (mut arena, log) = arena_with_log();
    let number = arena.source(1);
    let inverse = arena.derived(move |r| 100 / r.get(number));
    let hold = arena.hold(inverse);
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.get(number).to_string()));
    log.take();

    arena.begin();
    arena.writer().set(number, 0);
    arena.settle();
    arena.publish();
    arena.run_reactions();
    assert_eq!(log.take(), ["0"]);
    assert!(panic_of(|| arena.release()).contains("divide by zero"));

    arena.begin();
    arena.writer().set(number, 5);
    arena.settle();
    arena.publish();
    arena.run_reactions();
    arena.release();
    assert_eq!(*arena.read(inverse), 20);
    arena.let_go(hold);
}

#[test]
fn a_first_value_that_panics_leaves_no_row_behind() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let stock = arena.source_family(space, |key| {
        assert_ne!(*key, 13, "unlucky");
        *key
    });
    let shown = arena.derived_family(space, move |r, &key| *r.get(stock.at(key)));

    for _ in 0..2 {
        assert!(panic_of(|| *arena.read(stock.at(13))).contains("unlucky"));
        assert!(panic_of(|| *arena.read(shown.at(13))).contains("unlucky"));
        assert_eq!(*arena.read(shown.at(12)), 12);
    }
    arena.turn(|w| w.set(stock.at(14), 1));
    assert_eq!(*arena.read(shown.at(14)), 1);
}

#[test]
fn a_warning_function_that_panics_breaks_nothing() {
    let mut arena = arena();
    arena.on_warning(|_| panic!("do not warn me"));
    let (count, last) = (arena.source(0), arena.source(0));
    arena.react(move |r, later| {
        let next = *r.get(count) + 1;
        if next <= *r.get(last) {
            later.turn(move |w| w.set(count, next));
        }
    });

    assert_eq!(
        panic_of(|| arena.turn(|w| w.set(last, 100))),
        "do not warn me"
    );

    arena.turn(|_| {});
    assert_eq!((*arena.read(count), arena.queued()), (100, 0));
}

#[test]
fn a_function_may_catch_what_it_reads_and_stays_subscribed() {
    let (mut arena, log) = arena_with_log();
    let number = arena.source(0);
    let inverse = arena.derived(move |r| 100 / r.get(number));
    let shown = arena.derived(log.named("shown", move |r| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| *r.get(inverse))).unwrap_or(-1)
    }));
    assert_eq!(*arena.read(shown), -1);

    arena.turn(|w| w.set(number, 5));
    assert_eq!(*arena.read(shown), 20);
    arena.turn(|w| w.set(number, 0));
    assert_eq!(*arena.read(shown), -1);

    assert_eq!(log.runs("shown"), 3);
}

#[test]
fn a_watch_that_panics_is_told_the_next_change_with_the_right_old_value() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(0);
    let noted = log.clone();
    arena.watch(a, First::Skip, move |old, new, _| {
        noted.note(format!("{old:?} {new}"));
        assert_ne!(*new, 1, "not one");
    });

    assert!(panic_of(|| arena.turn(|w| w.set(a, 1))).contains("not one"));
    arena.turn(|w| w.set(a, 2));

    assert_eq!(log.take(), ["Some(0) 1", "Some(1) 2"]);
}
