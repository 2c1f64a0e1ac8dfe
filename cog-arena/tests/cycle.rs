//! Cycles: an error that names the closed path, found only when it is live, and gone when it is not.

mod common;

use cog_arena::{Derived, DerivedFamily, ReadError, Source};
use common::{Checked, Late, arena, arena_with_log, assert_says, panic_of};

/// `left` reads `right` while the flag is on, and `right` always reads `left`.
fn loop_of_two(arena: &mut Checked) -> (Source<bool>, Derived<i32>, Derived<i32>) {
    let late = Late::<Derived<i32>>::new();
    let flag = arena.cog().name("flag").source(false);
    let other = late.clone();
    let left = arena.cog().name("left").derived(move |r| {
        if *r.get(flag) {
            r.get(other.get()) + 1
        } else {
            7
        }
    });
    let right = arena.cog().name("right").derived(move |r| r.get(left) + 1);
    late.set(right);
    (flag, left, right)
}

/// Each key reads the next one, up to a last one that reads the first if `closed`.
fn ring(arena: &mut Checked, keys: u32) -> (Source<bool>, DerivedFamily<u32, u32>) {
    let space = arena.key_space();
    let late = Late::<DerivedFamily<u32, u32>>::new();
    let closed = arena.cog().name("closed").source(true);
    let own = late.clone();
    let ring = arena
        .cog()
        .name("ring")
        .derived_family(space, move |r, &key| {
            if key + 1 < keys {
                r.get(own.get().at(key + 1)) + 1
            } else if *r.get(closed) {
                r.get(own.get().at(0)) + 1
            } else {
                0
            }
        });
    late.set(ring);
    (closed, ring)
}

#[test]
fn cycle_01_reading_oneself_fails_with_the_name() {
    let mut arena = arena();
    let late = Late::<Derived<i32>>::new();
    let own = late.clone();
    let narcissus = arena
        .cog()
        .name("narcissus")
        .derived(move |r| *r.get(own.get()));
    late.set(narcissus);

    let text = panic_of(|| *arena.read(narcissus));

    assert_says(&text, &["cycle", "narcissus → narcissus"]);
}

#[test]
fn cycle_02_two_cogs_show_the_closed_path() {
    let mut arena = arena();
    let (flag, left, right) = loop_of_two(&mut arena);
    arena.turn(|w| w.set(flag, true));

    assert_says(&panic_of(|| *arena.read(left)), &["left → right → left"]);
    assert_says(&panic_of(|| *arena.read(right)), &["right → left → right"]);
}

#[test]
fn cycle_03_keys_appear_in_the_path() {
    let mut arena = arena();
    let (_, ring) = ring(&mut arena, 4);

    let text = panic_of(|| *arena.read(ring.at(2)));

    assert_says(&text, &["ring[2] → ring[3] → ring[0] → ring[1] → ring[2]"]);
}

#[test]
fn cycle_03_the_path_leaves_out_what_only_led_to_it() {
    let mut arena = arena();
    let (_, ring) = ring(&mut arena, 2);
    let outer = arena
        .cog()
        .name("outer")
        .derived(move |r| *r.get(ring.at(0)));

    let Err(ReadError::Cycle(path)) = arena.try_read(outer) else {
        panic!("reading a cycle is an error");
    };

    assert_eq!(path.to_string(), "ring[0] → ring[1] → ring[0]");
}

#[test]
fn cycle_04_a_conditional_cycle_is_found_only_while_it_is_live() {
    let mut arena = arena();
    let (flag, left, right) = loop_of_two(&mut arena);
    assert_eq!((*arena.read(left), *arena.read(right)), (7, 8));

    arena.turn(|w| w.set(flag, true));
    assert!(matches!(arena.try_read(left), Err(ReadError::Cycle(_))));
    assert!(matches!(arena.try_read(right), Err(ReadError::Cycle(_))));

    arena.turn(|w| w.set(flag, false));
    assert_eq!((*arena.read(left), *arena.read(right)), (7, 8));

    arena.turn(|w| w.set(flag, true));
    assert!(
        matches!(arena.try_read(right), Err(ReadError::Cycle(_))),
        "and again"
    );
}

#[test]
fn cycle_07_the_panic_says_what_the_error_says() {
    let mut arena = arena();
    let (flag, left, _) = loop_of_two(&mut arena);
    arena.turn(|w| w.set(flag, true));

    let panic = panic_of(|| *arena.read(left));
    let error = arena.try_read(left).expect_err("a cycle is an error");

    assert_says(&panic, &[&error.to_string()]);
}

#[test]
fn a_cycle_met_while_only_checking_is_the_same_error() {
    let mut arena = arena();
    let late = Late::<Derived<i32>>::new();
    let (flag, other) = (arena.source(false), arena.source(0));
    let next = late.clone();
    let first = arena
        .cog()
        .name("first")
        .derived(move |r| if *r.get(flag) { *r.get(next.get()) } else { 0 });
    let second = arena
        .cog()
        .name("second")
        .derived(move |r| r.get(first) + r.get(other));
    let third = arena.cog().name("third").derived(move |r| *r.get(second));
    late.set(third);
    assert_eq!(*arena.read(third), 0);

    arena.turn(|w| {
        w.set(flag, true);
        w.set(other, 1);
    });

    // The third and the second are merely to check: the walk meets the first, which runs and
    // reads the third.
    let Err(ReadError::Cycle(path)) = arena.try_read(third) else {
        panic!("reading a cycle is an error");
    };
    assert_eq!(path.to_string(), "third → second → first → third");
    arena.turn(|w| w.set(flag, false));
    assert_eq!(*arena.read(third), 1);
}

#[test]
fn a_cycle_through_a_declared_input_is_the_same_error() {
    let mut arena = arena();
    let late = Late::<Derived<i32>>::new();
    let flag = arena.source(true);
    let next = late.clone();
    let tracked = arena
        .cog()
        .name("tracked")
        .derived(move |r| if *r.get(flag) { *r.get(next.get()) } else { 0 });
    let over = arena
        .cog()
        .name("over")
        .derived_from(tracked.shared(), |t: &i32| t + 1);
    late.set(over);

    assert_says(&panic_of(|| *arena.read(over)), &["over → tracked → over"]);
    assert_says(
        &panic_of(|| *arena.read(tracked)),
        &["tracked → over → tracked"],
    );

    arena.turn(|w| w.set(flag, false));
    assert_eq!((*arena.read(over), *arena.read(tracked)), (1, 0));
}

#[test]
fn a_cycle_through_a_peek_is_the_same_error() {
    let mut arena = arena();
    let late = Late::<Derived<i32>>::new();
    let own = late.clone();
    let peeker = arena
        .cog()
        .name("peeker")
        .derived(move |r| *r.peek(own.get()));
    late.set(peeker);

    assert_says(&panic_of(|| *arena.read(peeker)), &["peeker → peeker"]);
}

#[test]
fn fault_01_flipping_which_of_two_reads_the_other_is_no_cycle() {
    let (mut arena, log) = arena_with_log();
    let late = Late::<Derived<i32>>::new();
    let forward = arena.source(true);
    let other = late.clone();
    let a = arena.derived(log.named("a", move |r| {
        if *r.get(forward) {
            *r.get(other.get()) + 1
        } else {
            1
        }
    }));
    let b = arena.derived(log.named(
        "b",
        move |r| if *r.get(forward) { 1 } else { *r.get(a) + 1 },
    ));
    late.set(b);

    for (on, expected) in [
        (true, (2, 1)),
        (false, (1, 2)),
        (true, (2, 1)),
        (false, (1, 2)),
    ] {
        arena.turn(|w| w.set(forward, on));
        assert_eq!(*arena.read(a), expected.0);
        assert_eq!(*arena.read(b), expected.1);
    }
    assert_eq!((log.runs("a"), log.runs("b")), (4, 4));
}

#[test]
fn a_child_may_derive_from_its_parent_in_the_same_family_until_they_close_a_ring() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let late = Late::<DerivedFamily<u32, u32>>::new();
    let parent = arena
        .cog()
        .name("parent")
        .source_family(space, |_| None::<u32>);
    let own = late.clone();
    let depth = arena
        .cog()
        .name("depth")
        .derived_family(space, move |r, &key| {
            r.get(parent.at(key))
                .map_or(0, |above| r.get(own.get().at(above)) + 1)
        });
    late.set(depth);
    arena.turn(|w| (1..100).for_each(|key| w.set(parent.at(key), Some(key - 1))));
    assert_eq!(*arena.read(depth.at(99)), 99);

    arena.turn(|w| w.set(parent.at(97), Some(99)));
    let Err(ReadError::Cycle(path)) = arena.try_read(depth.at(99)) else {
        panic!("reading a cycle is an error");
    };
    assert_eq!(
        path.to_string(),
        "depth[99] → depth[98] → depth[97] → depth[99]"
    );
    assert_eq!(
        *arena.read(depth.at(96)),
        96,
        "what is not on the ring is well"
    );

    arena.turn(|w| w.set(parent.at(97), Some(0)));
    assert_eq!(*arena.read(depth.at(99)), 3);
}

#[test]
fn nothing_on_a_ring_keeps_a_value_that_it_never_had() {
    let (mut arena, log) = arena_with_log();
    let (closed, ring) = ring(&mut arena, 5);
    let entry = arena.derived(log.named("entry", move |r| *r.get(ring.at(3))));
    for key in [0, 3, 1] {
        assert!(arena.try_read(ring.at(key)).is_err());
        assert!(arena.settled(ring.at(key)).is_none());
    }
    assert!(arena.try_read(entry).is_err());
    assert!(arena.settled(entry).is_none());

    arena.turn(|w| w.set(closed, false));

    let values: Vec<u32> = (0..5).map(|key| *arena.read(ring.at(key))).collect();
    assert_eq!(values, [4, 3, 2, 1, 0]);
    assert_eq!(*arena.read(entry), 1);
    assert_eq!(log.runs("entry"), 2);
}

#[test]
fn a_cycle_among_held_cogs_ends_the_turn_with_the_error_and_the_next_turn_is_normal() {
    let (mut arena, log) = arena_with_log();
    let (flag, left, right) = loop_of_two(&mut arena);
    let other = arena.source(0);
    let noted = log.clone();
    arena.react(move |r, _| noted.note(format!("other {}", r.get(other))));
    let holds = [arena.hold(left), arena.hold(right)];
    log.take();

    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(flag, true);
            w.set(other, 1);
        });
    });
    assert_says(&text, &["cycle", "→"]);
    assert_eq!(
        log.take(),
        ["other 1"],
        "who has nothing to do with it is served"
    );

    arena.turn(|w| w.set(flag, false));
    assert_eq!((*arena.read(left), *arena.read(right)), (7, 8));
    for hold in holds {
        arena.let_go(hold);
    }
}
