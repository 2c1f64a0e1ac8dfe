//! Catalogue A.10, X13, X14 and X17: panics in `Drop` of a value, in a cascade of removals, and in
//! the caller's warning function.

mod cases_common {
    pub(crate) mod log;
    pub(crate) mod panics;
    pub(crate) mod turns;
}

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cases_common::log::follow;
use cases_common::panics::panic_of;
use cases_common::turns::set;
use cog_arena::{Arena, Warning};

/// A number that counts its drops, and panics when a negative one is dropped.
#[derive(Clone, Debug)]
struct Fragile {
    number: i32,
    drops: Arc<AtomicU32>,
}

impl Fragile {
    fn new(number: i32, drops: &Arc<AtomicU32>) -> Self {
        Self {
            number,
            drops: Arc::clone(drops),
        }
    }
}

impl PartialEq for Fragile {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        self.drops.fetch_add(1, Ordering::Relaxed);
        assert!(
            self.number >= 0 || std::thread::panicking(),
            "a negative number was dropped"
        );
    }
}

#[test]
fn case_x13_a_panic_in_the_drop_of_a_replaced_value_leaves_the_new_one() {
    let drops = Arc::new(AtomicU32::new(0));
    let mut arena = Arena::new();
    let s = arena.source(Fragile::new(-1, &drops));
    let d = arena.derived(move |r| r.get(s).number * 2);
    let (log, _) = follow(&mut arena, move |r| *r.get(d));

    let text = panic_of(|| arena.turn(|w| w.set(s, Fragile::new(5, &drops))));

    assert_eq!(text, "a negative number was dropped");
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    assert_eq!((arena.read(s).number, *arena.read(d)), (5, 10));
    assert_eq!(log.entries(), [-2, 10]);

    set(&mut arena, s, Fragile::new(6, &drops));
    assert_eq!(log.entries(), [-2, 10, 12]);
}

#[test]
fn case_x13_a_panic_in_the_drop_of_a_derived_value_leaves_the_new_one() {
    let drops = Arc::new(AtomicU32::new(0));
    let mut arena = Arena::new();
    let s = arena.source(-1);
    let d = {
        let drops = Arc::clone(&drops);
        arena.derived(move |r| Fragile::new(*r.get(s), &drops))
    };
    let reader = arena.derived(move |r| r.get(d).number * 2);
    assert_eq!(*arena.read(reader), -2);

    set(&mut arena, s, 5);
    assert_eq!(
        panic_of(|| *arena.read(reader)),
        "a negative number was dropped"
    );

    assert_eq!(*arena.read(reader), 10);
    set(&mut arena, s, 6);
    assert_eq!(*arena.read(reader), 12);
}

// `drops` of the second family: a key whose first row fails to go takes its other rows with it.
#[test]
fn case_x14_a_panic_in_a_removal_stops_no_other_removal() {
    let [first, second] = [(); 2].map(|()| Arc::new(AtomicU32::new(0)));
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let fragile = arena.member_family::<u32, Fragile>(space);
    let sibling = arena.member_family::<u32, Fragile>(space);
    arena.turn(|w| {
        for key in [1, 2] {
            w.set(fragile.at(key), Fragile::new(-1, &first));
            w.set(sibling.at(key), Fragile::new(1, &second));
        }
    });
    let (log, _) = follow(&mut arena, move |r| r.lookup(sibling.at(1)).is_some());
    let before = second.load(Ordering::Relaxed);

    let text = panic_of(|| {
        arena.turn(|w| {
            w.remove_key(space, &1);
        });
    });

    assert_eq!(text, "a negative number was dropped");
    assert!(!arena.contains(space, &1));
    assert!(arena.lookup(fragile.at(1)).is_none());
    assert!(arena.lookup(sibling.at(1)).is_none());
    assert_eq!(second.load(Ordering::Relaxed), before + 1);
    assert_eq!(log.entries(), [true, false]);

    arena.turn(|w| w.set(sibling.at(1), Fragile::new(7, &second)));
    assert_eq!(log.entries(), [true, false, true]);
    assert_eq!(panic_of(|| drop(arena)), "a negative number was dropped");
}

#[test]
fn case_x14_every_key_that_a_turn_removes_goes_though_each_of_them_fails_to() {
    let [first, second] = [(); 2].map(|()| Arc::new(AtomicU32::new(0)));
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let fragile = arena.member_family::<u32, Fragile>(space);
    let sibling = arena.member_family::<u32, Fragile>(space);
    let number = arena.derived_family_from(space, sibling.aligned(), |f: &Fragile| f.number);
    let hold = arena.hold(number);
    arena.turn(|w| {
        for key in 0..200 {
            // All but every tenth panics as it goes.
            let value = if key % 10 == 0 { 1 } else { -1 };
            w.set(fragile.at(key), Fragile::new(value, &first));
            w.set(sibling.at(key), Fragile::new(1, &second));
        }
    });
    let before = [&first, &second].map(|drops| drops.load(Ordering::Relaxed));

    let text = panic_of(|| {
        arena.turn(|w| {
            for key in 0..199 {
                w.remove_key(space, &key);
            }
        });
    });

    assert_eq!(text, "a negative number was dropped");
    let after = [&first, &second].map(|drops| drops.load(Ordering::Relaxed));
    assert_eq!(after, before.map(|drops| drops + 199));
    assert_eq!(arena.keys(space).collect::<Vec<_>>(), [&199]);
    assert_eq!(arena.settled(number.at(0)), None);
    assert_eq!(arena.settled(number.at(199)), Some(&1));
    arena.turn(|w| w.set(sibling.at(5), Fragile::new(7, &second)));
    assert_eq!(arena.settled(number.at(5)), Some(&7));
    arena.let_go(hold);
    assert_eq!(panic_of(|| drop(arena)), "a negative number was dropped");
}

#[test]
fn case_x17_a_panic_in_the_warning_function_stops_no_later_turn() {
    let mut arena = Arena::new();
    let s = arena.source(0);
    arena.on_warning(|warning: &Warning| panic!("warned of {warning:?}"));
    let (log, _) = follow(&mut arena, move |r| *r.get(s));
    arena.react(move |r, later| {
        let value = *r.get(s);
        if value % 100 != 0 {
            later.turn(move |w| w.set(s, value + 1));
        }
    });

    let text = panic_of(|| arena.turn(|w| w.set(s, 1)));
    assert!(text.contains("LongChain"), "{text}");
    arena.turn(|_| {});
    assert_eq!(*arena.read(s), 100, "the chain went on to its end");
    assert_eq!(log.entries().len(), 101);

    set(&mut arena, s, 200);
    assert_eq!(log.entries().last(), Some(&200));
}
