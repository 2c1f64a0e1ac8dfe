//! Sorted and filtered views of a family, keyed by identity.

mod common;

use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cog_arena::SortedChange::{Inserted, Moved, Removed};
use common::{arena, arena_with_log};

#[test]
fn a_view_is_in_order_and_tells_which_keys_changed() {
    let mut arena = arena();
    let space = arena.key_space::<&str>();
    let score = arena.member_family::<&str, u32>(space);
    let ranking = arena
        .over(score.aligned())
        .sorted_by(|_, score| Reverse(*score));
    let _hold = arena.hold(ranking);
    arena.turn(|w| {
        for (name, points) in [("ann", 3), ("bob", 5), ("cem", 3)] {
            w.set(score.at(name), points);
        }
    });
    let view = arena.read(ranking);
    assert_eq!(
        view.keys().collect::<Vec<_>>(),
        [&"bob", &"ann", &"cem"],
        "ties by key"
    );
    assert_eq!(
        view.changes(),
        [Inserted("ann"), Inserted("bob"), Inserted("cem")]
    );
    let before = view.revision();

    arena.turn(|w| {
        w.set(score.at("cem"), 9);
        w.remove_key(space, &"bob");
        w.set(score.at("dan"), 1);
    });
    let view = arena.read(ranking);
    let rows: Vec<_> = view.iter().map(|(name, score)| (*name, score.0)).collect();
    assert_eq!(rows, [("cem", 9), ("ann", 3), ("dan", 1)]);
    assert_eq!(
        (view.first(), view.last()),
        (Some((&"cem", &Reverse(9))), Some((&"dan", &Reverse(1))))
    );
    assert_eq!(
        view.changes(),
        [Removed("bob"), Moved("cem"), Inserted("dan")]
    );
    assert_eq!(view.revision(), before + 1);
}

#[test]
fn a_row_that_moves_but_not_in_the_order_is_no_change() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let unit = arena.member_family::<u32, (u32, &str)>(space);
    let note = log.clone();
    let by_level = arena
        .over(unit.aligned())
        .sorted_by(move |key, (level, _)| {
            note.note(key.to_string());
            *level
        });
    let rows = arena.derived(log.named("list", move |r| r.get(by_level).len()));
    let _hold = arena.hold(rows);
    arena.turn(|w| (0..100).for_each(|key| w.set(unit.at(key), (key, "a"))));
    log.take();

    arena.turn(|w| w.set(unit.at(7), (7, "b")));
    assert_eq!(
        log.take(),
        ["7"],
        "one row is looked at, and no reader runs"
    );

    arena.turn(|w| w.set(unit.at(7), (90, "b")));
    assert_eq!(log.take(), ["7", "list"]);
    assert_eq!(arena.read(by_level).iter().nth(89), Some((&7, &90)));
}

#[test]
fn a_filtered_view_holds_the_keys_that_pass_in_their_own_order() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let health = arena.member_family::<u32, i32>(space);
    let dead = arena
        .over(health.aligned())
        .filtered(|_, health| *health <= 0);
    arena.turn(|w| (0..10).rev().for_each(|key| w.set(health.at(key), 1)));
    assert!(arena.read(dead).is_empty());
    arena.turn(|w| [8, 2, 5].iter().for_each(|&key| w.set(health.at(key), 0)));
    assert_eq!(arena.read(dead).keys().collect::<Vec<_>>(), [&2, &5, &8]);
    arena.turn(|w| w.set(health.at(5), 1));
    assert_eq!(arena.read(dead).keys().collect::<Vec<_>>(), [&2, &8]);
    assert_eq!(arena.read(dead).changes(), [Removed(5)]);
}

#[test]
fn a_key_that_comes_back_under_another_number_stays_in_the_view() {
    let mut arena = arena();
    let space = arena.key_space::<&str>();
    let level = arena.member_family::<&str, u32>(space);
    let view = arena.over(level.aligned()).sorted_by(|_, level| *level);
    arena.turn(|w| ["a", "b"].iter().for_each(|name| w.set(level.at(name), 1)));
    assert_eq!(arena.read(view).len(), 2);
    // Two turns that the view doesn't see: the names change their numbers.
    arena.turn(|w| {
        ["a", "b"].iter().for_each(|name| {
            w.remove_key(space, name);
        });
    });
    for name in ["b", "a"] {
        arena.turn(|w| w.set(level.at(name), 1));
    }
    assert_eq!(arena.read(view).keys().collect::<Vec<_>>(), [&"a", &"b"]);
}

#[test]
fn a_view_whose_function_panicked_is_made_anew_and_says_so() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let level = arena.member_family::<u32, u32>(space);
    let view = arena.over(level.aligned()).sorted_by(|_, level| {
        assert!(*level != 13, "unlucky");
        *level
    });
    arena.turn(|w| (0..3).for_each(|key| w.set(level.at(key), key)));
    assert_eq!(arena.read(view).len(), 3);
    arena.turn(|w| {
        w.set(level.at(0), 5);
        w.set(level.at(1), 13);
    });
    assert!(catch_unwind(AssertUnwindSafe(|| arena.read(view).len())).is_err());
    arena.turn(|w| w.set(level.at(1), 4));
    let view = arena.read(view);
    assert_eq!(view.keys().collect::<Vec<_>>(), [&2, &1, &0]);
    assert_eq!(
        view.changes().len(),
        6,
        "three that it had, three that it has"
    );
}

#[test]
fn case_k01_what_is_mapped_by_identity_follows_the_order_and_runs_for_no_other_reason() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<&str>();
    let place = arena.member_family::<&str, u32>(space);
    let order = arena.over(place.aligned()).sorted_by(|_, place| *place);
    let mapped = arena.derived_family(
        space,
        log.keyed("map", |_, name: &&str| name.to_uppercase()),
    );
    let list = arena.derived(move |r| {
        let names = r.get(order).keys().map(|name| r.get(mapped.at(name)));
        let places = (0..)
            .zip(names)
            .map(|(index, name)| format!("{index}{name}"));
        places.collect::<Vec<_>>().join(" ")
    });
    let mut turn = |places: &[(&'static str, u32)], gone: &[&'static str]| {
        arena.turn(|w| {
            places
                .iter()
                .for_each(|&(name, at)| w.set(place.at(name), at));
            gone.iter().for_each(|name| {
                w.remove_key(space, name);
            });
        });
        (arena.read(list).clone(), log.len())
    };
    let seen = |list: &str, runs| (list.to_owned(), runs);
    assert_eq!(
        turn(&[("a", 1), ("b", 2), ("c", 3)], &[]),
        seen("0A 1B 2C", 3)
    );
    assert_eq!(
        turn(&[("a", 3), ("c", 1)], &[]),
        seen("0C 1B 2A", 3),
        "another order"
    );
    assert_eq!(turn(&[("d", 9)], &[]), seen("0C 1B 2A 3D", 4), "one more");
    assert_eq!(turn(&[], &["c"]), seen("0B 1A 2D", 4), "the first is gone");
    assert_eq!(turn(&[], &["a", "b", "d"]), seen("", 4), "all are");
}

#[test]
fn case_k03_an_object_replaced_by_one_of_the_same_key_keeps_its_member() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let item = arena.member_family::<u32, (u32, &str)>(space);
    let order = arena.over(item.aligned()).sorted_by(|_, (place, _)| *place);
    let label = arena.derived_family(
        space,
        log.keyed("label", move |r, key: &u32| r.get(item.at(*key)).1),
    );
    let list = arena.derived(log.named("list", move |r| {
        r.get(order)
            .keys()
            .map(|key| *r.get(label.at(*key)))
            .collect::<Vec<_>>()
    }));
    let _hold = arena.hold(list);
    arena.turn(|w| (0..3).for_each(|key| w.set(item.at(key), (key, "old"))));
    let member = arena.slot(space, &1);
    log.take();

    arena.turn(|w| w.set(item.at(1), (1, "new")));
    assert_eq!(
        arena.settled(list).map(Vec::as_slice),
        Some(&["old", "new", "old"][..])
    );
    assert_eq!(
        log.take(),
        ["label[1]", "list"],
        "once, and the order is as it was"
    );
    assert_eq!(arena.slot(space, &1), member, "the same member");
}
