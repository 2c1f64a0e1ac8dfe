//! Families and key spaces: total and partial ones, membership, slots, aligned inputs, what moved.

mod common;

use cog_arena::{DerivedFamily, KeySlot, KeySpace, OwnKey, SourceFamily};
use common::{Checked, Log, arena, arena_with_log};

/// Health and armour of some units, and the threat that follows from them and a difficulty.
struct Units {
    space: KeySpace<u32>,
    health: SourceFamily<u32, i32>,
    armor: SourceFamily<u32, i32>,
    threat: DerivedFamily<u32, i32>,
}

fn units(arena: &mut Checked, log: &Log) -> Units {
    let space = arena.key_space();
    let health = arena.member_family(space);
    let armor = arena.member_family(space);
    let log = log.clone();
    let threat = arena.cog().name("threat").derived_family_from(
        space,
        (OwnKey::<u32>::new(), health.aligned(), armor.optional()),
        move |(key, health, armor): (&u32, &i32, Option<&i32>)| {
            log.note(format!("threat[{key}]"));
            health - armor.copied().unwrap_or(0)
        },
    );
    Units {
        space,
        health,
        armor,
        threat,
    }
}

fn moved(arena: &Checked, family: DerivedFamily<u32, i32>) -> Vec<(u32, Option<i32>)> {
    arena
        .moved(family)
        .iter()
        .map(|row| (*row.key, row.value.copied()))
        .collect()
}

#[test]
fn an_aligned_family_has_a_row_where_all_required_inputs_have_one() {
    let (mut arena, log) = arena_with_log();
    let Units {
        health,
        armor,
        threat,
        ..
    } = units(&mut arena, &log);
    arena.turn(|w| {
        w.set(health.at(1), 10);
        w.set(health.at(2), 20);
        w.set(armor.at(2), 5);
        w.set(armor.at(3), 7);
    });

    assert_eq!(arena.lookup(threat.at(1)), Some(&10));
    assert_eq!(arena.lookup(threat.at(2)), Some(&15));
    assert_eq!(
        arena.lookup(threat.at(3)),
        None,
        "it has armour, but no health"
    );
    assert_eq!(arena.lookup(threat.at(4)), None, "nobody knows it");
    assert_eq!(log.take(), ["threat[1]", "threat[2]"]);
}

#[test]
fn only_the_rows_whose_inputs_changed_run() {
    let (mut arena, log) = arena_with_log();
    let Units {
        health,
        armor,
        threat,
        ..
    } = units(&mut arena, &log);
    arena.turn(|w| (0..200).for_each(|key| w.set(health.at(key), 10)));
    let hold = arena.hold(threat);
    arena.turn(|_| {});
    assert_eq!(log.take().len(), 200);

    arena.turn(|w| {
        w.set(health.at(190), 11);
        w.set(health.at(3), 12);
        w.set(health.at(64), 10);
        w.set(armor.at(65), 1);
    });

    let mut ran = log.take();
    ran.sort();
    assert_eq!(ran, ["threat[190]", "threat[3]", "threat[65]"]);
    assert_eq!(arena.counts().run, 3);
    arena.let_go(hold);
}

#[test]
fn a_family_held_as_a_whole_tells_exactly_which_rows_moved() {
    let (mut arena, log) = arena_with_log();
    let Units {
        space,
        health,
        armor,
        threat,
    } = units(&mut arena, &log);
    let hold = arena.hold(threat);
    arena.begin();
    (1..=5).for_each(|key| arena.writer().set(health.at(key), 10));
    arena.settle();
    assert_eq!(
        moved(&arena, threat),
        (1..=5).map(|key| (key, Some(10))).collect::<Vec<_>>()
    );
    arena.run_reactions();
    arena.release();

    arena.begin();
    let mut w = arena.writer();
    w.set(health.at(1), 10); // equal
    w.set(health.at(4), 9);
    w.set(armor.at(4), -1); // so that the result is equal: 9 + 1
    w.set(armor.at(5), 3);
    w.remove(health.at(2));
    arena.settle();
    assert_eq!(moved(&arena, threat), [(2, None), (5, Some(7))]);
    let (two, three, five) = (
        slot(&arena, space, 2),
        slot(&arena, space, 3),
        slot(&arena, space, 5),
    );
    let rows = arena.moved(threat);
    assert_eq!((rows.len(), rows.is_empty()), (2, false));
    assert_eq!(
        (rows.get(two), rows.get(three), rows.get(five)),
        (Some(None), None, Some(Some(&7)))
    );
    arena.run_reactions();
    arena.release();

    arena.begin();
    arena.settle();
    assert!(
        arena.moved(threat).is_empty(),
        "a turn later nothing has moved"
    );
    arena.run_reactions();
    arena.release();
    arena.let_go(hold);
}

fn slot(arena: &Checked, space: KeySpace<u32>, key: u32) -> KeySlot<u32> {
    arena.slot(space, &key).expect("the key is a member")
}

#[test]
fn a_shared_input_that_changes_runs_every_row() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let health = arena.member_family(space);
    let factor = arena.source(1);
    let noted = log.clone();
    let scaled = arena.derived_family_from(
        space,
        (health.aligned(), factor.shared()),
        move |(health, factor): (&i32, &i32)| {
            noted.note("scaled");
            health * factor
        },
    );
    arena.turn(|w| (0..100).for_each(|key| w.set(health.at(key), key.cast_signed())));
    let hold = arena.hold(scaled);
    arena.turn(|_| {});
    assert_eq!(log.take().len(), 100);

    arena.turn(|w| w.set(factor, 3));

    assert_eq!(log.take().len(), 100);
    assert_eq!(*arena.read(scaled.at(99)), 297);
    arena.let_go(hold);
}

#[test]
fn keys_come_and_go_only_by_insert_and_remove() {
    let mut arena = arena();
    let space = arena.key_space::<&'static str>();
    let stock = arena.source_family(space, |name: &&str| name.len());
    let double = arena.derived_family(space, move |r, &name| r.get(stock.at(name)) * 2);

    assert_eq!(*arena.read(double.at("pear")), 8);
    assert_eq!(arena.len(space), 0, "a row made by reading is no member");
    assert!(!arena.contains(space, &"pear"));

    arena.turn(|w| {
        w.insert_key(space, "plum");
        w.set(stock.at("apple"), 7);
        w.insert_key(space, "plum");
    });
    assert_eq!(
        arena.keys(space).copied().collect::<Vec<_>>(),
        ["plum", "apple"]
    );
    assert_eq!(arena.len(space), 2);

    let removed = arena.turn(|w| (w.remove_key(space, &"plum"), w.remove_key(space, &"fig")));
    assert_eq!(removed, (true, false));
    assert_eq!(arena.keys(space).copied().collect::<Vec<_>>(), ["apple"]);
    assert!(arena.contains(space, &"apple") && !arena.contains(space, &"plum"));
}

#[test]
fn readers_of_a_removed_key_run_again_and_find_nothing() {
    let (mut arena, log) = arena_with_log();
    let Units {
        space,
        health,
        threat,
        ..
    } = units(&mut arena, &log);
    let noted = log.clone();
    arena.turn(|w| {
        w.set(health.at(1), 10);
        w.set(health.at(2), 20);
    });
    arena.react(move |r, _| {
        noted.note(format!(
            "{:?} {:?}",
            r.lookup(health.at(1)),
            r.lookup(threat.at(1))
        ));
    });
    log.take();

    arena.turn(|w| w.remove_key(space, &1));
    assert_eq!(
        log.take(),
        ["None None"],
        "and no function ran on what is gone"
    );

    arena.turn(|w| w.set(health.at(2), 21));
    assert_eq!(log.len(), 0);

    // Absence is a dependency, too: it is seen when the key comes back.
    arena.turn(|w| w.set(health.at(1), 11));
    assert_eq!(log.take(), ["threat[1]", "Some(11) Some(11)"]);
}

#[test]
fn absence_is_tracked_for_a_key_that_nobody_ever_named() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let health = arena.member_family::<u32, i32>(space);
    let shown = arena.derived(log.named("shown", move |r| r.lookup(health.at(7)).copied()));
    let hold = arena.hold(shown);
    assert_eq!(*arena.read(shown), None);
    log.take();

    arena.turn(|w| w.set(health.at(6), 1));
    assert_eq!(log.len(), 0);
    arena.turn(|w| w.set(health.at(7), 1));
    assert_eq!(*arena.read(shown), Some(1));
    arena.turn(|w| w.remove(health.at(7)));
    assert_eq!(*arena.read(shown), None);

    assert_eq!(log.runs("shown"), 2);
    assert_eq!(arena.len(space), 2, "a row was removed, not its key");
    arena.let_go(hold);
}

#[test]
fn a_total_family_starts_afresh_when_its_key_returns() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let stock = arena.source_family(space, |key| *key * 10);
    arena.turn(|w| w.set(stock.at(4), 1));

    arena.turn(|w| w.remove_key(space, &4));

    assert_eq!(*arena.read(stock.at(4)), 40);
    assert!(!arena.contains(space, &4));
    arena.turn(|w| w.insert_key(space, 4));
    assert_eq!(*arena.read(stock.at(4)), 40);
}

#[test]
fn removing_and_inserting_a_key_in_one_turn_is_a_new_key_with_a_new_row() {
    let (mut arena, log) = arena_with_log();
    let Units {
        space,
        health,
        threat,
        ..
    } = units(&mut arena, &log);
    arena.turn(|w| w.set(health.at(1), 10));
    let hold = arena.hold(threat);
    arena.turn(|_| {});
    let before = slot(&arena, space, 1);

    arena.turn(|w| {
        w.remove_key(space, &1);
        w.set(health.at(1), 12);
    });

    let after = slot(&arena, space, 1);
    assert_ne!(before, after);
    assert_eq!((arena.key(before), arena.key(after)), (None, Some(&1)));
    assert_eq!(arena.lookup(threat.at(1)), Some(&12));
    assert_eq!(arena.lookup(threat.at_slot(after)), Some(&12));
    arena.let_go(hold);
}

#[test]
fn a_slot_reads_and_writes_without_naming_the_key() {
    let (mut arena, log) = arena_with_log();
    let Units {
        space,
        health,
        armor,
        threat,
    } = units(&mut arena, &log);
    let slot = arena.turn(|w| {
        let slot = w.insert_key(space, 9);
        w.set(health.at_slot(slot), 50);
        slot
    });
    assert_eq!(Some(slot), arena.slot(space, &9));
    assert_eq!(arena.key(slot), Some(&9));
    assert_eq!(*arena.read(threat.at_slot(slot)), 50);

    arena.turn(|w| {
        let mut rows = w.rows(health);
        rows.set(slot, 60);
        rows.set_ref(slot, &61);
        w.rows(armor).set(slot, 1);
    });
    assert_eq!(*arena.read(threat.at(9)), 60);

    arena.turn(|w| w.rows(armor).remove(slot));
    assert_eq!(*arena.read(threat.at(9)), 61);

    assert!(arena.turn(|w| w.remove_slot(slot)));
    assert_eq!(arena.key(slot), None);
    assert_eq!(arena.len(space), 0);
}
