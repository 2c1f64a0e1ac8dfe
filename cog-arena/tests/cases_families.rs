//! Catalogue A.12 and A.16, as far as they need neither grace nor iteration: keys that come, go and
//! come again.

mod cases_common {
    pub(crate) mod knot;
    pub(crate) mod log;
}

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cases_common::knot::Knot;
use cases_common::log::follow;
use cog_arena::{Arena, DerivedFamily, ReadError};

#[test]
fn case_m08_a_slot_of_a_removed_key_is_stale_for_ever() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let family = arena.member_family::<u32, i32>(space);
    let old = arena.turn(|w| {
        w.set(family.at(1), 10);
        w.insert_key(space, 1)
    });
    assert_eq!(*arena.read(family.at_slot(old)), 10);

    arena.turn(|w| {
        w.remove_key(space, &1);
    });
    assert!(matches!(
        arena.try_read(family.at_slot(old)),
        Err(ReadError::Stale)
    ));
    let new = arena.turn(|w| {
        w.set(family.at(2), 20);
        w.insert_key(space, 2)
    });

    assert_ne!(old, new);
    assert_eq!((arena.key(old), arena.key(new)), (None, Some(&2)));
    assert!(matches!(
        arena.try_read(family.at_slot(old)),
        Err(ReadError::Stale)
    ));
    assert_eq!(*arena.read(family.at_slot(new)), 20);
}

#[test]
fn case_k04_a_key_that_is_inserted_twice_is_one_member() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();

    let (one, two) = arena.turn(|w| (w.insert_key(space, 7), w.insert_key(space, 7)));
    let three = arena.turn(|w| w.insert_key(space, 7));

    assert_eq!((one, one), (two, three));
    assert_eq!(arena.len(space), 1);
}

#[test]
fn case_k05_a_reader_of_an_absent_key_hears_when_it_comes_and_goes() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let family = arena.member_family::<u32, i32>(space);
    let (log, _) = follow(&mut arena, move |r| r.lookup(family.at(1)).copied());

    arena.turn(|w| w.set(family.at(1), 10));
    arena.turn(|w| w.remove(family.at(1)));
    arena.turn(|w| w.set(family.at(1), 11));
    arena.turn(|w| {
        w.remove_key(space, &1);
    });

    assert_eq!(log.entries(), [None, Some(10), None, Some(11), None]);
}

// Removing a key ends all of its rows, whatever comes after it in the turn: the readers of the old
// life run again, once, on the new one, and never see it gone.
#[test]
fn case_k08_a_key_that_is_replaced_in_one_turn_begins_a_new_life() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let family = arena.member_family::<u32, i32>(space);
    let old = arena.turn(|w| {
        w.set(family.at(1), 10);
        w.insert_key(space, 1)
    });
    let (log, _) = follow(&mut arena, move |r| r.lookup(family.at(1)).copied());

    for value in [10, 11] {
        arena.turn(|w| {
            w.remove_key(space, &1);
            w.set(family.at(1), value);
        });
    }

    assert_eq!(log.entries(), [Some(10), Some(10), Some(11)]);
    assert_eq!(arena.key(old), None);
    assert_eq!(arena.len(space), 1);
}

#[test]
fn case_k09_a_change_of_one_key_in_ten_thousand_runs_one_row() {
    let mut arena = Arena::new();
    let runs = Arc::new(AtomicU32::new(0));
    let space = arena.key_space::<u32>();
    let family = arena.source_family(space, |key| *key);
    let count = Arc::clone(&runs);
    let double = arena.derived_family_from(space, family.aligned(), move |value: &u32| {
        count.fetch_add(1, Ordering::Relaxed);
        value * 2
    });
    let hold = arena.hold(double);
    arena.turn(|w| {
        for key in 0..10_000 {
            w.insert_key(space, key);
        }
        for key in 0..10_000 {
            w.set(family.at(key), key + 1);
        }
    });
    let before = runs.load(Ordering::Relaxed);

    arena.turn(|w| w.set(family.at(5_000), 1));

    assert_eq!(runs.load(Ordering::Relaxed), before + 1);
    assert_eq!(
        (*arena.read(double.at(5_000)), *arena.read(double.at(4_999))),
        (2, 10_000)
    );
    arena.let_go(hold);
}

#[test]
fn case_k10_members_of_one_family_may_read_each_other() {
    let mut arena = Arena::new();
    let runs = Arc::new(AtomicU32::new(0));
    let space = arena.key_space::<u64>();
    let (knot, count) = (Knot::<DerivedFamily<u64, u64>>::new(), Arc::clone(&runs));
    let own = knot.clone();
    let fibonacci = arena.derived_family(space, move |r, key| {
        count.fetch_add(1, Ordering::Relaxed);
        if *key < 2 {
            return *key;
        }
        r.get(own.handle().at(key - 1)) + r.get(own.handle().at(key - 2))
    });
    knot.tie(fibonacci);

    assert_eq!(*arena.read(fibonacci.at(90)), 2_880_067_194_370_816_120);

    assert_eq!(runs.load(Ordering::Relaxed), 91);
    assert_eq!(
        arena.len(space),
        0,
        "rows that exist only because they were read are no members"
    );
}

#[test]
fn case_k12_two_arenas_list_the_same_keys_in_the_same_order() {
    let keys = || {
        let mut arena = Arena::new();
        let space = arena.key_space::<String>();
        arena.turn(|w| {
            for i in 0..100 {
                w.insert_key(space, format!("key {}", i * 37 % 100));
            }
            for i in 20..40 {
                w.remove_key(space, &format!("key {i}"));
            }
            for i in 30..35 {
                w.insert_key(space, format!("key {i}"));
            }
        });
        arena.keys(space).cloned().collect::<Vec<_>>()
    };

    let listed = keys();

    assert_eq!(listed.len(), 85);
    assert_eq!(listed, keys());
}
