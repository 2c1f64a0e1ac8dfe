//! Holding while a turn is being written: nothing runs before the turn settles, and then each row once.

mod common;

use cog_arena::Step;
use common::{arena, arena_with_log, panic_of};

#[test]
fn a_family_held_while_a_turn_is_written_settles_with_it_each_row_once() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let source = arena.cog().member_family::<u32, i32>(space);
    let noted = log.clone();
    let double = arena.derived_family_from(space, source.aligned(), move |value: &i32| {
        noted.note("double");
        value * 2
    });
    arena.turn(|w| {
        for key in 0..100 {
            w.insert_key(space, key);
            w.set(source.at(key), 1);
        }
    });
    arena.begin();
    let _hold = arena.hold(double);
    arena.writer().set(source.at(7), 5);
    arena.writer().insert_key(space, 200);
    arena.writer().set(source.at(200), 9);
    arena.writer().remove_key(space, &3);
    assert_eq!(log.len(), 0);
    arena.settle();
    assert_eq!(log.take().len(), 100);
    let moved = arena.moved(double);
    let of = |key: u32| moved.iter().find(|row| *row.key == key)?.value.copied();
    assert_eq!(moved.len(), 100);
    assert_eq!(
        (of(0), of(7), of(200), of(3)),
        (Some(2), Some(10), Some(18), None)
    );
    arena.release();
    arena.check();
}

#[test]
fn a_keyless_cog_held_while_a_turn_is_written_sees_what_the_turn_writes() {
    let (mut arena, log) = arena_with_log();
    let source = arena.source(1);
    let tracked = arena.derived(log.named("tracked", move |r| r.get(source) * 2));
    let noted = log.clone();
    let declared = arena.derived_from(source.shared(), move |value: &i32| {
        noted.note("declared");
        value * 3
    });
    arena.begin();
    let holds = [arena.hold(tracked), arena.hold(declared)];
    arena.writer().set(source, 2);
    assert_eq!(log.len(), 0);
    arena.settle();
    assert_eq!(
        (arena.settled(tracked), arena.settled(declared)),
        (Some(&4), Some(&6))
    );
    assert_eq!(arena.moved_value(declared), Some(Some(&6)));
    arena.release();
    let mut ran = log.take();
    ran.sort();
    assert_eq!(ran, ["declared", "tracked"]);
    for hold in holds {
        arena.let_go(hold);
    }
    arena.turn(|w| w.set(source, 3));
    assert_eq!(log.len(), 0, "nobody needs them any more");
}

#[test]
fn what_is_held_in_a_turn_that_is_abandoned_is_settled_all_the_same() {
    let (mut arena, log) = arena_with_log();
    let source = arena.source(1);
    let double = arena.derived(log.named("double", move |r| r.get(source) * 2));
    let noted = log.clone();
    let triple = arena.derived_from(source.shared(), move |value: &i32| {
        noted.note("triple");
        value * 3
    });
    arena.begin();
    let _hold = arena.hold(double);
    let _hold = arena.hold(triple);
    arena.writer().set(source, 2);
    arena.abandon();
    arena.check();
    arena.turn(|w| w.set(source, 4));
    assert_eq!(
        (arena.settled(double), arena.settled(triple)),
        (Some(&8), Some(&12))
    );
}

#[test]
fn what_is_held_while_a_turn_is_written_and_fails_is_raised_at_its_end() {
    let mut arena = arena();
    let source = arena.source(1);
    let fails = arena.derived_from(source.shared(), |value: &i32| {
        assert!(*value > 1, "too small");
        *value
    });
    arena.begin();
    let _hold = arena.hold(fails);
    arena.settle();
    assert_eq!(panic_of(|| arena.release()), "too small");
    assert_eq!(arena.step(), Step::Idle);
    arena.turn(|w| w.set(source, 2));
    assert_eq!(arena.settled(fails), Some(&2));
}

#[test]
fn a_hold_in_a_turn_that_has_settled_is_refused() {
    let mut arena = arena();
    let source = arena.source(1);
    let double = arena.derived(move |r| r.get(source) * 2);
    arena.begin();
    arena.settle();
    let said = panic_of(|| arena.hold(double));
    assert!(said.contains("Idle"), "{said}");
    arena.release();
}

#[test]
fn what_is_held_while_a_turn_is_written_is_read_there_as_it_was_committed() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let source = arena.cog().member_family::<u32, i32>(space);
    let double = arena.derived_family_from(space, source.aligned(), |value: &i32| value * 2);
    let quadruple = arena.derived_family_from(space, double.aligned(), |value: &i32| value * 2);
    arena.turn(|w| {
        w.insert_key(space, 1);
        w.set(source.at(1), 1);
    });
    assert_eq!(*arena.read(quadruple.at(1)), 4);
    arena.turn(|w| w.set(source.at(1), 2));
    arena.begin();
    let _hold = arena.hold(quadruple);
    assert_eq!(*arena.writer().read(quadruple.at(1)), 8);
    arena.writer().set(source.at(1), 3);
    assert_eq!(*arena.writer().read(quadruple.at(1)), 8);
    arena.settle();
    assert_eq!(arena.settled(quadruple.at(1)), Some(&12));
    arena.release();
}
