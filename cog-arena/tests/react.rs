//! Step 5 of a turn: reactions, watches, and the turns they ask for.

mod common;

use std::sync::{Arc, Mutex};

use cog_arena::{First, Warning};
use common::{arena, arena_with_log};

#[test]
fn react_01_a_reaction_runs_once_when_it_is_registered() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let noted = log.clone();

    arena.react(move |r, _| noted.note(r.get(a).to_string()));

    assert_eq!(log.take(), ["1"]);
}

#[test]
fn react_02_a_reaction_runs_again_when_a_dependency_changed() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let double = arena.derived(move |r| r.get(a) * 2);
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.get(double).to_string()));

    for next in [2, 3] {
        arena.turn(|w| w.set(a, next));
    }

    assert_eq!(log.take(), ["2", "4", "6"]);
}

#[test]
fn react_03_a_reaction_is_quiet_otherwise() {
    let (mut arena, log) = arena_with_log();
    let (a, other) = (arena.source(1), arena.source(1));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.get(a).to_string()));

    for next in 2..10 {
        arena.turn(|w| w.set(other, next));
        arena.turn(|_| {});
    }

    assert_eq!(log.take(), ["1"]);
}

#[test]
fn react_04_a_reaction_sees_settled_values_only() {
    let (mut arena, log) = arena_with_log();
    let (a, b) = (arena.source(1), arena.source(10));
    let sum = arena.derived(move |r| r.get(a) + r.get(b));
    let over = arena.derived_from((a.shared(), b.shared()), |(a, b): (&i32, &i32)| a + b);
    let noted = log.clone();
    arena.react(move |r, _| {
        assert_eq!(*r.get(sum), r.get(a) + r.get(b));
        assert_eq!(r.get(sum), r.get(over));
        noted.note(r.get(sum).to_string());
    });

    arena.turn(|w| {
        w.set(a, 2);
        w.set(b, 20);
    });

    assert_eq!(log.take(), ["11", "22"]);
}

#[test]
fn react_05_reactions_run_in_the_order_of_their_registration() {
    let (mut arena, log) = arena_with_log();
    let (a, b) = (arena.source(0), arena.source(0));
    // The second looks at another source, and through a deeper path, than its neighbours.
    let deep = arena.derived(move |r| r.get(b) + 1);
    let deeper = arena.derived(move |r| r.get(deep) + 1);
    for name in ["first", "second", "third"] {
        let noted = log.clone();
        arena.react(move |r, _| {
            if name == "second" {
                r.get(deeper)
            } else {
                r.get(a)
            };
            noted.note(name);
        });
    }
    assert_eq!(log.take(), ["first", "second", "third"]);

    for next in 1..4 {
        arena.turn(|w| {
            w.set(b, next);
            w.set(a, next);
        });
        assert_eq!(log.take(), ["first", "second", "third"]);
    }
}

#[test]
fn react_06_a_reaction_is_retracked_at_each_run() {
    let (mut arena, log) = arena_with_log();
    let (flag, a, b) = (arena.source(true), arena.source(1), arena.source(2));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.get(if *r.get(flag) { a } else { b }).to_string()));
    assert_eq!((arena.consumer_count(a), arena.consumer_count(b)), (1, 0));

    arena.turn(|w| w.set(b, 20));
    arena.turn(|w| w.set(flag, false));
    arena.turn(|w| w.set(a, 10));
    arena.turn(|w| w.set(b, 21));

    assert_eq!(log.take(), ["1", "20", "21"]);
    assert_eq!((arena.consumer_count(a), arena.consumer_count(b)), (0, 1));
}

#[test]
fn react_07_reactions_are_finished_when_the_turn_returns() {
    let (mut arena, log) = arena_with_log();
    let (a, copy) = (arena.source(1), arena.source(0));
    let noted = log.clone();
    arena.react(move |r, later| {
        let next = *r.get(a);
        noted.note("ran");
        later.turn(move |w| w.set(copy, next));
    });
    assert_eq!(*arena.read(copy), 1, "at registration too");

    arena.turn(|w| w.set(a, 5));

    assert_eq!(log.runs("ran"), 2);
    assert_eq!(*arena.read(copy), 5, "the turn it asked for included");
}

#[test]
fn react_08_a_watch_that_skips_the_first_is_silent_and_then_tells_old_and_new() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let double = arena.derived(move |r| r.get(a) * 2);
    let noted = log.clone();
    arena.watch(double, First::Skip, move |old, new, _| {
        noted.note(format!("{old:?} {new}"));
    });
    assert_eq!(log.len(), 0);

    arena.turn(|w| w.set(a, 2));
    arena.turn(|w| w.set(a, 2));
    arena.turn(|w| w.set(a, 7));

    assert_eq!(log.take(), ["Some(2) 4", "Some(4) 14"]);
}

#[test]
fn react_09_a_watch_that_runs_the_first_delivers_once_at_its_registration() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let noted = log.clone();
    arena.watch(a, First::Run, move |old, new, _| {
        noted.note(format!("{old:?} {new}"));
    });
    assert_eq!(log.take(), ["None 1"]);

    arena.turn(|w| w.set(a, 2));

    assert_eq!(log.take(), ["Some(1) 2"]);
}

#[test]
fn react_15_what_a_reaction_writes_is_a_later_turn() {
    let (mut arena, log) = arena_with_log();
    let (a, copy) = (arena.source(0), arena.source(0));
    let noted = log.clone();
    arena.react(move |r, later| {
        let next = *r.get(a);
        later.turn(move |w| w.set(copy, next));
        noted.note(format!("first sees {} {}", r.get(a), r.peek(copy)));
    });
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("second sees {} {}", r.get(a), r.get(copy))));
    log.take();
    let before = arena.counts().revision;

    arena.turn(|w| w.set(a, 1));

    assert_eq!(
        log.take(),
        ["first sees 1 0", "second sees 1 0", "second sees 1 1"]
    );
    assert_eq!(arena.counts().revision, before + 2);
}

#[test]
fn react_16_turns_asked_for_in_a_chain_run_first_in_first_out_each_settled() {
    let (mut arena, log) = arena_with_log();
    let (a, b) = (arena.source(0), arena.source(0));
    let sum = arena.derived(move |r| r.get(a) + r.get(b));
    arena.react(move |r, later| {
        if *r.get(a) == 1 {
            later.turn(move |w| w.set(b, 10));
            later.turn(move |w| w.set(b, 20));
        }
    });
    arena.react(move |r, later| {
        if *r.get(b) == 10 {
            later.turn(move |w| w.set(a, 2));
        }
    });
    let noted = log.clone();
    arena.react(move |r, _| {
        assert_eq!(*r.get(sum), r.get(a) + r.get(b));
        noted.note(format!("{} {}", r.get(a), r.get(b)));
    });

    arena.turn(|w| w.set(a, 1));

    // The second turn of the first reaction was asked for before the turn of the second one.
    assert_eq!(log.take(), ["0 0", "1 0", "1 10", "1 20", "2 20"]);
}

#[test]
fn react_17_a_chain_of_65_turns_is_reported_once_and_ends_idle() {
    let mut arena = arena();
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let heard = warnings.clone();
    arena.on_warning(move |warning| {
        heard
            .lock()
            .expect("no test panicked")
            .push(warning.clone());
    });
    let count = arena.cog().name("count").source(0);
    let last = arena.source(0);
    arena.react(move |r, later| {
        let (now, last) = (*r.get(count), *r.get(last));
        if now < last {
            later.turn(move |w| w.set(count, now + 1));
        }
    });

    // The turn itself and 63 more: as long as a chain may be without a word.
    arena.turn(|w| w.set(last, 63));
    assert_eq!(*arena.read(count), 63);
    assert_eq!(warnings.lock().expect("no test panicked").len(), 0);

    arena.turn(|w| w.set(last, 63 + 100));

    assert_eq!(*arena.read(count), 163);
    assert_eq!(arena.queued(), 0);
    let heard = warnings.lock().expect("no test panicked");
    assert_eq!(
        heard.len(),
        1,
        "once for the chain, not once for each turn after it"
    );
    let Warning::LongChain { turns, causes, .. } = &heard[0] else {
        panic!("a long chain is reported as one: {:?}", heard[0]);
    };
    assert_eq!(*turns, 65);
    assert!(
        causes.iter().any(|cause| cause.contains("react.rs")),
        "{causes:?}"
    );
}

#[test]
fn react_19_what_is_published_is_known_before_reactions_run() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let health = arena.member_family(space);
    let threat = arena.derived_family_from(space, health.aligned(), |h: &i32| h * 2);
    let total = arena.derived(move |r| r.get(threat.at(1)) + 1);
    arena.turn(|w| w.set(health.at(1), 10));
    let holds = (arena.hold(threat), arena.hold(total));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.get(total).to_string()));
    log.take();

    arena.begin();
    arena.writer().set(health.at(1), 11);
    arena.settle();
    let moved: Vec<(u32, Option<i32>)> = arena
        .moved(threat)
        .iter()
        .map(|row| (*row.key, row.value.copied()))
        .collect();
    assert_eq!(moved, [(1, Some(22))]);
    assert_eq!(arena.moved_value(total), Some(Some(&23)));
    arena.publish();
    assert_eq!(log.len(), 0, "nothing has reacted yet");
    arena.run_reactions();
    assert_eq!(log.take(), ["23"]);
    arena.release();
    arena.let_go(holds.0);
    arena.let_go(holds.1);
}

#[test]
fn react_21_an_equal_result_leaves_a_reaction_quiet() {
    let (mut arena, log) = arena_with_log();
    let number = arena.source(2);
    let tracked = arena.derived(log.named("tracked", move |r| r.get(number) % 2 == 0));
    let noted = log.clone();
    let over = arena.derived_from(number.shared(), move |n: &i32| {
        noted.note("declared");
        n % 2 == 0
    });
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("{} {}", r.get(tracked), r.get(over))));
    log.take();

    arena.turn(|w| w.set(number, 4));

    assert_eq!(log.take(), ["tracked", "declared"]);
}

#[test]
fn react_22_an_equal_write_leaves_a_reaction_quiet() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.get(a).to_string()));
    log.take();

    arena.turn(|w| w.set(a, 1));

    assert_eq!(log.len(), 0);
}

#[test]
fn react_23_reactions_registered_during_a_flush_join_its_tail_in_order() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(0);
    let outer = log.clone();
    arena.react(move |r, later| {
        if *r.get(a) == 1 {
            for name in ["late one", "late two"] {
                let noted = outer.clone();
                later.react(move |r, _| noted.note(format!("{name} {}", r.get(a))));
            }
        }
        outer.note("early");
    });
    let noted = log.clone();
    arena.react(move |r, _| {
        r.get(a);
        noted.note("last of the old");
    });
    log.take();

    arena.turn(|w| w.set(a, 1));
    assert_eq!(
        log.take(),
        ["early", "last of the old", "late one 1", "late two 1"]
    );

    arena.turn(|w| w.set(a, 2));
    assert_eq!(
        log.take(),
        ["early", "last of the old", "late one 2", "late two 2"]
    );
}
