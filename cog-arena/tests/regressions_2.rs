//! More faults that random play found, each as the smallest program that showed it: rows that come to life late, were
//! only read, or whose key comes back.

mod common;
#[path = "common/seen.rs"]
mod seen;

use std::sync::Arc;

use cog_arena::{Arena, DerivedFamily, KeySpace, OwnKey, Reader, Reads};
use common::{arena, arena_with_log};
use seen::{Seen, first_of, take};

/// The keys of rows that moved, in order.
fn moved_keys<T: Send + Sync + 'static>(arena: &Arena, family: DerivedFamily<u32, T>) -> Vec<u32> {
    let mut keys: Vec<u32> = arena.moved(family).iter().map(|row| *row.key).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn members_come_to_life_when_the_keyless_input_of_their_held_family_does() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |k| *k);
    let gate = arena.absent_source::<u32>();
    let plain = arena.derived_family_from(
        space,
        (OwnKey::new(), gate.shared()),
        |(k, g): (&u32, &u32)| k + g,
    );
    let over_total = arena.derived_family_from(
        space,
        (first.aligned(), gate.shared()),
        |(v, g): (&u32, &u32)| v + g,
    );
    let tracked = arena.derived_family_from(
        space,
        (OwnKey::new(), gate.shared(), Reads),
        |(k, g, _): (&u32, &u32, &Reader<'_>)| k + g,
    );
    let families = [plain, over_total, tracked];
    let holds = families.map(|family| arena.hold(family));
    arena.turn(|w| {
        for key in 0..70 {
            w.insert_key(space, key);
        }
    });

    arena.begin();
    arena.writer().set(gate, 5);
    arena.settle();

    for family in families {
        assert!(moved_keys(&arena, family).into_iter().eq(0..70));
        assert_eq!(arena.settled(family.at(69)), Some(&74));
    }
    arena.release();
    arena.check();
    for hold in holds {
        arena.let_go(hold);
    }
}

/// A space, and families whose row of one is one: declared without an input that moves with the key, declared over a
/// source, tracked.
fn three_families(arena: &mut Arena) -> (KeySpace<u32>, [DerivedFamily<u32, u32>; 3]) {
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |_| 1);
    let own = arena.derived_family_from(space, OwnKey::new(), |k: &u32| *k);
    let declared = arena.derived_family_from(space, first.aligned(), |v: &u32| *v);
    let tracked = arena.derived_family(space, move |r, k| *r.get(first.at(*k)));
    (space, [own, declared, tracked])
}

#[test]
fn a_row_held_by_itself_is_settled_after_its_key_went_and_came_back_in_one_turn() {
    for which in 0..3 {
        let mut arena = arena();
        let (space, families) = three_families(&mut arena);
        let row = families[which].at(1);
        arena.turn(|w| {
            w.insert_key(space, 1);
        });
        let hold = arena.hold(row);

        arena.turn(|w| {
            w.remove_key(space, &1);
            w.insert_key(space, 1);
        });

        assert_eq!(arena.settled(row), Some(&1));
        arena.let_go(hold);
    }
}

#[test]
fn a_row_held_a_second_time_after_its_key_went_is_settled() {
    for which in 0..3 {
        let mut arena = arena();
        let (space, families) = three_families(&mut arena);
        let row = families[which].at(1);
        arena.turn(|w| {
            w.insert_key(space, 1);
        });
        let hold = arena.hold(row);
        arena.turn(|w| {
            w.remove_key(space, &1);
        });

        let again = arena.hold(row);

        assert_eq!(arena.settled(row), Some(&1));
        arena.check();
        arena.let_go(hold);
        arena.let_go(again);
    }
}

#[test]
fn a_row_that_ended_and_is_still_read_is_published_when_its_family_is_held() {
    let mut arena = arena();
    let (space, [_, _, tracked]) = three_families(&mut arena);
    let reader = arena.derived(move |r| r.lookup(tracked.at(1)).copied());
    arena.turn(|w| {
        w.insert_key(space, 1);
    });
    assert_eq!(*arena.read(reader), Some(1));
    arena.turn(|w| {
        w.remove_key(space, &1);
    });
    arena.turn(|w| {
        w.insert_key(space, 1);
    });

    let hold = arena.hold(tracked);

    assert_eq!(arena.settled(tracked.at(1)), Some(&1));
    arena.begin();
    arena.settle();
    assert_eq!(moved_keys(&arena, tracked), [1]);
    arena.release();
    arena.check();
    arena.let_go(hold);
}

#[test]
fn a_row_of_no_member_runs_only_with_its_optional_input_settled() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |k| *k);
    let gate = arena.absent_source::<u32>();
    let below = arena.derived_family_from(space, first.aligned(), |v: &u32| v + 1);
    let seen: Seen<(u32, Option<u32>)> = Arc::default();
    let noted = seen.clone();
    let above = arena.derived_family_from(
        space,
        (OwnKey::new(), below.optional(), gate.shared()),
        move |(k, v, _): (&u32, Option<&u32>, &u32)| {
            noted.lock().unwrap().push((*k, v.copied()));
            v.copied()
        },
    );
    let hold = arena.hold(above);
    arena.turn(|w| {
        w.insert_key(space, 1);
    });
    // Nine has rows, but none here: what reads it keeps it.
    let keeper = arena.derived(move |r| *r.get(first.at(9)));
    arena.read(keeper);
    assert!(arena.try_read(above.at(9)).is_err(), "the gate is absent");

    arena.turn(|w| w.set(gate, 5));

    assert_eq!(arena.read(above.at(9)), &Some(10));
    assert_eq!(arena.read(above.at(1)), &Some(2));
    assert!(
        take(&seen).iter().all(|&(k, v)| v == Some(k + 1)),
        "no run without the optional input"
    );
    arena.check();
    arena.let_go(hold);
}

#[test]
fn an_optional_input_that_comes_to_life_is_noticed_after_the_hold_was_let_go() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let source = arena.member_family::<u32, i32>(space);
    let mixed = arena.derived_family_from(space, (source.aligned(), Reads), first_of);
    let over = arena.derived_family_from(space, mixed.optional(), |v: Option<&i32>| v.copied());
    // From now on marks pass through the family, and it settles its rows without looking at rows that never were.
    let hold = arena.hold(over);
    let other = arena.derived(move |r| *r.get(over.at(2)));
    arena.read(other);
    arena.turn(|w| {
        w.insert_key(space, 1);
    });
    arena.let_go(hold);
    let reader = arena.derived(move |r| *r.get(over.at(1)));
    let kept = arena.hold(reader);
    assert_eq!(arena.settled(reader), Some(&None));

    arena.turn(|w| w.set(source.at(1), 5));

    assert_eq!(arena.settled(reader), Some(&Some(5)));
    assert_eq!(arena.read(over.at(1)), &Some(5));
    arena.let_go(kept);
}

#[test]
fn what_was_marked_before_a_hold_hides_no_row_that_comes_to_life_after_it() {
    for let_go in [false, true] {
        let mut arena = arena();
        let space = arena.key_space::<u32>();
        let (one, two) = (
            arena.member_family::<u32, i32>(space),
            arena.member_family::<u32, i32>(space),
        );
        let mixed = arena.derived_family_from(
            space,
            (one.aligned(), two.aligned(), Reads),
            |(a, b, _): (&i32, &i32, &Reader<'_>)| a + b,
        );
        let over = arena.derived_family_from(space, mixed.optional(), |v: Option<&i32>| v.copied());
        let other = arena.derived(move |r| *r.get(over.at(2)));
        arena.read(other);
        arena.turn(|w| {
            w.insert_key(space, 1);
        });
        arena.turn(|w| w.set(one.at(1), 1));
        let mut holds = vec![arena.hold(over)];
        if let_go {
            holds.drain(..).for_each(|hold| arena.let_go(hold));
        }
        let reader = arena.derived(move |r| *r.get(over.at(1)));
        holds.push(arena.hold(reader));
        assert_eq!(arena.settled(reader), Some(&None));

        arena.turn(|w| w.set(two.at(1), 4));

        assert_eq!(arena.settled(reader), Some(&Some(5)));
        holds.drain(..).for_each(|hold| arena.let_go(hold));
    }
}

#[test]
fn nobody_sees_half_of_what_a_keyless_input_brings_to_life() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let gate = arena.absent_source::<i32>();
    let below = arena.derived_family_from(
        space,
        (OwnKey::new(), gate.shared()),
        |(_, g): (&u32, &i32)| *g,
    );
    let mixed = arena.derived_family_from(
        space,
        (below.aligned(), gate.shared(), Reads),
        |(v, _, _): (&i32, &i32, &Reader<'_>)| *v,
    );
    let over = arena.derived_family_from(space, mixed.optional(), |v: Option<&i32>| v.copied());
    let hold = arena.hold(over);
    let other = arena.derived(move |r| *r.get(over.at(2)));
    arena.read(other);
    // So many keys that the last one has no neighbour whose rows were read.
    arena.turn(|w| {
        for key in 0..70 {
            w.insert_key(space, key);
        }
    });
    let seen: Seen<(Option<i32>, Option<i32>)> = Arc::default();
    let noted = seen.clone();
    let reader = arena.derived(move |r| {
        let both = (r.lookup(gate).copied(), *r.get(over.at(69)));
        noted.lock().unwrap().push(both);
    });
    let kept = arena.hold(reader);

    arena.turn(|w| w.set(gate, 5));
    arena.turn(|w| w.clear(gate));
    arena.let_go(hold);
    arena.turn(|w| w.set(gate, 6));

    let both = |v| (v, v);
    assert_eq!(take(&seen), [None, Some(5), None, Some(6)].map(both));
    arena.let_go(kept);
}

#[test]
fn reading_a_row_of_no_member_leaves_nothing_queued() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |_| 1);
    let held = arena.derived_family_from(space, first.aligned(), |v: &i32| *v);
    let over = arena.derived_family_from(space, held.aligned(), |v: &i32| *v);
    let holds = [arena.hold(held), arena.hold(over)];

    // By a row that is pulled after both families were settled.
    let reader = arena.derived(move |r| *r.get(held.at(8)));
    let kept = arena.hold(reader);
    arena.check();
    // And outside.
    assert_eq!(*arena.read(held.at(9)), 1);
    arena.check();
    for hold in holds {
        arena.let_go(hold);
    }
    arena.check();

    assert_eq!(*arena.read(over.at(9)), 1);
    arena.check();
    arena.let_go(kept);
}

#[test]
fn who_reads_a_row_of_no_member_runs_once_when_it_is_settled_by_that() {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |_| 1);
    let held = arena.derived_family_from(space, first.aligned(), |v: &i32| *v);
    let hold = arena.hold(held);
    let reader = arena.derived(log.named("reader", move |r| *r.get(held.at(1))));
    let kept = arena.hold(reader);
    arena.turn(|w| w.set(first.at(1), 5));
    log.take();

    arena.turn(|w| {
        w.remove_key(space, &1);
    });

    assert_eq!(log.take(), ["reader"]);
    assert_eq!(arena.settled(reader), Some(&1));
    arena.let_go(kept);
    arena.let_go(hold);
}

#[test]
fn a_row_that_was_only_read_and_ends_as_its_key_becomes_a_member_is_no_news() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let gate = arena.absent_source();
    arena.turn(|w| w.set(gate, 7));
    let family = arena.derived_family_from(
        space,
        (OwnKey::new(), gate.shared()),
        |(_, g): (&u32, &i32)| *g,
    );
    let hold = arena.hold(family);
    assert_eq!(*arena.read(family.at(5)), 7);
    arena.turn(|_| ());

    arena.begin();
    arena.writer().insert_key(space, 5);
    arena.writer().clear(gate);
    arena.settle();

    assert!(arena.moved(family).is_empty(), "nobody was told of it");
    arena.release();
    arena.check();
    arena.let_go(hold);
}
