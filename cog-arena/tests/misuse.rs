//! Mistakes of a caller: foreign and stale handles, values that are not there, runaways, depth.

mod common;

use std::sync::{Arc, Mutex};

use cog_arena::{Derived, ReadError, TurnError};
use common::{Checked, arena, arena_with_log, assert_says, panic_of};

#[test]
fn a_handle_of_another_arena_is_refused() {
    let (mut here, mut there) = (arena(), arena());
    let own = here.cog().name("own").source(1);
    let space = there.key_space::<u8>();
    let source = there.cog().name("foreign").source(2);
    let derived = there.derived(move |r| r.get(source) * 2);
    let family = there.source_family(space, |_| 0);
    let keyed = there.derived_family(space, move |r, &k| *r.get(family.at(k)));

    assert_eq!(here.try_read(source), Err(ReadError::Foreign));
    assert_eq!(here.try_read(derived), Err(ReadError::Foreign));
    assert_eq!(here.try_read(family.at(1)), Err(ReadError::Foreign));
    assert_eq!(here.try_read(keyed.at(1)), Err(ReadError::Foreign));
    assert_says(&panic_of(|| *here.read(source)), &["another arena"]);
    assert_says(&panic_of(|| drop(here.hold(derived))), &["another arena"]);
    // In a turn, nothing of it is kept.
    let text = panic_of(|| {
        here.turn(|w| {
            w.set(own, 5);
            w.set(source, 5);
        });
    });
    assert_says(&text, &["another arena"]);
    let text = panic_of(|| {
        here.turn(|w| {
            w.set(own, 5);
            w.insert_key(space, 1);
        });
    });
    assert_says(&text, &["another arena"]);

    assert_eq!(
        (*here.read(own), *there.read(source), *there.read(derived)),
        (1, 2, 4)
    );
    here.turn(|w| w.set(own, 6));
    assert_eq!(*here.read(own), 6);
}

#[test]
fn a_function_that_reads_a_foreign_handle_panics_where_it_reads() {
    let (mut here, mut there) = (arena(), arena());
    let source = there.source(2);
    let flag = here.source(true);
    let reader = here.derived(move |r| if *r.get(flag) { *r.get(source) } else { 0 });

    assert_says(&panic_of(|| *here.read(reader)), &["another arena"]);

    here.turn(|w| w.set(flag, false));
    assert_eq!(*here.read(reader), 0);
}

#[test]
fn the_slot_of_a_removed_key_is_stale_and_never_another_key() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let health = arena.cog().name("health").member_family::<u32, i32>(space);
    let double = arena.derived_family_from(space, health.aligned(), |h: &i32| h * 2);
    let old = arena.turn(|w| {
        w.set(health.at(1), 10);
        w.insert_key(space, 1)
    });
    assert_eq!(*arena.read(double.at_slot(old)), 20);
    arena.turn(|w| w.remove_key(space, &1));
    // These take the place that has become free.
    arena.turn(|w| (2..10).for_each(|key| w.set(health.at(key), 7)));

    assert_eq!(arena.try_read(health.at_slot(old)), Err(ReadError::Stale));
    assert_eq!(arena.try_read(double.at_slot(old)), Err(ReadError::Stale));
    assert_eq!(arena.settled(health.at_slot(old)), None);
    assert_eq!(arena.key(old), None);
    assert!(!arena.turn(|w| w.remove_slot(old)));
    assert_says(
        &panic_of(|| arena.turn(|w| w.set(health.at_slot(old), 99))),
        &["removed"],
    );

    let values: Vec<i32> = (2..10).map(|key| *arena.read(health.at(key))).collect();
    assert_eq!(values, [7; 8]);
    assert_eq!(arena.len(space), 8);
}

#[test]
fn a_slot_stays_stale_when_its_key_returns() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let health = arena.source_family(space, |_| 0);
    let old = arena.turn(|w| w.insert_key(space, 1));

    for _ in 0..100 {
        arena.turn(|w| w.remove_key(space, &1));
        let new = arena.turn(|w| w.insert_key(space, 1));
        assert_ne!(new, old);
        assert_eq!(arena.try_read(health.at_slot(old)), Err(ReadError::Stale));
        assert_eq!(arena.try_read(health.at_slot(new)), Ok(&0));
    }
}

#[test]
fn reading_what_holds_nothing_is_an_error_that_says_so() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let target = arena.cog().name("target").absent_source::<i32>();
    let health = arena.cog().name("health").member_family::<u32, i32>(space);
    let reader = arena.derived(move |r| *r.get(target));

    assert!(matches!(
        arena.try_read(target),
        Err(ReadError::Absent { .. })
    ));
    assert!(matches!(
        arena.try_read(health.at(3)),
        Err(ReadError::Absent { .. })
    ));
    assert_says(&panic_of(|| *arena.read(target)), &["target"]);
    assert_says(&panic_of(|| *arena.read(health.at(3))), &["health[3]"]);
    assert_says(&panic_of(|| *arena.read(reader)), &["target"]);

    arena.turn(|w| w.set(target, 4));
    assert_eq!(*arena.read(reader), 4);
}

#[test]
fn only_a_source_that_may_be_absent_can_be_cleared() {
    let mut arena = arena();
    let plain = arena.cog().name("plain").source(1);

    let text = panic_of(|| arena.turn(|w| w.clear(plain)));

    assert_says(&text, &["plain"]);
    assert_eq!(*arena.read(plain), 1);
}

/// A counter that counts itself up, a turn at a time, while it is on.
fn runaway(arena: &mut Checked) -> (cog_arena::Source<bool>, cog_arena::Source<u32>) {
    let on = arena.source(false);
    let count = arena.cog().name("count").source(0_u32);
    arena.react(move |r, later| {
        let next = *r.get(count) + 1;
        if *r.get(on) {
            later.turn(move |w| w.set(count, next));
        }
    });
    (on, count)
}

#[test]
fn a_runaway_ends_with_an_error_instead_of_never() {
    let (mut arena, log) = arena_with_log();
    let warnings = Arc::new(Mutex::new(0));
    let heard = warnings.clone();
    arena.on_warning(move |_| *heard.lock().expect("no test panicked") += 1);
    let (on, count) = runaway(&mut arena);
    let noted = log.clone();
    let bystander = arena.source(0);
    arena.react(move |r, _| noted.note(format!("bystander {}", r.get(bystander))));
    arena.set_turns_max(200);
    log.take();

    let result = arena.try_turn(|w| w.set(on, true));

    assert!(
        matches!(result, Err(TurnError::Runaway { .. })),
        "{result:?}"
    );
    assert_eq!(*warnings.lock().expect("no test panicked"), 1);
    let counted = *arena.read(count);
    assert!((198..=201).contains(&counted), "{counted}");

    // The next turn is normal.
    arena.turn(|w| {
        w.set(on, false);
        w.set(bystander, 1);
    });
    assert_eq!(log.take(), ["bystander 1"]);
    assert_eq!(arena.queued(), 0);
    let still = *arena.read(count);
    arena.turn(|w| w.set(bystander, 2));
    assert_eq!(*arena.read(count), still);
}

#[test]
fn a_runaway_panics_in_a_turn_that_cannot_give_an_error_back() {
    let mut arena = arena();
    let (on, _) = runaway(&mut arena);
    arena.set_turns_max(100);

    let text = panic_of(|| arena.turn(|w| w.set(on, true)));

    assert_says(&text, &["misuse.rs"]);
    arena.turn(|w| w.set(on, false));
    assert_eq!(arena.queued(), 0);
}

/// A chain of this many derived cogs, none of which has ever run.
fn cold_chain(arena: &mut Checked, links: u32) -> Derived<u32> {
    let first = arena.source(0_u32);
    let mut last = arena
        .cog()
        .name("link 1")
        .derived(move |r| r.get(first) + 1);
    for link in 2..=links {
        last = arena
            .cog()
            .name(format!("link {link}"))
            .derived(move |r| r.get(last) + 1);
    }
    last
}

#[test]
fn graph_14_a_cold_chain_deeper_than_the_limit_fails_clearly() {
    let mut arena = arena();
    arena.set_depth_max(100);
    let short = cold_chain(&mut arena, 90);
    let long = cold_chain(&mut arena, 300);

    assert_eq!(*arena.read(short), 90);
    let Err(ReadError::TooDeep(path)) = arena.try_read(long) else {
        panic!("reading too deep is an error");
    };
    assert_says(&path.to_string(), &["link 300 → link 299 → link 298"]);
    assert_says(&panic_of(|| *arena.read(long)), &["deep"]);

    arena.set_depth_max(1_000);
    assert_eq!(
        *arena.read(long),
        300,
        "nothing of the failed reads is left"
    );
}

#[test]
fn a_reaction_of_another_arena_ends_nothing_here() {
    let (mut here, log) = arena_with_log();
    let mut there = arena();
    let source = here.source(0);
    let noted = log.clone();
    here.react(move |r, _| noted.note(r.get(source).to_string()));
    let foreign = there.react(|_, _| {});

    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| here.end(foreign)));

    here.turn(|w| w.set(source, 1));
    assert_eq!(log.take(), ["0", "1"]);
    assert!(there.end(foreign));
}
