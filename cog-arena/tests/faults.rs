//! Faults known in the original, each a test here and nowhere a behaviour.

mod common;

use common::{arena, arena_with_log};

#[test]
fn fault_01_what_is_about_to_be_dropped_is_not_run_ahead_of_its_guard() {
    let (mut arena, log) = arena_with_log();
    let (has_target, a) = (arena.source(true), arena.source(1));
    let costly = arena.derived(log.named("costly", move |r| r.get(a) * 2));
    let shown = arena.derived(log.named("shown", move |r| {
        if *r.get(has_target) {
            *r.get(costly)
        } else {
            0
        }
    }));
    let hold = arena.hold(shown);
    assert_eq!(*arena.read(shown), 2);
    log.take();

    arena.turn(|w| {
        w.set(a, 5);
        w.set(has_target, false);
    });

    assert_eq!(*arena.read(shown), 0);
    assert_eq!(log.take(), ["shown"]);
    arena.let_go(hold);
}

#[test]
fn fault_01_nothing_runs_for_an_item_that_was_just_removed() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let item = arena.member_family::<u32, String>(space);
    let list = arena.source(vec![1, 2, 3]);
    // A missing item is a panic here, as an `unwrap` on a despawned entity is.
    let label = arena.derived_family(
        space,
        log.keyed("label", move |r, &key| r.get(item.at(key)).len()),
    );
    let noted = log.clone();
    arena.turn(|w| (1..=3).for_each(|key| w.set(item.at(key), "x".repeat(key as usize))));
    arena.react(move |r, _| {
        let lengths: Vec<usize> = r
            .get(list)
            .iter()
            .map(|&key| *r.get(label.at(key)))
            .collect();
        noted.note(format!("{lengths:?}"));
    });
    log.take();

    arena.turn(|w| {
        w.remove_key(space, &2);
        w.set(list, vec![1, 3]);
    });

    assert_eq!(log.take(), ["[1, 3]"]);
    assert_eq!(arena.consumer_count(label.at(3)), 1);
}

#[test]
fn fault_04_a_turn_asked_for_by_a_first_run_waits_until_the_run_is_over() {
    let (mut arena, log) = arena_with_log();
    let (before, written, after) = (arena.source(1), arena.source(0), arena.source(1));
    let noted = log.clone();
    arena.react(move |r, later| {
        let sum = r.get(before) + r.peek(written);
        later.turn(move |w| w.set(written, 10));
        noted.note(format!("{} {}", sum, r.get(after)));
    });
    assert_eq!(log.take(), ["1 1"]);
    assert_eq!((*arena.read(written), arena.queued()), (10, 0));

    // It is subscribed to what it read before it asked, to what it read afterwards, and to nothing else.
    arena.turn(|w| w.set(before, 2));
    arena.turn(|w| w.set(after, 2));
    arena.turn(|w| w.set(written, 20));
    assert_eq!(log.take(), ["12 1", "12 2"]);
    let counts = [before, written, after].map(|source| arena.consumer_count(source));
    assert_eq!(counts, [1, 0, 1]);
}

#[test]
fn fault_09_revisions_count_turns_in_64_bits() {
    let mut arena = arena();
    let source = arena.source(0);
    arena.turn(|w| w.set(source, 1));
    let before: u64 = arena.counts().revision;

    (2..1_002).for_each(|next| arena.turn(|w| w.set(source, next)));

    assert_eq!(arena.counts().revision, before + 1_000);
}

#[test]
fn fault_11_nothing_depends_on_the_order_in_which_siblings_settle() {
    let mut seen = Vec::new();
    for mirrored in [false, true] {
        let (mut arena, log) = arena_with_log();
        let source = arena.source(4);
        let constant = arena.derived(log.named("constant", move |r| r.get(source) / 100));
        let parity = arena.derived(log.named("parity", move |r| r.get(source) % 2));
        let value = arena.derived(log.named("value", move |r| r.get(source) * 10));
        let order = if mirrored {
            [value, parity, constant]
        } else {
            [constant, parity, value]
        };
        let sum = arena.derived(log.named("sum", move |r| {
            order.iter().map(|&arm| r.get(arm)).sum::<i32>()
        }));
        let noted = log.clone();
        arena.react(move |r, _| noted.note(format!("seen {}", r.get(sum))));
        for next in [5, 7, 200, 200] {
            arena.turn(|w| w.set(source, next));
        }
        let mut lines = log.take();
        lines.sort();
        seen.push(lines);
    }
    assert_eq!(
        seen[0], seen[1],
        "the same runs and the same values, an early verdict hides no change"
    );
    assert_eq!(seen[0].iter().filter(|line| *line == "sum").count(), 4);
}
