//! Feeds: the value that is there, then each that differs, for a reader whom no turn waits for.

mod common;

use std::sync::{Arc, Mutex};

use cog_arena::{Depth, Feed, Step, TryNextError};
use common::{arena, arena_with_log};

/// What waits, where the cog always has a value.
fn values<T>(feed: &Feed<T>) -> Vec<T> {
    let told = feed.drain().map(|item| item.expect("the cog has a value"));
    told.collect()
}

#[test]
fn export_01_the_first_value_is_the_settled_one_that_is_there() {
    let (mut arena, log) = arena_with_log();
    let price = arena.source(2);
    let total = arena.derived(log.named("total", move |r| r.get(price) * 10));
    arena.turn(|w| w.set(price, 3));

    let feed = arena.feed(total, Depth::Unbounded);

    assert_eq!(values(&feed), [30], "not 20, which nobody ever asked for");
    assert_eq!(feed.try_next(), Err(TryNextError::Empty));
    assert_eq!(log.runs("total"), 1);
}

#[test]
fn export_02_then_comes_each_change_once_in_the_order_of_the_turns() {
    let (mut arena, log) = arena_with_log();
    let price = arena.source(1);
    let total = arena.derived(log.named("total", move |r| r.get(price) * 10));
    let feed = arena.feed(total, Depth::Unbounded);
    for next in 2..6 {
        arena.turn(|w| {
            w.set(price, 100);
            w.set(price, next);
        });
    }
    arena.turn(|_| {});

    assert_eq!(values(&feed), [10, 20, 30, 40, 50]);
    assert_eq!(
        log.runs("total"),
        5,
        "once when it was fed first, then once a turn"
    );
    assert_eq!(arena.consumer_count(total), 1);
}

#[test]
fn export_03_a_feed_of_the_newest_drops_what_waited_longest_and_counts_it() {
    let mut arena = arena();
    let tick = arena.source(0);
    let (one, three) = (
        arena.feed(tick, Depth::Newest(1)),
        arena.feed(tick, Depth::Newest(3)),
    );
    for next in 1..10 {
        arena.turn(|w| w.set(tick, next));
    }
    assert_eq!((one.len(), one.lost(), values(&one)), (1, 9, vec![9]));
    assert_eq!(
        (three.len(), three.lost(), values(&three)),
        (3, 7, vec![7, 8, 9])
    );

    arena.turn(|w| w.set(tick, 10));

    assert_eq!(
        (values(&one), one.lost()),
        (vec![10], 9),
        "there was room again"
    );
    assert!(one.is_empty());
}

#[test]
fn export_04_a_feed_of_the_oldest_drops_what_comes_too_late_and_counts_it() {
    let mut arena = arena();
    let tick = arena.source(0);
    let feed = arena.feed(tick, Depth::Oldest(3));
    for next in 1..6 {
        arena.turn(|w| w.set(tick, next));
    }
    assert_eq!((feed.lost(), values(&feed)), (3, vec![0, 1, 2]));

    arena.turn(|w| w.set(tick, 6));

    assert_eq!((feed.lost(), values(&feed)), (3, vec![6]));
}

#[test]
fn export_05_feeds_of_one_cog_know_nothing_of_each_other() {
    let (mut arena, log) = arena_with_log();
    let price = arena.source(1);
    let total = arena.derived(log.named("total", move |r| r.get(price) * 10));
    let early = arena.feed(total, Depth::Unbounded);
    arena.turn(|w| w.set(price, 2));
    let late = arena.feed(total, Depth::Newest(1));
    assert_eq!(values(&early), [10, 20]);
    drop(early);
    arena.turn(|w| w.set(price, 3));

    assert_eq!(values(&late), [30]);
    assert_eq!((late.lost(), log.runs("total")), (1, 3));
}

#[test]
fn export_06_a_feed_that_is_dropped_lets_its_cog_go_when_the_next_turn_begins() {
    let (mut arena, log) = arena_with_log();
    let price = arena.source(1);
    let total = arena.derived(log.named("total", move |r| r.get(price) * 10));
    let feed = arena.feed(total, Depth::Unbounded);
    assert_eq!(arena.consumer_count(total), 1);

    std::thread::scope(|scope| drop(scope.spawn(move || drop(feed))));
    assert_eq!(arena.consumer_count(total), 1, "nobody told the arena yet");
    arena.turn(|w| w.set(price, 2));

    assert_eq!(arena.consumer_count(total), 0);
    assert_eq!(log.runs("total"), 1, "nobody needed it in that turn");
    assert_eq!(*arena.read(total), 20);
}

#[test]
fn export_09_an_unbounded_feed_loses_nothing() {
    let mut arena = arena();
    let tick = arena.source(0);
    let feed = arena.feed(tick, Depth::Unbounded);
    for next in 1..1_000 {
        arena.turn(|w| w.set(tick, next));
    }
    assert_eq!(feed.len(), 1_000);
    assert_eq!(values(&feed), (0..1_000).collect::<Vec<_>>());
    assert_eq!(feed.lost(), 0);
}

#[test]
fn export_10_a_sibling_of_the_part_that_is_fed_is_no_news() {
    let mut arena = arena();
    let unit = arena.source((7, "orc"));
    let health = arena.derived(move |r| r.get(unit).0);
    let feed = arena.feed(health, Depth::Unbounded);
    arena.turn(|w| w.set(unit, (7, "ork")));
    arena.turn(|w| w.set(unit, (6, "ork")));

    assert_eq!(values(&feed), [7, 6]);
}

#[test]
fn export_14_an_equal_result_is_no_news() {
    let (mut arena, log) = arena_with_log();
    let health = arena.source(7);
    let is_low = arena.derived(log.named("is_low", move |r| *r.get(health) < 5));
    let feed = arena.feed(is_low, Depth::Unbounded);
    for now in [6, 5, 5] {
        arena.turn(|w| w.set(health, now));
    }
    arena.turn(|w| {
        w.set(health, 1);
        w.set(health, 5);
    });
    assert_eq!((values(&feed), log.runs("is_low")), (vec![false], 3));
}

#[test]
fn export_15_a_feed_keeps_its_cog_for_as_long_as_it_is_there() {
    let (mut arena, log) = arena_with_log();
    let units = arena.key_space::<u32>();
    let level = arena.source_family(units, |_| 1);
    let health = arena.derived_family(
        units,
        log.keyed("health", move |r, key| r.get(level.at(*key)) * 10),
    );
    let feed = arena.feed(health.at(7), Depth::Unbounded);
    for _ in 0..50 {
        arena.turn(|w| w.set(level.at(8), 3));
    }
    assert_eq!(arena.settled(health.at(7)), Some(&10));
    arena.turn(|w| w.set(level.at(7), 2));

    assert_eq!(values(&feed), [10, 20]);
    assert_eq!(log.runs("health[7]"), 2);
    assert_eq!(log.len(), 2, "nothing else of the family is needed");
}

#[test]
fn react_20_what_is_fed_precedes_every_reaction_even_one_registered_before() {
    let (mut arena, log) = arena_with_log();
    let price = arena.source(1);
    let feed = Arc::new(Mutex::new(None::<Feed<i32>>));
    let (its, noted) = (feed.clone(), log.clone());
    arena.react(move |r, _| {
        let fed = its.lock().expect("one thread").as_ref().map(values);
        noted.note(format!("{} {fed:?}", r.get(price)));
    });
    *feed.lock().expect("one thread") = Some(arena.feed(price, Depth::Unbounded));
    arena.turn(|w| w.set(price, 2));

    assert_eq!(log.take(), ["1 None", "2 Some([1, 2])"]);
}

#[test]
fn in_steps_a_feed_gets_its_value_when_the_host_has_published() {
    let mut arena = arena();
    let price = arena.source(1);
    let total = arena.derived(move |r| r.get(price) * 10);
    let feed = arena.feed(total, Depth::Unbounded);
    assert_eq!(values(&feed), [10]);

    arena.begin();
    arena.writer().set(price, 2);
    arena.settle();
    assert_eq!(feed.len(), 0, "the host comes first");
    arena.publish();
    assert_eq!((arena.step(), values(&feed)), (Step::Published, vec![20]));
    arena.run_reactions();
    arena.release();

    arena.begin();
    arena.writer().set(price, 3);
    arena.settle();
    arena.run_reactions();
    arena.release();
    assert_eq!(
        values(&feed),
        [30],
        "a host that publishes nothing need not say so"
    );
    arena.check();
}

#[test]
fn each_turn_of_a_chain_is_fed() {
    let mut arena = arena();
    let count = arena.source(0);
    let feed = arena.feed(count, Depth::Unbounded);
    arena.react(move |r, later| {
        let next = r.get(count) + 1;
        if next < 4 {
            later.turn(move |w| w.set(count, next));
        }
    });
    assert_eq!(values(&feed), [0, 1, 2, 3]);
}

#[test]
fn that_there_is_no_value_is_told_once() {
    let mut arena = arena();
    let name = arena.cog().absent_source::<&str>();
    let feed = arena.feed(name, Depth::Unbounded);
    arena.turn(|w| w.clear(name));
    arena.turn(|w| w.set(name, "orc"));
    arena.turn(|w| w.clear(name));
    arena.turn(|_| {});

    assert_eq!(feed.drain().collect::<Vec<_>>(), [None, Some("orc"), None]);
}

#[test]
fn a_row_of_a_family_is_fed_by_its_key_whatever_becomes_of_the_key() {
    let mut arena = arena();
    let units = arena.key_space::<u32>();
    let level = arena.member_family::<u32, i32>(units);
    let health = arena.derived_family_from(units, level.aligned(), |level| level * 10);
    let feed = arena.feed(health.at(7), Depth::Unbounded);
    let told = || feed.drain().collect::<Vec<_>>();
    assert_eq!(told(), [None]);

    arena.turn(|w| w.set(level.at(7), 1));
    arena.turn(|w| w.set(level.at(8), 2));
    arena.turn(|w| {
        w.remove_key(units, &7);
    });
    arena.turn(|w| w.set(level.at(7), 1));
    assert_eq!(told(), [Some(10), None, Some(10)]);

    arena.turn(|w| {
        w.remove_key(units, &7);
        w.insert_key(units, 7);
        w.set(level.at(7), 1);
    });
    assert_eq!(
        told(),
        [Some(10)],
        "another life, though with the same value"
    );
}

#[test]
fn a_cog_that_always_changes_is_fed_at_each_of_its_runs() {
    let mut arena = arena();
    let price = arena.source(1);
    let sign = arena
        .cog()
        .always_changes()
        .derived(move |r| 0 < *r.get(price));
    let feed = arena.feed(sign, Depth::Unbounded);
    for next in [2, 3, 3] {
        arena.turn(|w| w.set(price, next));
    }
    assert_eq!(values(&feed), [true, true, true]);
}
