//! The end of reactions, and what those cost that have nothing to do.

mod common;

use std::sync::{Arc, Mutex};

use cog_arena::Reaction;
use common::{arena, arena_with_log};

#[test]
fn a_reaction_that_ended_does_not_run_not_even_in_the_flush_that_ended_it() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(0);
    let target = Arc::new(Mutex::new(None::<Reaction>));
    let aim = target.clone();
    arena.react(move |r, later| {
        if *r.get(a) == 1
            && let Some(other) = aim.lock().expect("no test panicked").take()
        {
            later.end(other);
        }
    });
    let noted = log.clone();
    let other = arena.react(move |r, _| noted.note(r.get(a).to_string()));
    *target.lock().expect("no test panicked") = Some(other);
    assert_eq!(log.take(), ["0"]);

    arena.turn(|w| w.set(a, 1));
    arena.turn(|w| w.set(a, 2));

    assert_eq!(log.len(), 0);
    assert_eq!(arena.consumer_count(a), 1);
    assert!(!arena.end(other), "it has ended before");
}

#[test]
fn ending_a_reaction_twice_is_ending_it_once() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(0);
    let noted = log.clone();
    let reaction = arena.react(move |r, _| noted.note(r.get(a).to_string()));
    let noted = log.clone();
    let other = arena.react(move |r, _| noted.note(format!("other {}", r.get(a))));
    log.take();

    assert!(arena.end(reaction));
    assert!(!arena.end(reaction));
    arena.turn(|w| w.set(a, 1));

    assert_eq!(log.take(), ["other 1"]);
    assert!(arena.end(other));
    assert_eq!(arena.consumer_count(a), 0);
}

#[test]
fn quiet_reactions_cost_a_turn_nothing() {
    let mut arena = arena();
    let (busy, quiet) = (arena.source(0), arena.source(0));
    let shown = arena.derived(move |r| r.get(busy) + 1);
    arena.react(move |r, _| {
        r.get(shown);
    });
    arena.turn(|w| w.set(busy, 1));
    let alone = arena.counts();
    for _ in 0..500 {
        arena.react(move |r, _| {
            r.get(quiet);
        });
    }

    arena.turn(|w| w.set(busy, 2));

    assert_eq!(arena.counts().reached, alone.reached);
    assert_eq!(arena.counts().run, alone.run);
}
