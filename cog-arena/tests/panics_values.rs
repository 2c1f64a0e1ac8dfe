//! Panics in a value's own code: `PartialEq`, `Clone`, `Drop`. None of them is trusted.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cog_arena::First;
use common::{arena, arena_with_log, panic_of};

/// What of a value panics next, once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    Nothing,
    Equality,
    Clone,
    Drop,
}

/// Lights the fuse of all values of one test. A panic puts it out.
#[derive(Clone, Default)]
struct Fuse(Arc<AtomicU32>);

impl Fuse {
    fn light(&self, place: In) {
        self.0.store(place as u32, Ordering::Relaxed);
    }

    fn burn(&self, place: In, text: &str) {
        // A second panic while one unwinds would end the process, so the fuse waits.
        if self.0.load(Ordering::Relaxed) == place as u32 && !std::thread::panicking() {
            self.light(In::Nothing);
            panic!("{text}");
        }
    }

    fn value(&self, number: i32) -> Touchy {
        Touchy {
            number,
            fuse: self.clone(),
        }
    }
}

/// A number whose every trait may panic.
struct Touchy {
    number: i32,
    fuse: Fuse,
}

impl Touchy {
    /// Through a borrow, so that a closure captures the whole value.
    fn number(&self) -> i32 {
        self.number
    }
}

impl PartialEq for Touchy {
    fn eq(&self, other: &Self) -> bool {
        self.fuse.burn(In::Equality, "equality");
        self.number == other.number
    }
}

impl Clone for Touchy {
    fn clone(&self) -> Self {
        self.fuse.burn(In::Clone, "clone");
        self.fuse.value(self.number)
    }
}

impl Drop for Touchy {
    fn drop(&mut self) {
        self.fuse.burn(In::Drop, "drop");
    }
}

#[test]
fn when_the_equality_of_a_source_panics_everything_staged_is_discarded() {
    let (mut arena, log) = arena_with_log();
    let fuse = Fuse::default();
    let (before, touchy, after) = (
        arena.source(1),
        arena.source(fuse.value(1)),
        arena.source(1),
    );
    let noted = log.clone();
    arena.react(move |r, _| {
        noted.note(format!(
            "{} {} {}",
            r.get(before),
            r.get(touchy).number,
            r.get(after)
        ));
    });
    log.take();
    fuse.light(In::Equality);

    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(before, 2);
            w.set(touchy, fuse.value(2));
            w.set(after, 2);
        });
    });

    assert_eq!(text, "equality");
    assert_eq!((*arena.read(before), arena.read(touchy).number), (1, 1));
    assert_eq!(*arena.read(after), 1);
    arena.turn(|_| {});
    assert_eq!(log.len(), 0);
    arena.turn(|w| w.set(touchy, fuse.value(2)));
    assert_eq!(log.take(), ["1 2 1"]);
}

#[test]
fn when_the_equality_of_a_derived_panics_the_row_stays_stale() {
    let (mut arena, log) = arena_with_log();
    let fuse = Fuse::default();
    let number = arena.source(1);
    let made = fuse.clone();
    let tracked = arena.derived(log.named("tracked", move |r| made.value(*r.get(number))));
    let made = fuse.clone();
    let over = arena.derived_from(number.shared(), move |n: &i32| made.value(*n));
    assert_eq!(
        (arena.read(tracked).number, arena.read(over).number),
        (1, 1)
    );

    arena.turn(|w| w.set(number, 2));
    fuse.light(In::Equality);
    assert_eq!(panic_of(|| arena.read(tracked).number), "equality");
    assert!(arena.settled(tracked).is_none());
    fuse.light(In::Equality);
    assert_eq!(panic_of(|| arena.read(over).number), "equality");

    assert_eq!(arena.read(tracked).number, 2);
    assert_eq!(arena.read(over).number, 2);
    assert_eq!(log.runs("tracked"), 3);
}

#[test]
fn when_the_equality_of_a_held_derived_panics_the_turn_ends_with_it_and_the_next_is_normal() {
    let (mut arena, log) = arena_with_log();
    let fuse = Fuse::default();
    let space = arena.key_space::<u32>();
    let number = arena.member_family::<u32, i32>(space);
    let made = fuse.clone();
    let column = arena.derived_family_from(space, number.aligned(), move |n: &i32| made.value(*n));
    arena.turn(|w| (0..100).for_each(|key| w.set(number.at(key), 0)));
    let hold = arena.hold(column);
    arena.turn(|_| {});
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.get(number.at(0)).to_string()));
    fuse.light(In::Equality);

    let text = panic_of(|| arena.turn(|w| (0..100).for_each(|key| w.set(number.at(key), 5))));

    assert_eq!(text, "equality");
    assert_eq!(log.take(), ["0", "5"]);
    arena.turn(|w| w.set(number.at(7), 6));
    let values: Vec<i32> = (0..100)
        .map(|key| arena.read(column.at(key)).number)
        .collect();
    assert!(
        (0..100).all(|key| values[key] == if key == 7 { 6 } else { 5 }),
        "{values:?}"
    );
    arena.let_go(hold);
}

#[test]
fn when_clone_panics_in_a_body_nothing_staged_survives() {
    let mut arena = arena();
    let fuse = Fuse::default();
    let (plain, touchy) = (arena.source(1), arena.source(fuse.value(1)));
    fuse.light(In::Clone);
    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(plain, 2);
            w.update(touchy, |t| t.number = 2);
        });
    });
    assert_eq!(text, "clone");
    fuse.light(In::Clone);
    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(plain, 2);
            w.set_ref(touchy, &fuse.value(2));
        });
    });
    assert_eq!(text, "clone");
    assert_eq!((*arena.read(plain), arena.read(touchy).number), (1, 1));

    arena.turn(|w| w.update(touchy, |t| t.number = 3));
    assert_eq!(arena.read(touchy).number, 3);
}

#[test]
fn when_clone_panics_in_a_watch_the_other_reactions_still_run() {
    let (mut arena, log) = arena_with_log();
    let fuse = Fuse::default();
    let touchy = arena.source(fuse.value(1));
    let noted = log.clone();
    arena.watch(touchy, First::Run, move |_, new, _| {
        noted.note(format!("watch {}", new.number));
    });
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("react {}", r.get(touchy).number)));
    log.take();
    fuse.light(In::Clone);

    assert_eq!(
        panic_of(|| arena.turn(|w| w.set(touchy, fuse.value(2)))),
        "clone"
    );
    assert_eq!(log.runs("react 2"), 1);
    log.take();

    arena.turn(|w| w.set(touchy, fuse.value(3)));
    assert_eq!(log.take(), ["watch 3", "react 3"]);
}

#[test]
fn when_the_drop_of_a_replaced_source_value_panics_the_new_value_is_there() {
    let (mut arena, log) = arena_with_log();
    let fuse = Fuse::default();
    let touchy = arena.source(fuse.value(1));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.get(touchy).number.to_string()));
    fuse.light(In::Drop);

    // The old value may be dropped in this turn or, as one that was lent, in a later one.
    let texts: Vec<String> = (2..5)
        .filter_map(|next| {
            let turn =
                std::panic::AssertUnwindSafe(|| arena.turn(|w| w.set(touchy, fuse.value(next))));
            std::panic::catch_unwind(turn)
                .err()
                .map(|p| *p.downcast_ref::<&str>().unwrap_or(&"?"))
        })
        .map(String::from)
        .collect();

    assert_eq!(
        texts.len(),
        1,
        "the fuse burned once, and its panic was heard: {texts:?}"
    );
    assert_eq!(arena.read(touchy).number, 4);
    assert_eq!(log.take(), ["1", "2", "3", "4"]);
}

#[test]
fn when_the_drop_of_a_replaced_derived_value_panics_the_new_value_is_there() {
    let (mut arena, log) = arena_with_log();
    let fuse = Fuse::default();
    let space = arena.key_space::<u32>();
    let number = arena.member_family::<u32, i32>(space);
    let made = fuse.clone();
    let column = arena.derived_family_from(space, number.aligned(), move |n: &i32| made.value(*n));
    let made = fuse.clone();
    let tracked =
        arena.derived(log.named("tracked", move |r| made.value(r.get(column.at(1)).number)));
    arena.turn(|w| (0..3).for_each(|key| w.set(number.at(key), 1)));
    let holds = (arena.hold(column), arena.hold(tracked));
    arena.turn(|_| {});

    for next in 2..6 {
        fuse.light(In::Drop);
        let text = panic_of(|| arena.turn(|w| w.set(number.at(1), next)));
        assert_eq!(text, "drop");
        fuse.light(In::Nothing);
        arena.turn(|_| {});
        assert_eq!(
            (arena.read(column.at(1)).number, arena.read(tracked).number),
            (next, next)
        );
    }
    arena.let_go(holds.0);
    arena.let_go(holds.1);
}

#[test]
fn when_the_drop_of_a_removed_value_panics_the_key_is_gone_all_the_same() {
    let (mut arena, log) = arena_with_log();
    let fuse = Fuse::default();
    let space = arena.key_space::<u32>();
    let touchy = arena.member_family::<u32, Touchy>(space);
    arena.turn(|w| (0..3).for_each(|key| w.set(touchy.at(key), fuse.value(1))));
    let noted = log.clone();
    arena.react(move |r, _| noted.note(r.lookup(touchy.at(1)).is_some().to_string()));
    fuse.light(In::Drop);

    let text = panic_of(|| {
        arena.turn(|w| w.remove_key(space, &1));
        arena.turn(|_| {});
    });

    assert_eq!(text, "drop");
    arena.turn(|_| {});
    assert_eq!(log.take(), ["true", "false"]);
    assert_eq!(arena.keys(space).copied().collect::<Vec<_>>(), [0, 2]);
    arena.turn(|w| w.set(touchy.at(1), fuse.value(5)));
    assert_eq!(arena.read(touchy.at(1)).number, 5);
}

#[test]
fn when_the_drop_of_an_overwritten_staged_value_panics_the_turn_is_discarded() {
    let mut arena = arena();
    let fuse = Fuse::default();
    let (plain, touchy) = (arena.source(1), arena.source(fuse.value(1)));

    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(plain, 2);
            w.set(touchy, fuse.value(2));
            fuse.light(In::Drop);
            w.set(touchy, fuse.value(3));
            w.set(plain, 3);
        });
        fuse.light(In::Nothing);
    });

    assert_eq!(text, "drop");
    arena.turn(|w| w.set(touchy, fuse.value(4)));
    assert_eq!(arena.read(touchy).number, 4);
    assert!(
        [1, 3].contains(arena.read(plain)),
        "all of the turn's body, or nothing of it"
    );
}

#[test]
fn when_what_a_reaction_captured_panics_at_its_drop_the_reaction_has_ended() {
    let (mut arena, log) = arena_with_log();
    let fuse = Fuse::default();
    let a = arena.source(0);
    let (captured, noted) = (fuse.value(1), log.clone());
    let reaction =
        arena.react(move |r, _| noted.note(format!("{} {}", r.get(a), captured.number())));
    fuse.light(In::Drop);

    assert_eq!(panic_of(|| arena.end(reaction)), "drop");

    assert!(!arena.end(reaction));
    arena.turn(|w| w.set(a, 1));
    assert_eq!(log.take(), ["0 1"]);
    assert_eq!(arena.consumer_count(a), 0);
}
