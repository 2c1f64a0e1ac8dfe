//! Step 3 of a turn: what runs, how often, in which order, and what stays as it was.

mod common;

use cog_arena::{Derived, Source};
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
fn graph_01_a_chain_is_right() {
    let mut arena = arena();
    let first = arena.source(0);
    let mut last = arena.derived(move |r| r.get(first) + 1);
    for link in 1..100 {
        last = if link % 2 == 0 {
            arena.derived(move |r| r.get(last) + 1)
        } else {
            arena.derived_from(last.shared(), |below: &i32| below + 1)
        };
    }
    assert_eq!(*arena.read(last), 100);

    arena.turn(|w| w.set(first, 11));

    assert_eq!(*arena.read(last), 111);
}

#[test]
fn graph_02_the_bottom_of_a_diamond_runs_once() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let left = arena.derived(move |r| r.get(a) * 10);
    let right = arena.derived_from(a.shared(), |a: &i32| a + 1);
    let tracked = arena.derived(log.named("tracked", move |r| r.get(left) + r.get(right)));
    let noted = log.clone();
    let over = arena.derived_from(
        (left.shared(), right.shared()),
        move |(l, r): (&i32, &i32)| {
            noted.note("declared");
            l + r
        },
    );
    assert_eq!((*arena.read(tracked), *arena.read(over)), (12, 12));

    arena.turn(|w| w.set(a, 2));

    assert_eq!((*arena.read(tracked), *arena.read(over)), (23, 23));
    assert_eq!((log.runs("tracked"), log.runs("declared")), (2, 2));
}

#[test]
fn graph_04_of_a_broad_fan_only_what_is_read_runs() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let a = arena.source(1);
    let fan = arena.derived_family(space, log.keyed("fan", move |r, k| r.get(a) + k));
    for key in 0..50 {
        arena.read(fan.at(key));
    }
    log.take();

    arena.turn(|w| w.set(a, 2));
    assert_eq!(log.len(), 0);

    assert_eq!(*arena.read(fan.at(7)), 9);
    assert_eq!(*arena.read(fan.at(30)), 32);
    assert_eq!(log.take(), ["fan[7]", "fan[30]"]);
}

#[test]
fn graph_05_an_equal_middle_stops_the_wave() {
    let (mut arena, log) = arena_with_log();
    let number = arena.source(2);
    let is_even = arena.derived(log.named("is_even", move |r| r.get(number) % 2 == 0));
    let label = arena.derived(log.named(
        "label",
        move |r| if *r.get(is_even) { "even" } else { "odd" },
    ));
    let noted = log.clone();
    let over = arena.derived_from(is_even.shared(), move |even: &bool| {
        noted.note("declared");
        !even
    });
    assert_eq!((*arena.read(label), *arena.read(over)), ("even", false));
    log.take();

    arena.turn(|w| w.set(number, 4));

    assert_eq!((*arena.read(label), *arena.read(over)), ("even", false));
    assert_eq!(log.take(), ["is_even"]);
}

#[test]
fn graph_06_a_middle_that_changes_carries_it_on() {
    let (mut arena, log) = arena_with_log();
    let number = arena.source(2);
    let half = declared(&mut arena, &log, "half", number, |n| n / 2);
    let label = arena.derived(log.named("label", move |r| r.get(half) * 100));
    arena.read(label);
    log.take();

    arena.turn(|w| w.set(number, 3));
    assert_eq!(*arena.read(label), 100);
    arena.turn(|w| w.set(number, 4));
    assert_eq!(*arena.read(label), 200);

    assert_eq!(log.take(), ["half", "half", "label"]);
}

#[test]
fn graph_07_what_nobody_holds_does_not_run_on_a_write() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let tracked = arena.derived(log.named("tracked", move |r| *r.get(a)));
    let over = declared(&mut arena, &log, "declared", a, |a| a);
    arena.read(tracked);
    arena.read(over);
    log.take();

    arena.turn(|w| w.set(a, 2));
    assert_eq!(log.len(), 0);

    // Held, both run inside the turn.
    let holds = [arena.hold(tracked), arena.hold(over)];
    log.take();
    arena.turn(|w| w.set(a, 3));
    assert_eq!((log.runs("tracked"), log.runs("declared")), (1, 1));
    for hold in holds {
        arena.let_go(hold);
    }

    // And let go, they don't.
    log.take();
    arena.turn(|w| w.set(a, 4));
    assert_eq!(log.len(), 0);
}

#[test]
fn graph_08_ten_missed_turns_are_one_run() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(0);
    let middle = declared(&mut arena, &log, "middle", a, |a| a + 1);
    let end = arena.derived(log.named("end", move |r| r.get(middle) * 2));
    arena.read(end);
    log.take();

    for next in 1..=10 {
        arena.turn(|w| w.set(a, next));
    }

    assert_eq!(*arena.read(end), 22);
    assert_eq!(log.take(), ["middle", "end"]);
}

#[test]
fn graph_09_a_conditional_dependency_switches_both_ways() {
    let (mut arena, log) = arena_with_log();
    let (flag, a, b) = (arena.source(true), arena.source(1), arena.source(2));
    let chosen =
        arena.derived(log.named("chosen", move |r| *r.get(if *r.get(flag) { a } else { b })));
    assert_eq!(*arena.read(chosen), 1);
    // (what is written, what is read afterwards, runs so far)
    let mut step = |write: (Option<bool>, Source<i32>, i32), value: i32, runs: usize| {
        arena.turn(|w| {
            if let Some(on) = write.0 {
                w.set(flag, on);
            }
            w.set(write.1, write.2);
        });
        assert_eq!(*arena.read(chosen), value);
        assert_eq!(log.runs("chosen"), runs);
    };

    step((None, b, 20), 1, 1);
    step((None, a, 10), 10, 2);
    step((Some(false), a, 11), 20, 3);
    step((None, a, 12), 20, 3);
    step((None, b, 21), 21, 4);
    step((Some(true), b, 22), 12, 5);
    step((None, b, 23), 12, 5);
}

#[test]
fn graph_10_a_first_read_later_on_attaches() {
    let (mut arena, log) = arena_with_log();
    let (ready, value) = (arena.source(false), arena.source(7));
    let shown = arena.derived(log.named("shown", move |r| {
        if !r.get(ready) {
            return -1;
        }
        *r.get(value)
    }));
    assert_eq!(*arena.read(shown), -1);
    assert_eq!(arena.consumer_count(value), 0);

    arena.turn(|w| w.set(ready, true));
    assert_eq!(*arena.read(shown), 7);
    arena.turn(|w| w.set(value, 8));

    assert_eq!(*arena.read(shown), 8);
    assert_eq!(log.runs("shown"), 3);
}

#[test]
fn graph_11_an_item_that_leaves_a_list_is_detached() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let price = arena.source_family(space, |_| 1);
    let list = arena.source(vec![1, 2, 3]);
    let total = arena.derived(log.named("total", move |r| {
        r.get(list)
            .iter()
            .map(|&item| *r.get(price.at(item)))
            .sum::<i32>()
    }));
    let hold = arena.hold(total);
    log.take();

    arena.turn(|w| w.set(list, vec![1, 3]));
    assert_eq!(log.take().len(), 1);
    arena.turn(|w| w.set(price.at(2), 100));

    assert_eq!(log.len(), 0);
    assert_eq!(*arena.read(total), 2);
    assert_eq!(arena.consumer_count(price.at(2)), 0);
    arena.let_go(hold);
}

#[test]
fn graph_12_a_dependency_chosen_by_another_value_follows_it() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let health = arena.source_family(space, |key| *key);
    let target = arena.source(1);
    let shown = arena.derived(log.named("shown", move |r| *r.get(health.at(*r.get(target)))));
    assert_eq!(*arena.read(shown), 1);

    arena.turn(|w| w.set(target, 5));
    assert_eq!(*arena.read(shown), 5);
    arena.turn(|w| w.set(health.at(1), 100));
    assert_eq!(*arena.read(shown), 5);
    arena.turn(|w| w.set(health.at(5), 500));
    assert_eq!(*arena.read(shown), 500);

    assert_eq!(log.runs("shown"), 3);
}

#[test]
fn graph_13_an_uneven_diamond_runs_once_and_is_not_torn() {
    let (mut arena, log) = arena_with_log();
    let a = arena.source(1);
    let mut deep = arena.derived(move |r| *r.get(a));
    for _ in 0..5 {
        deep = arena.derived(move |r| *r.get(deep));
    }
    let join = arena.derived(log.named("join", move |r| (*r.get(a), *r.get(deep))));
    let noted = log.clone();
    arena.react(move |r, _| {
        let (short, long) = *r.get(join);
        assert_eq!(short, long, "a join of one turn");
        noted.note("seen");
    });

    for next in [2, 3] {
        arena.turn(|w| w.set(a, next));
    }

    assert_eq!((log.runs("join"), log.runs("seen")), (3, 3));
}

#[test]
fn perf_11_keys_at_rest_cost_a_turn_nothing() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let source = arena.source_family(space, |_| 0_u32);
    let double = arena.derived_family(space, move |r, &key| r.get(source.at(key)) * 2);
    let mut holds = vec![arena.hold(double.at(0))];
    arena.turn(|w| w.set(source.at(0), 1));
    let alone = arena.counts();
    holds.extend((1..1_000).map(|key| arena.hold(double.at(key))));
    arena.turn(|_| {});

    arena.turn(|w| w.set(source.at(0), 2));

    assert_eq!(
        (arena.counts().reached, arena.counts().run),
        (alone.reached, alone.run)
    );
    assert_eq!(*arena.read(double.at(0)), 4);
    for hold in holds {
        arena.let_go(hold);
    }
}
