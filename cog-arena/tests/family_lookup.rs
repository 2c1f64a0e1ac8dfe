//! Functions of a family that read across keys, and functions with declared and tracked inputs.

mod common;

use cog_arena::{Lookup, Reader, Reads};
use common::arena_with_log;

#[test]
fn a_lookup_crosses_to_other_keys_and_tracks_what_it_found_and_what_not() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let health = arena.member_family::<u32, i32>(space);
    let target = arena.member_family::<u32, u32>(space);
    let noted = log.clone();
    let aim = arena.derived_family_from(
        space,
        (target.aligned(), health.lookup()),
        move |(target, health): (&u32, Lookup<'_, u32, i32>)| {
            noted.note(format!("aim at {target}"));
            health.get(target).copied()
        },
    );
    arena.turn(|w| {
        w.set(health.at(1), 10);
        w.set(target.at(5), 1);
        w.set(target.at(6), 2);
    });
    let hold = arena.hold(aim);
    arena.turn(|_| {});
    assert_eq!(arena.lookup(aim.at(5)), Some(&Some(10)));
    assert_eq!(arena.lookup(aim.at(6)), Some(&None));
    assert_eq!(arena.lookup(aim.at(1)), None, "it aims at nothing");
    log.take();

    arena.turn(|w| w.set(health.at(2), 20));
    assert_eq!(arena.lookup(aim.at(6)), Some(&Some(20)));
    arena.turn(|w| w.set(target.at(5), 2));
    arena.turn(|w| w.set(health.at(1), 11));

    assert_eq!(log.take(), ["aim at 2", "aim at 2"]);
    assert_eq!(arena.lookup(aim.at(5)), Some(&Some(20)));
    arena.let_go(hold);
}

#[test]
fn a_function_with_declared_and_tracked_inputs_settles_the_declared_ones_first() {
    let (mut arena, log) = arena_with_log();
    let (a, b) = (arena.source(1), arena.source(10));
    let declared = arena.derived(log.named("declared", move |r| r.get(a) * 2));
    let tracked = arena.derived(log.named("tracked", move |r| r.get(b) * 2));
    let noted = log.clone();
    let both = arena.derived_from(
        (declared.shared(), Reads),
        move |(declared, r): (&i32, &Reader<'_>)| {
            noted.note("both");
            declared + r.get(tracked)
        },
    );
    assert_eq!(*arena.read(both), 22);
    assert_eq!(log.take(), ["declared", "both", "tracked"]);

    arena.turn(|w| w.set(a, 2));
    assert_eq!(*arena.read(both), 24);
    assert_eq!(log.take(), ["declared", "both"]);

    arena.turn(|w| w.set(b, 20));
    assert_eq!(*arena.read(both), 44);
    assert_eq!(log.take(), ["tracked", "both"]);
}
