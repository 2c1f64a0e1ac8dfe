//! Reading: what a read sees, what it remembers, and what a peek does not.

mod common;

use cog_arena::{Derived, Previous, Source};
use common::{Checked, Log, arena, arena_with_log};

/// A declared function of one keyless source, noting its runs.
fn declared(
    arena: &mut Checked,
    log: &Log,
    name: &'static str,
    input: Source<i32>,
    function: fn(i32) -> i32,
) -> Derived<i32> {
    let log = log.clone();
    arena.derived_from(input.shared(), move |input: &i32| {
        log.note(name);
        function(*input)
    })
}

#[test]
fn read_01_a_read_after_the_turn_sees_the_write() {
    let mut arena = arena();
    let a = arena.source(1);
    let tracked = arena.derived(move |r| r.get(a) + 1);
    let over = arena.derived_from(a.shared(), |a: &i32| a + 1);

    for next in [5, 6, 60] {
        arena.turn(|w| w.set(a, next));
        assert_eq!(*arena.read(a), next);
        assert_eq!(*arena.read(tracked), next + 1);
        assert_eq!(*arena.read(over), next + 1);
    }
}

#[test]
fn read_02_repeated_reads_of_what_did_not_change_run_once() {
    let (mut arena, log) = arena_with_log();
    let (a, other) = (arena.source(1), arena.source(1));
    let tracked = arena.derived(log.named("tracked", move |r| r.get(a) + 1));
    let over = declared(&mut arena, &log, "declared", a, |a| a + 1);

    for next in 0..5 {
        arena.turn(|w| w.set(other, next));
        assert_eq!(*arena.read(tracked), 2);
        assert_eq!(*arena.read(over), 2);
    }

    assert_eq!(log.take(), ["tracked", "declared"]);
}

#[test]
fn read_03_two_sources_of_one_turn_are_seen_together() {
    let (mut arena, log) = arena_with_log();
    let (a, b) = (arena.source(1), arena.source(1));
    let noted = log.clone();
    let pair = arena.derived(move |r| {
        noted.note(format!("{} {}", r.get(a), r.get(b)));
        r.get(a) + r.get(b)
    });
    arena.read(pair);

    arena.turn(|w| {
        w.set(a, 2);
        w.set(b, 2);
    });
    arena.read(pair);

    assert_eq!(log.take(), ["1 1", "2 2"]);
}

#[test]
fn read_04_the_previous_value_folds_a_running_one_for_each_key() {
    let mut arena = arena();
    let space = arena.key_space::<u8>();
    let input = arena.source_family(space, |_| 0);
    let tracked = arena.derived_family(space, move |r, &key| {
        r.previous::<i32>().copied().unwrap_or(0) + r.get(input.at(key))
    });
    let over = arena.derived_family_from(
        space,
        (Previous::<i32>::new(), input.aligned()),
        |(before, input): (Option<&i32>, &i32)| before.copied().unwrap_or(0) + input,
    );

    for (key, next) in [(1, 10), (2, 100), (1, 20), (1, 30), (2, 200)] {
        arena.turn(|w| w.set(input.at(key), next));
        arena.read(tracked.at(key));
        arena.read(over.at(key));
    }

    for (key, sum) in [(1, 60), (2, 300)] {
        assert_eq!(*arena.read(tracked.at(key)), sum);
        assert_eq!(*arena.read(over.at(key)), sum);
    }
}

#[test]
fn read_05_the_first_run_can_tell_that_nothing_came_before() {
    let mut arena = arena();
    let a = arena.source(1);
    let runs = arena.derived(move |r| {
        r.get(a);
        r.previous::<u32>().map_or(1, |n| n + 1)
    });
    let declared = arena.derived_from(
        (a.shared(), Previous::<u32>::new()),
        |(_, n): (&i32, Option<&u32>)| n.map_or(1, |n| n + 1),
    );

    for (next, count) in [(10, 1), (20, 2), (30, 3)] {
        arena.turn(|w| w.set(a, next));
        assert_eq!(*arena.read(runs), count);
        assert_eq!(*arena.read(declared), count);
    }
}

#[test]
fn read_06_a_peek_is_current_adds_no_edge_and_takes_none_away() {
    let (mut arena, log) = arena_with_log();
    let (a, b) = (arena.source(1), arena.source(10));
    let double = arena.derived(log.named("double", move |r| r.get(b) * 2));
    let sum = arena.derived(log.named("sum", move |r| r.get(a) + r.peek(double)));
    let both = arena.derived(log.named("both", move |r| r.get(b) + r.peek(b)));
    assert_eq!((*arena.read(sum), *arena.read(both)), (21, 20));
    log.take();

    arena.turn(|w| w.set(b, 20));
    assert_eq!(*arena.read(sum), 21, "what is peeked moves nobody");
    assert_eq!(
        *arena.read(both),
        40,
        "a peek beside a read leaves the read recorded"
    );
    assert_eq!(log.take(), ["both"]);

    arena.turn(|w| w.set(a, 2));
    assert_eq!(
        *arena.read(sum),
        42,
        "and is current when something else moves"
    );
    assert_eq!(log.take(), ["sum", "double"]);
}

#[test]
fn read_07_a_peek_settles_what_is_stale_and_follows_it_no_further() {
    let (mut arena, log) = arena_with_log();
    let (a, trigger) = (arena.source(1), arena.source(0));
    let double = arena.derived(log.named("double", move |r| r.get(a) * 2));
    let noted = log.clone();
    arena.react(move |r, _| {
        r.get(trigger);
        noted.note(format!("sees {}", r.peek(double)));
    });
    arena.turn(|w| w.set(a, 5));
    assert_eq!(log.take(), ["double", "sees 2"]);

    arena.turn(|w| w.set(trigger, 1));

    assert_eq!(log.take(), ["double", "sees 10"]);
    assert_eq!(arena.consumer_count(double), 0);
}

#[test]
fn what_is_settled_can_be_read_through_a_shared_borrow_and_what_is_not_cannot() {
    let mut arena = arena();
    let a = arena.source(1);
    let tracked = arena.derived(move |r| r.get(a) + 1);
    let over = arena.derived_from(a.shared(), |a: &i32| a + 2);
    assert_eq!(
        (arena.settled(tracked), arena.settled(over)),
        (None, None),
        "never run"
    );

    arena.read(tracked);
    arena.read(over);
    assert_eq!(
        (
            arena.settled(a),
            arena.settled(tracked),
            arena.settled(over)
        ),
        (Some(&1), Some(&2), Some(&3))
    );

    arena.turn(|w| w.set(a, 5));
    assert_eq!(
        (
            arena.settled(a),
            arena.settled(tracked),
            arena.settled(over)
        ),
        (Some(&5), None, None)
    );
    let threads = std::thread::scope(|scope| {
        let readers = [(); 2].map(|()| scope.spawn(|| arena.settled(a).copied()));
        readers.map(|reader| reader.join().expect("a reading thread ends"))
    });
    assert_eq!(threads, [Some(5), Some(5)]);
}
