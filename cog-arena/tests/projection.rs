//! Keyed projections: which of many keys is the selected one.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use cog_arena::{DerivedFamily, KeySpace, Source};
use common::{Checked, arena, arena_with_log};

fn thousand(arena: &mut Checked) -> (KeySpace<u32>, Source<Option<u32>>, DerivedFamily<u32, bool>) {
    let space = arena.key_space::<u32>();
    let chosen = arena.cog().name("chosen").source(None);
    let is_chosen = arena
        .cog()
        .name("is_chosen")
        .selected_family(space, chosen.shared());
    arena.turn(|w| {
        (0..1000).for_each(|key| {
            w.insert_key(space, key);
        });
    });
    (space, chosen, is_chosen)
}

#[test]
fn a_selection_that_moves_runs_two_rows_and_tells_their_readers_only() {
    let (mut arena, log) = arena_with_log();
    let (_, chosen, is_chosen) = thousand(&mut arena);
    for key in 0..1000 {
        let note = log.clone();
        arena.react(move |r, _| {
            let mark = if *r.get(is_chosen.at(key)) { "+" } else { "-" };
            note.note(format!("{mark}{key}"));
        });
    }
    log.take();
    for (choice, told) in [
        (Some(7), vec!["+7"]),
        (Some(700), vec!["-7", "+700"]),
        (Some(700), vec![]),
        (Some(5000), vec!["-700"]),
        (None, vec![]),
        (Some(1), vec!["+1"]),
    ] {
        arena.turn(|w| w.set(chosen, choice));
        let flipped = told.len() as u64;
        let moved = u64::from(choice != Some(700) || flipped != 0);
        assert_eq!(log.take(), told);
        let counts = arena.counts();
        assert_eq!(counts.run, moved + flipped, "the choice, and the rows");
        assert!(
            counts.reached <= moved + 2 * flipped,
            "no other reader is marked"
        );
    }
}

#[test]
fn keys_that_come_and_go_are_told_what_holds() {
    let mut arena = arena();
    let (space, chosen, is_chosen) = thousand(&mut arena);
    arena.turn(|w| w.set(chosen, Some(5000)));
    assert!(
        *arena.read(is_chosen.at(5000)),
        "a key that is no member can be asked, too"
    );
    arena.turn(|w| w.insert_key(space, 5000));
    assert!(*arena.read(is_chosen.at(5000)));
    arena.turn(|w| w.remove_key(space, &5000));
    arena.turn(|w| w.insert_key(space, 6000));
    assert!(
        !*arena.read(is_chosen.at(6000)),
        "it may have the number, not the choice"
    );
    arena.turn(|w| w.set(chosen, Some(6000)));
    assert!(*arena.read(is_chosen.at(6000)));
    arena.turn(|w| {
        w.remove_key(space, &6000);
        w.set(chosen, Some(3));
        w.insert_key(space, 6000);
    });
    assert!(!*arena.read(is_chosen.at(6000)) && *arena.read(is_chosen.at(3)));
}

#[test]
fn what_is_selected_may_be_derived_and_may_be_tracked() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let health = arena.member_family::<u32, u32>(space);
    let weakest = arena
        .over(health.aligned())
        .min_by(|key, health| (*health, *key));
    let declared = arena.derived_from(weakest.shared(), |weakest: &Option<(u32, u32)>| {
        weakest.map(|(_, key)| key)
    });
    let tracked = arena.derived(move |r| r.get(weakest).map_or(0, |(_, key)| key));
    let is_weakest = arena.selected_family(space, declared.shared());
    let is_tracked = arena.selected_family(space, tracked.shared());
    let agree = arena.derived_family(space, move |r, key: &u32| {
        (*r.get(is_weakest.at(*key)), *r.get(is_tracked.at(*key)))
    });
    let _hold = arena.hold(agree);
    arena.turn(|w| (1..100).for_each(|key| w.set(health.at(key), 100 + key)));
    for weak in [5, 90, 5, 44] {
        arena.turn(|w| w.set(health.at(weak), 200 - weak));
        arena.turn(|w| w.set(health.at(weak), 1));
        for key in 1..100 {
            let is = key == weak;
            assert_eq!(
                arena.settled(agree.at(key)),
                Some(&(is, is)),
                "{key} of {weak}"
            );
        }
        arena.turn(|w| w.set(health.at(weak), 500));
    }
}

#[test]
fn a_selection_that_fails_fails_every_row_and_recovers_with_it() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let number = arena.source(1_u32);
    let chosen = arena.derived_from(number.shared(), |number: &u32| {
        assert!(*number != 13, "unlucky");
        *number
    });
    let is_chosen = arena.selected_family(space, chosen.shared());
    arena.turn(|w| {
        (0..100).for_each(|key| {
            w.insert_key(space, key);
        });
    });
    for next in [13, 13, 2, 13, 2, 13, 50] {
        let turn = catch_unwind(AssertUnwindSafe(|| arena.turn(|w| w.set(number, next))));
        assert!(turn.is_ok() || next == 13);
        for key in 0..100 {
            let expected = (next != 13).then_some(key == next);
            assert_eq!(arena.settled(is_chosen.at(key)).copied(), expected);
        }
    }
}

#[test]
fn no_key_is_selected_while_the_cog_holds_nothing() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let chosen = arena.absent_source::<u32>();
    let is_chosen = arena.selected_family(space, chosen.shared());
    arena.turn(|w| {
        w.insert_key(space, 4);
    });
    assert!(!*arena.read(is_chosen.at(4)));
    arena.turn(|w| w.set(chosen, 4));
    assert!(*arena.read(is_chosen.at(4)));
    arena.turn(|w| w.clear(chosen));
    assert!(!*arena.read(is_chosen.at(4)));
}
