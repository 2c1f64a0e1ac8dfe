//! Feeds when user code panics: the graph is whole, other feeds are fed, and the next turn is normal.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cog_arena::{Depth, Feed};
use common::{arena, arena_with_log, panic_of};

fn values<T>(feed: &Feed<T>) -> Vec<T> {
    feed.drain()
        .map(|item| item.expect("the cog has a value"))
        .collect()
}

/// What of a value panics.
#[derive(Clone, Default)]
struct Fuse(Arc<[AtomicU32; 2]>);

const CLONE: usize = 0;
const DROP: usize = 1;

impl Fuse {
    fn light(&self, place: usize) {
        self.0[place].store(1, Ordering::Relaxed);
    }

    fn burn(&self, place: usize, text: &str) {
        if self.0[place].swap(0, Ordering::Relaxed) == 1 {
            panic!("{text}");
        }
    }
}

/// A number whose `Clone` and `Drop` may panic, once.
struct Touchy(i32, Fuse);

impl Clone for Touchy {
    fn clone(&self) -> Self {
        self.1.burn(CLONE, "clone");
        Self(self.0, self.1.clone())
    }
}

impl PartialEq for Touchy {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Drop for Touchy {
    fn drop(&mut self) {
        self.1.burn(DROP, "drop");
    }
}

#[test]
fn a_value_whose_clone_panics_is_lost_and_the_next_one_is_fed() {
    let (mut arena, fuse) = (arena(), Fuse::default());
    let touchy = arena.source(Touchy(1, fuse.clone()));
    let number = arena.derived(move |r| r.get(touchy).0);
    let (first, second) = (
        arena.feed(touchy, Depth::Unbounded),
        arena.feed(number, Depth::Unbounded),
    );

    fuse.light(CLONE);
    let text = panic_of(|| arena.turn(|w| w.set(touchy, Touchy(2, fuse.clone()))));
    assert_eq!(text, "clone");
    assert_eq!(values(&second), [1, 2], "the other one was fed");
    arena.turn(|_| {});
    assert_eq!(first.lost(), 1);
    arena.turn(|w| w.set(touchy, Touchy(3, fuse.clone())));

    let told: Vec<i32> = values(&first).iter().map(|touchy| touchy.0).collect();
    assert_eq!(told, [1, 3]);
}

#[test]
fn the_drop_of_a_lost_value_may_panic() {
    let (mut arena, fuse) = (arena(), Fuse::default());
    let touchy = arena.source(Touchy(1, fuse.clone()));
    let feed = arena.feed(touchy, Depth::Newest(1));
    fuse.light(DROP);

    let text = panic_of(|| arena.turn(|w| w.set(touchy, Touchy(2, fuse.clone()))));

    assert_eq!(text, "drop");
    assert_eq!((feed.lost(), feed.len()), (1, 1));
    arena.turn(|w| w.set(touchy, Touchy(3, fuse.clone())));
    let told: Vec<i32> = values(&feed).iter().map(|touchy| touchy.0).collect();
    assert_eq!(told, [3]);
}

#[test]
fn a_feed_is_silent_while_its_cog_fails_and_tells_what_differs_when_it_is_over() {
    let (mut arena, log) = arena_with_log();
    let number = arena.source(1);
    let noted = log.clone();
    let tenfold = arena.derived(move |r| {
        let number = *r.get(number);
        assert!(0 <= number, "too low");
        noted.note("ran");
        number * 10
    });
    let sound = arena.source(1);
    let (feed, other) = (
        arena.feed(tenfold, Depth::Unbounded),
        arena.feed(sound, Depth::Unbounded),
    );
    for low in [-1, -2] {
        let text = panic_of(|| {
            arena.turn(|w| {
                w.set(number, low);
                w.set(sound, low);
            });
        });
        assert!(text.contains("too low"), "{text}");
    }
    assert_eq!((values(&feed), values(&other)), (vec![10], vec![1, -1, -2]));

    arena.turn(|w| w.set(number, 1));
    assert_eq!(values(&feed), [0; 0], "it is back where it was");
    assert!(panic_of(|| arena.turn(|w| w.set(number, -3))).contains("too low"));
    arena.turn(|w| w.set(number, 2));
    assert_eq!(values(&feed), [20]);
    assert_eq!((feed.lost(), log.runs("ran")), (0, 3));
}

#[test]
fn a_declared_row_that_fails_is_fed_alike() {
    let mut arena = arena();
    let units = arena.key_space::<u32>();
    let level = arena.member_family::<u32, i32>(units);
    let health = arena.derived_family_from(units, level.aligned(), |level| {
        assert!(0 <= *level, "too low");
        level * 10
    });
    arena.turn(|w| w.set(level.at(7), 1));
    let hold = arena.hold(health);
    let feed = arena.feed(health.at(7), Depth::Unbounded);
    let low = |arena: &mut common::Checked| {
        let text = panic_of(|| arena.turn(|w| w.set(level.at(7), -1)));
        assert!(text.contains("too low"), "{text}");
    };
    low(&mut arena);
    arena.turn(|w| w.set(level.at(7), 1));
    low(&mut arena);
    arena.turn(|w| w.set(level.at(7), 2));
    low(&mut arena);
    arena.turn(|w| {
        w.remove_key(units, &7);
    });

    assert_eq!(feed.drain().collect::<Vec<_>>(), [Some(10), Some(20), None]);
    arena.let_go(hold);
}

#[test]
fn absence_is_told_once_though_the_cog_fails_in_between() {
    let mut arena = arena();
    let name = arena.cog().absent_source::<&str>();
    let loud = arena.derived_from(name.shared(), |name| {
        assert_ne!(*name, "orc", "no orcs");
        name.to_uppercase()
    });
    let feed = arena.feed(loud, Depth::Unbounded);
    let text = panic_of(|| arena.turn(|w| w.set(name, "orc")));
    assert!(text.contains("no orcs"), "{text}");
    arena.turn(|w| w.clear(name));
    assert_eq!(feed.drain().collect::<Vec<_>>(), [None]);

    arena.turn(|w| w.set(name, "elf"));
    assert_eq!(values(&feed), ["ELF"]);
}

#[test]
fn there_is_no_feed_of_a_cog_that_fails_when_it_is_asked_for() {
    let mut arena = arena();
    let number = arena.source(-1);
    let tenfold = arena.derived(move |r| {
        assert!(0 <= *r.get(number), "too low");
        r.get(number) * 10
    });
    assert!(panic_of(|| arena.feed(tenfold, Depth::Unbounded)).contains("too low"));
    arena.turn(|_| {});
    assert_eq!(arena.consumer_count(tenfold), 0);
    arena.turn(|w| w.set(number, 1));
    assert_eq!(values(&arena.feed(tenfold, Depth::Unbounded)), [10]);
}

#[test]
fn a_cycle_that_a_feed_closes_is_named() {
    let mut arena = arena();
    let (turn, late) = (arena.source(false), common::Late::new());
    let its = late.clone();
    let own = arena.derived(move |r| if *r.get(turn) { *r.get(its.get()) } else { 1 });
    late.set(own);
    let feed = arena.feed(own, Depth::Unbounded);
    let text = panic_of(|| arena.turn(|w| w.set(turn, true)));
    assert!(text.contains(" → "), "{text}");
    arena.turn(|w| w.set(turn, false));
    assert_eq!(values(&feed), [1], "it is back where it was");
}

#[test]
fn a_turn_whose_body_panics_feeds_nothing() {
    let mut arena = arena();
    let number = arena.source(1);
    let feed = arena.feed(number, Depth::Unbounded);
    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(number, 2);
            panic!("no");
        });
    });
    assert_eq!((text.as_str(), values(&feed)), ("no", vec![1]));
}
