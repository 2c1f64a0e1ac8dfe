//! Faults that random play and first users found, each as the smallest program that showed it.

#[path = "common/seen.rs"]
mod seen;

use cog_arena::{Arena, Lookup, OwnKey, Reader, Reads};
use seen::{Count, caught};
use std::sync::Arc;

#[test]
fn removing_a_key_that_is_no_member_changes_nothing() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |_| 1);
    let runs = Count::default();
    let counted = runs.clone();
    arena.react(move |r, _| {
        counted.add();
        r.get(first.at(0));
    });
    assert_eq!(runs.take(), 1);

    assert!(!arena.turn(|w| w.remove_key(space, &0)));
    arena.turn(|w| {
        w.insert_key(space, 0);
        w.remove_key(space, &0);
    });

    assert_eq!(runs.take(), 0);
    arena.check();
}

#[test]
fn every_member_has_a_row_in_a_held_family_above_which_everything_is_total() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |_| 1);
    let tracked = arena.derived_family(space, move |r, k| *r.get(first.at(*k)));
    let over_source = arena.derived_family_from(space, first.aligned(), |v: &i32| v + 1);
    let over_tracked = arena.derived_family_from(space, tracked.aligned(), |v: &i32| v + 2);
    arena.turn(|w| {
        w.insert_key(space, 2);
    });
    let holds = [arena.hold(over_source), arena.hold(over_tracked)];
    assert_eq!(arena.settled(over_source.at(2)), Some(&2));
    assert_eq!(arena.settled(over_tracked.at(2)), Some(&3));

    arena.turn(|w| {
        w.insert_key(space, 3);
        w.set(first.at(4), 7);
    });

    assert_eq!(arena.settled(over_source.at(3)), Some(&2));
    assert_eq!(arena.settled(over_tracked.at(3)), Some(&3));
    assert_eq!(arena.settled(over_source.at(4)), Some(&8));
    assert_eq!(arena.settled(over_tracked.at(4)), Some(&9));
    arena.check();
    for hold in holds {
        arena.let_go(hold);
    }
    arena.check();
}

#[test]
fn a_held_declared_family_over_a_tracked_one_has_its_rows() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let source = arena.member_family::<u32, i32>(space);
    let mixed = arena.derived_family_from(
        space,
        (source.aligned(), Reads),
        |(v, _): (&i32, &Reader<'_>)| *v,
    );
    let declared = arena.derived_family_from(space, mixed.aligned(), |v: &i32| *v);
    arena.turn(|w| w.set(source.at(5), 1));
    let hold = arena.hold(declared);
    assert_eq!(arena.settled(declared.at(5)), Some(&1));

    arena.turn(|w| w.set(source.at(6), 2));

    assert_eq!(arena.settled(declared.at(6)), Some(&2));
    arena.check();
    arena.let_go(hold);
}

#[test]
fn the_writer_finds_the_first_value_after_it_removed_the_key() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |_| 1);
    arena.turn(|w| w.set(first.at(2), 5));
    arena.turn(|w| {
        w.remove_key(space, &2);
        assert_eq!(w.try_get(first.at(2)), Some(&1));
        w.update(first.at(2), |v| *v += 1);
    });
    assert_eq!(*arena.read(first.at(2)), 2);
    arena.check();
}

#[test]
fn a_declared_row_whose_input_failed_is_pending_once() {
    let mut arena = Arena::new();
    let source = arena.source(2);
    let failing = arena.derived_from(source.shared(), |v: &i32| {
        assert!(*v != 0, "boom");
        *v
    });
    let over = arena.derived_from(failing.shared(), |v: &i32| v + 1);
    let reader = arena.derived(move |r| *r.get(over));
    let hold = arena.hold(reader);
    let failed = caught(|| arena.turn(|w| w.set(source, 0)));
    assert_eq!(failed, None);
    arena.check();

    arena.turn(|w| w.set(source, 4));

    assert_eq!(*arena.read(reader), 5);
    arena.check();
    arena.let_go(hold);
}

#[test]
fn a_key_removed_and_inserted_in_one_turn_begins_a_new_life() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let source = arena.member_family::<u32, i32>(space);
    let derived = arena.derived_family(space, move |r, k| {
        let first = r.previous::<(bool, i32)>().is_none();
        (first, r.lookup(source.at(*k)).copied().unwrap_or(0))
    });
    let hold = arena.hold(derived);
    let old = arena.turn(|w| {
        w.set(source.at(1), 5);
        w.insert_key(space, 1)
    });

    arena.begin();
    arena.writer().remove_key(space, &1);
    let new = arena.writer().insert_key(space, 1);
    arena.writer().set(source.at(1), 5);
    arena.settle();

    assert_ne!(old, new);
    assert_eq!(arena.moved(derived).get(new), Some(Some(&(true, 5))));
    arena.release();
    assert_eq!(arena.key(old), None);
    arena.check();
    arena.let_go(hold);
}

#[test]
fn what_moved_adds_up_to_what_members_have() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |_| 1);
    let derived = arena.derived_family_from(space, first.aligned(), |v: &i32| *v);
    arena.read(derived.at(3));
    let hold = arena.hold(derived);
    arena.begin();
    arena.writer().insert_key(space, 5);
    arena.writer().insert_key(space, 3);
    arena.settle();
    let mut keys: Vec<u32> = arena.moved(derived).iter().map(|row| *row.key).collect();
    keys.sort_unstable();
    assert_eq!(keys, [3, 5]);
    arena.release();

    arena.read(derived.at(9));
    arena.begin();
    arena.settle();
    assert!(arena.moved(derived).is_empty(), "nine is only read");
    arena.release();
    let again = arena.hold(derived);
    arena.begin();
    arena.settle();
    assert!(arena.moved(derived).is_empty(), "it was held already");
    arena.release();
    arena.check();
    arena.let_go(hold);
    arena.let_go(again);
}

#[test]
fn a_row_that_is_known_does_not_run_because_its_key_becomes_a_member() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let runs = Count::default();
    let counted = runs.clone();
    let derived = arena.derived_family_from(space, OwnKey::new(), move |k: &u32| {
        counted.add();
        *k
    });
    arena.read(derived.at(5));
    let hold = arena.hold(derived);
    arena.turn(|w| {
        w.insert_key(space, 5);
    });
    assert_eq!(runs.take(), 1);
    arena.check();
    arena.let_go(hold);
}

#[test]
fn a_removed_key_reads_as_before_where_everything_above_is_total() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |_| 1);
    let tracked = arena.derived_family(space, move |r, k| *r.get(first.at(*k)));
    let declared = arena.derived_family_from(space, tracked.aligned(), |v: &i32| *v);
    let hold = arena.hold(declared);
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let noted = seen.clone();
    arena.react(move |r, _| {
        noted
            .lock()
            .unwrap()
            .push(r.lookup(declared.at(0)).copied());
    });

    arena.turn(|w| w.set(first.at(0), 7));
    arena.turn(|w| {
        w.remove_key(space, &0);
    });

    assert_eq!(*seen.lock().unwrap(), [Some(1), Some(7), Some(1)]);
    arena.check();
    arena.let_go(hold);
}

#[test]
fn an_eager_family_has_rows_for_keys_only() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let (source, shared) = (
        arena.source_family(space, |_| 1),
        arena.absent_source::<i32>(),
    );
    let runs = Count::default();
    let counted = runs.clone();
    let mixed = arena.derived_family_from(
        space,
        (OwnKey::new(), source.optional(), shared.shared(), Reads),
        move |(k, v, _, _): (&u32, Option<&i32>, &i32, &Reader<'_>)| {
            counted.add();
            (*k, v.copied())
        },
    );
    let hold = arena.hold(mixed);
    assert!(
        arena.try_read(mixed.at(1)).is_err(),
        "the shared input is absent"
    );

    arena.turn(|w| {
        w.set(shared, 5);
        w.insert_key(space, 4);
    });

    assert!(
        runs.take() <= 2,
        "one for the member, one perhaps for the key that was read"
    );
    assert!(arena.settled(mixed.at(4)).is_some());
    arena.check();
    arena.let_go(hold);
}

#[test]
fn a_nested_run_does_not_hide_what_the_outer_one_read() {
    let mut arena = Arena::new();
    let source = arena.source(1);
    let below = arena.derived(move |r| *r.get(source) + 1);
    let middle = arena.derived(move |r| *r.get(below) + 1);
    let above = arena.derived(move |r| r.get(below) + r.get(middle) + r.get(below));
    assert_eq!(*arena.read(above), 2 + 3 + 2);
    assert_eq!(arena.consumer_count(below), 2);
    arena.check();
}

#[test]
fn a_row_that_failed_in_a_cycle_hears_when_the_cycle_is_gone() {
    for flip in [false, true] {
        let mut arena = Arena::new();
        let space = arena.key_space_indexed(|k: &u32| *k);
        let target = arena.member_family::<u32, u32>(space);
        let threat = arena.reserve_family::<u32, i32>(space);
        arena.cog().name("threat").define_family(
            threat,
            (target.aligned(), threat.lookup()),
            |(target, threat): (&u32, Lookup<'_, u32, i32>)| {
                threat.get(target).copied().unwrap_or(0) + 1
            },
        );
        let hold = arena.hold(threat);
        let order = if flip { [14, 13] } else { [13, 14] };
        let cycle = caught(|| {
            arena.turn(|w| order.map(|key| w.set(target.at(key), 27 - key)));
        });
        assert_eq!(cycle, None, "each is the other's target");
        arena.check();

        arena.turn(|w| w.set(target.at(13), 99));

        assert_eq!(arena.settled(threat.at(13)), Some(&1));
        assert_eq!(arena.settled(threat.at(14)), Some(&2));
        arena.check();
        arena.let_go(hold);
    }
}
