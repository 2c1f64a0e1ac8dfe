//! How feeds end, who may have them where, and which are refused.

mod common;

use cog_arena::{Arena, Depth, Feed, ReadError, TryNextError};
use common::{arena, panic_of};

/// What waits, where the cog always has a value.
fn values<T>(feed: &Feed<T>) -> Vec<T> {
    let told = feed.drain().map(|item| item.expect("the cog has a value"));
    told.collect()
}

#[test]
fn a_feed_of_a_slot_ends_with_the_slot() {
    let mut arena = arena();
    let units = arena.key_space::<u32>();
    let level = arena.member_family::<u32, i32>(units);
    let slot = arena.turn(|w| {
        w.set(level.at(7), 1);
        w.insert_key(units, 7)
    });
    let feed = arena.feed(level.at_slot(slot), Depth::Unbounded);
    arena.turn(|w| w.set(level.at(7), 2));
    arena.turn(|w| {
        w.remove_key(units, &7);
    });
    arena.turn(|w| w.set(level.at(7), 3));

    assert!(feed.has_ended());
    assert_eq!(values(&feed), [1, 2]);
    assert_eq!(feed.try_next(), Err(TryNextError::Ended));
    let late = arena.try_feed(level.at_slot(slot), Depth::Unbounded);
    assert_eq!(late.err(), Some(ReadError::Stale));
}

#[test]
fn a_feed_outlives_its_arena_and_says_that_it_has_ended() {
    let mut arena = Arena::new();
    let price = arena.source(1);
    let feed = arena.feed(price, Depth::Unbounded);
    assert!(!feed.has_ended());
    drop(arena);

    assert_eq!(feed.try_next(), Ok(Some(1)));
    assert_eq!(feed.try_next(), Err(TryNextError::Ended));
    assert!(feed.has_ended());
}

#[test]
fn a_key_is_given_back_when_the_feed_that_named_it_is_dropped() {
    let mut arena = arena();
    let units = arena.key_space::<u32>();
    let level = arena.member_family::<u32, i32>(units);
    let feed = arena.feed(level.at(7), Depth::Unbounded);
    assert_eq!(arena.consumer_count(level.at(7)), 1);
    drop(feed);
    arena.turn(|_| {});
    assert_eq!(arena.consumer_count(level.at(7)), 0);
    let first = arena.turn(|w| w.insert_key(units, 9));
    assert_eq!(
        first.index(),
        0,
        "the number of the key that nobody names any more"
    );
}

#[test]
fn a_feed_may_be_dropped_in_the_middle_of_a_turn() {
    let mut arena = arena();
    let price = arena.source(1);
    let feed = std::sync::Mutex::new(Some(arena.feed(price, Depth::Newest(1))));
    arena.react(move |r, _| {
        if *r.get(price) == 2 {
            drop(feed.lock().expect("one thread").take());
        }
    });
    arena.turn(|w| w.set(price, 2));
    assert_eq!(arena.consumer_count(price), 2);
    arena.turn(|w| w.set(price, 3));
    assert_eq!(arena.consumer_count(price), 1);
}

#[test]
fn a_reader_on_another_thread_gets_every_value_in_order() {
    let mut arena = arena();
    let tick = arena.source(0);
    let feed = arena.feed(tick, Depth::Unbounded);
    let told = std::thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut told = Vec::new();
            loop {
                match feed.try_next() {
                    Ok(value) => told.extend(value),
                    Err(TryNextError::Ended) => return told,
                    Err(_) => std::thread::yield_now(),
                }
            }
        });
        for next in 1..2_000 {
            arena.turn(|w| w.set(tick, next));
        }
        drop(arena);
        reader.join().expect("it read")
    });
    assert_eq!(told, (0..2_000).collect::<Vec<_>>());
}

#[test]
fn a_wrong_feed_is_refused_with_what_to_do() {
    let (mut ours, mut other) = (arena(), Arena::new());
    let price = other.source(1);
    let foreign = ours.try_feed(price, Depth::Unbounded);
    assert_eq!(foreign.err(), Some(ReadError::Foreign));
    let none = panic_of(|| other.feed(price, Depth::Newest(0)));
    assert!(none.contains("keep at least one"), "{none}");
    other.begin();
    let open = panic_of(|| other.feed(price, Depth::Newest(1)));
    assert!(open.contains("Idle"), "{open}");
}
