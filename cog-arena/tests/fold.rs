//! Folds: one value made of all rows of a family, by the rows that moved.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use cog_arena::{First, SourceFamily};
use common::{Checked, Log, arena, arena_with_log, panic_of};

/// A family with a value for each key below `count`, and a log of the keys that a sum over it looks at.
fn summed(
    arena: &mut Checked,
    log: &Log,
    count: u32,
) -> (SourceFamily<u32, i64>, cog_arena::Derived<i64>) {
    let space = arena.key_space::<u32>();
    let family = arena.member_family::<u32, i64>(space);
    let log = log.clone();
    let sum = arena
        .cog()
        .name("sum")
        .over(family.aligned())
        .sum_by(move |key, value| {
            log.note(key.to_string());
            *value
        });
    arena.turn(|w| (0..count).for_each(|key| w.set(family.at(key), i64::from(key))));
    (family, sum)
}

#[test]
fn a_turn_looks_at_the_rows_that_moved_and_no_others() {
    for held in [false, true] {
        let (mut arena, log) = arena_with_log();
        let (family, sum) = summed(&mut arena, &log, 1000);
        let hold = held.then(|| arena.hold(sum));
        assert_eq!(*arena.read(sum), 499_500);
        assert_eq!(log.take().len(), 1000, "the first run looks at all");

        arena.turn(|w| {
            w.set(family.at(3), 13);
            w.set(family.at(700), 701);
            w.set(family.at(9), 9); // as before
            w.remove(family.at(1));
        });
        assert_eq!(log.len(), if held { 2 } else { 0 });
        assert_eq!(*arena.read(sum), 499_500 + 10 + 1 - 1);
        assert_eq!(log.take(), ["3", "700"]);

        arena.turn(|w| w.set(family.at(5000), 1));
        assert_eq!(*arena.read(sum), 499_511);
        assert_eq!(log.take(), ["5000"]);
        if let Some(hold) = hold {
            arena.let_go(hold);
        }
    }
}

#[test]
fn turns_that_nobody_read_are_made_up_for_in_one_run() {
    let (mut arena, log) = arena_with_log();
    let (family, sum) = summed(&mut arena, &log, 100);
    assert_eq!(*arena.read(sum), 4950);
    log.take();
    for value in 0..10 {
        arena.turn(|w| w.set(family.at(4), value));
        assert_eq!(arena.counts().run, 0, "only read, it waits");
    }
    assert_eq!(*arena.read(sum), 4955);
    assert_eq!(log.take(), ["4"]);
}

#[test]
fn an_equal_total_stops_the_wave() {
    let (mut arena, log) = arena_with_log();
    let (family, sum) = summed(&mut arena, &log, 10);
    let twice = arena.derived(log.named("twice", move |r| r.get(sum) * 2));
    let label = arena.derived_from(sum.shared(), |sum: &i64| sum.to_string());
    let (_sum, _twice, _label) = (arena.hold(sum), arena.hold(twice), arena.hold(label));
    log.take();

    arena.turn(|w| {
        w.set(family.at(1), 2);
        w.set(family.at(2), 1);
    });
    assert_eq!(
        log.take(),
        ["1", "2"],
        "two rows moved, and the sum did not"
    );
    assert_eq!((arena.counts().run, arena.counts().cut), (1, 1));

    arena.turn(|w| w.set(family.at(1), 3));
    assert_eq!(log.take(), ["1", "twice"]);
    assert_eq!(arena.read(label), "46");
}

#[test]
fn a_removed_key_counts_no_more_though_its_number_is_given_out_again() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<&str>();
    let family = arena.member_family::<&str, i64>(space);
    let sum = arena.over(family.aligned()).sum();
    let names = arena.over(family.aligned()).fold(
        String::new(),
        |all, key, _| all.push_str(key),
        |all, key, _| {
            *all = all.replacen(key, "", 1);
        },
    );
    arena.turn(|w| w.set(family.at("old"), 5));
    assert_eq!((*arena.read(sum), arena.read(names).as_str()), (5, "old"));

    arena.turn(|w| w.remove_key(space, &"old"));
    arena.turn(|w| w.set(family.at("new"), 7));
    assert_eq!(arena.slot(space, &"new").map(|slot| slot.index()), Some(0));
    assert_eq!((*arena.read(sum), arena.read(names).as_str()), (7, "new"));

    arena.turn(|w| {
        w.remove_key(space, &"new");
        w.set(family.at("new"), 8);
    });
    assert_eq!((*arena.read(sum), arena.read(names).as_str()), (8, "new"));
    drop(log);
}

#[test]
fn rows_that_were_only_read_belong_to_no_member_and_do_not_count() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let level = arena.source_family(space, |_| 10_u32);
    let double = arena.derived_family(space, move |r, key: &u32| r.get(level.at(*key)) * 2);
    let (count, sum) = (
        arena.over(level.aligned()).count(),
        arena.over(double.aligned()).sum(),
    );
    assert_eq!(*arena.read(double.at(7)), 20);
    assert_eq!((*arena.read(count), *arena.read(sum)), (0, 0));

    arena.turn(|w| w.insert_key(space, 7));
    assert_eq!((*arena.read(count), *arena.read(sum)), (1, 20));
    arena.turn(|w| w.insert_key(space, 8));
    assert_eq!(
        (*arena.read(count), *arena.read(sum)),
        (2, 40),
        "a total family has every member"
    );
    arena.turn(|w| w.remove_key(space, &7));
    assert_eq!((*arena.read(count), *arena.read(sum)), (1, 20));
}

#[test]
fn a_reader_hears_of_a_key_that_came_without_a_value_of_its_own() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let level = arena.source_family(space, |_| 1_u32);
    let count = arena.over(level.aligned()).count();
    let cold = arena.derived(move |r| r.get(count) * 10);
    let note = log.clone();
    arena.watch(count, First::Skip, move |_, new, _| {
        note.note(new.to_string());
    });
    assert_eq!(*arena.read(cold), 0);
    arena.turn(|w| w.insert_key(space, 3));
    assert_eq!(*arena.read(cold), 10);
    assert_eq!(log.take(), ["1"]);
}

#[test]
fn what_is_folded_settles_before_and_what_reads_the_fold_after() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let health = arena.member_family::<u32, i64>(space);
    let note = log.clone();
    let threat = arena.derived_family_from(space, health.aligned(), move |health: &i64| {
        note.note("threat");
        health * 2
    });
    let total = arena.over(threat.aligned()).sum();
    let share = arena.derived_family_from(
        space,
        (threat.aligned(), total.shared()),
        |(threat, total): (&i64, &i64)| 100 * threat / total,
    );
    let shares = arena.over(share.aligned()).sum();
    let _hold = arena.hold(shares);
    arena.turn(|w| (1..=4).for_each(|key| w.set(health.at(key), 25)));
    assert_eq!(arena.settled(shares), Some(&100));
    log.take();
    arena.turn(|w| w.set(health.at(1), 125));
    assert_eq!(arena.settled(total), Some(&400));
    assert_eq!(arena.settled(shares), Some(&98), "62 and three times 12");
    assert_eq!(log.take(), ["threat"]);
    assert_eq!(
        arena.counts().run,
        7,
        "one threat, the total, four shares, their sum"
    );
}

#[test]
fn a_failed_row_fails_the_fold_until_it_is_well_again_or_gone() {
    for held in [false, true] {
        let mut arena = arena();
        let space = arena.key_space::<u32>();
        let health = arena.member_family::<u32, i64>(space);
        let threat = arena.derived_family_from(space, health.aligned(), |health: &i64| {
            assert!(*health != 13, "unlucky");
            *health
        });
        let total = arena.over(threat.aligned()).sum();
        let _hold = held.then(|| arena.hold(total));
        arena.turn(|w| (0..100).for_each(|key| w.set(health.at(key), 1)));
        assert_eq!(*arena.read(total), 100);

        let hurt = |arena: &mut Checked, key, value| {
            let _ = catch_unwind(AssertUnwindSafe(|| {
                arena.turn(|w| w.set(health.at(key), value));
            }));
        };
        for key in [5, 80] {
            hurt(&mut arena, key, 13);
        }
        assert!(panic_of(|| *arena.read(total)).contains("unlucky") || held);
        hurt(&mut arena, 5, 2);
        assert_eq!(arena.settled(total), None, "one is enough");
        hurt(&mut arena, 6, 11);
        arena.turn(|w| w.remove_key(space, &80));
        assert_eq!(*arena.read(total), 97 + 2 + 11);
    }
}

#[test]
fn a_fold_that_panics_starts_from_all_rows_and_loses_none() {
    for held in [false, true] {
        let mut arena = arena();
        let space = arena.key_space::<u32>();
        let health = arena.member_family::<u32, i64>(space);
        let total = arena.over(health.aligned()).fold(
            0,
            |sum, _, health| {
                *sum += health;
                assert!(*health != 13, "half done");
            },
            |sum, _, health| *sum -= health,
        );
        arena.turn(|w| (0..100).for_each(|key| w.set(health.at(key), 1)));
        assert_eq!(*arena.read(total), 100);
        let _hold = held.then(|| arena.hold(total));

        for value in [13, 13, 5] {
            let turn = catch_unwind(AssertUnwindSafe(|| {
                arena.turn(|w| w.set(health.at(50), value));
            }));
            assert_eq!(turn.is_err(), held && value == 13);
            if value == 13 {
                assert_eq!(panic_of(|| *arena.read(total)), "half done");
            }
        }
        assert_eq!(*arena.read(total), 104);
    }
}

#[test]
fn a_fold_turns_cold_and_hot_and_misses_nothing() {
    let (mut arena, log) = arena_with_log();
    let (family, sum) = summed(&mut arena, &log, 200);
    let hold = arena.hold(sum);
    arena.turn(|w| w.set(family.at(0), 1));
    arena.let_go(hold);
    arena.turn(|w| w.set(family.at(1), 11));
    assert_eq!(*arena.read(sum), 19_900 + 1 + 10);
    arena.turn(|w| w.set(family.at(2), 12));
    log.take();
    let hold = arena.hold(sum);
    assert_eq!(
        log.take(),
        ["2"],
        "held again, it looks at what moved since"
    );
    assert_eq!(arena.settled(sum), Some(&19_921));
    arena.let_go(hold);
}

#[test]
fn a_sum_of_floats_does_not_drift_and_forgets_what_is_not_finite() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let mass = arena.member_family::<u32, f64>(space);
    let total = arena.over(mass.aligned()).sum();
    arena.turn(|w| (0..10).for_each(|key| w.set(mass.at(key), 0.1)));
    assert_eq!(
        *arena.read(total),
        1.0,
        "exact, and rounded once; added up one by one it is less"
    );
    for passing in [1e300, f64::NAN, f64::INFINITY, 1e-300] {
        arena.turn(|w| w.set(mass.at(77), passing));
        let seen = *arena.read(total);
        assert!(
            seen.is_nan() == passing.is_nan() && (seen - 1.0 - passing).abs() <= f64::EPSILON
                || !passing.is_finite()
        );
        arena.turn(|w| w.remove_key(space, &77));
        assert_eq!(*arena.read(total), 1.0);
    }
}

#[test]
fn a_sum_of_integers_that_fits_is_right_whatever_lay_between() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let gold = arena.member_family::<u32, u8>(space);
    let total = arena.over(gold.aligned()).sum();
    arena.turn(|w| {
        w.set(gold.at(0), 5);
        w.set(gold.at(1), 250);
    });
    assert_eq!(*arena.read(total), 255);
    arena.turn(|w| {
        w.set(gold.at(0), 250);
        w.set(gold.at(1), 5);
    });
    assert_eq!(*arena.read(total), 255);
}

#[test]
fn the_least_and_the_greatest_come_and_go_with_their_rows() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let level = arena.member_family::<u32, u32>(space);
    let least = arena.over(level.aligned()).min();
    let greatest = arena
        .over(level.aligned())
        .max_by(|key, level| (*level, *key));
    let _hold = arena.hold(least);
    assert_eq!((*arena.read(least), *arena.read(greatest)), (None, None));
    arena.turn(|w| {
        [4, 2, 2, 9]
            .iter()
            .zip(0..)
            .for_each(|(&level_of, key)| w.set(level.at(key), level_of));
    });
    assert_eq!(
        (*arena.read(least), *arena.read(greatest)),
        (Some(2), Some((9, 3)))
    );
    arena.turn(|w| w.remove_key(space, &1));
    assert_eq!(*arena.read(least), Some(2), "another one has it");
    assert_eq!(arena.counts().cut, 1);
    arena.turn(|w| w.set(level.at(2), 7));
    assert_eq!(
        (*arena.read(least), *arena.read(greatest)),
        (Some(4), Some((9, 3)))
    );
    arena.turn(|w| w.remove(level.at(3)));
    assert_eq!(
        (*arena.read(least), *arena.read(greatest)),
        (Some(4), Some((7, 2)))
    );
}

#[test]
fn a_fold_has_the_name_that_it_was_given_and_refuses_families_of_another_arena() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let level = arena.member_family::<u32, u32>(space);
    let sum = arena.cog().name("levels").over(level.aligned()).sum();
    assert_eq!(arena.name(sum), "levels");
    let mut other = cog_arena::Arena::new();
    let text = panic_of(|| other.over(level.aligned()).count());
    assert!(text.contains("another arena"), "{text}");
}
