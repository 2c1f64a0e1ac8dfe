//! More faults that random play found, each as the smallest program that showed it: keys that go while somebody reads
//! their rows, and cogs declared late.

mod common;
#[path = "common/seen.rs"]
mod seen;

use std::sync::Arc;

use cog_arena::{Reader, Reads};
use common::arena;
use seen::{Seen, first_of, take};

#[test]
fn a_removed_key_whose_row_held_nothing_wakes_no_reader() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let source = arena.member_family::<u32, i32>(space);
    let declared = arena.derived_family_from(space, source.aligned(), |v: &i32| *v);
    let mixed = arena.derived_family_from(space, (source.aligned(), Reads), first_of);
    for family in [declared, mixed] {
        let seen: Seen<Option<i32>> = Arc::default();
        let noted = seen.clone();
        arena.turn(|w| {
            w.insert_key(space, 1);
        });
        let reaction = arena.react(move |r, _| {
            noted.lock().unwrap().push(r.lookup(family.at(1)).copied());
        });
        assert_eq!(take(&seen), [None]);

        arena.turn(|w| {
            w.remove_key(space, &1);
        });
        assert_eq!(take(&seen), []);
        arena.turn(|w| w.set(source.at(1), 5));
        assert_eq!(take(&seen), [Some(5)]);
        arena.turn(|w| w.remove(source.at(1)));
        assert_eq!(take(&seen), [None]);
        arena.turn(|w| {
            w.remove_key(space, &1);
            w.set(source.at(1), 6);
        });
        assert_eq!(take(&seen), [Some(6)]);
        arena.end(reaction);
        arena.turn(|w| {
            w.remove_key(space, &1);
        });
    }
}

#[test]
fn a_reader_that_saw_nothing_hears_of_what_a_removed_key_leaves() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |_| 1);
    let positive = |v: &i32| (0 < *v).then_some(*v);
    let declared = arena.partial_family_from(space, first.aligned(), positive);
    let mixed = arena.partial_family_from(
        space,
        (first.aligned(), Reads),
        move |(v, _): (&i32, &Reader<'_>)| positive(v),
    );
    for (family, held) in [
        (declared, false),
        (declared, true),
        (mixed, false),
        (mixed, true),
    ] {
        let hold = held.then(|| arena.hold(family));
        let seen: Seen<Option<i32>> = Arc::default();
        let noted = seen.clone();
        arena.turn(|w| w.set(first.at(1), -1));
        let reaction = arena.react(move |r, _| {
            noted.lock().unwrap().push(r.lookup(family.at(1)).copied());
        });

        arena.turn(|w| {
            w.remove_key(space, &1);
        });

        assert_eq!(take(&seen), [None, Some(1)]);
        arena.end(reaction);
        if let Some(hold) = hold {
            arena.let_go(hold);
        }
    }
}

#[test]
fn a_key_removed_and_set_in_one_turn_is_not_compared_with_its_old_value() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let source = arena
        .cog()
        .equality(|_: &i32, _: &i32| panic!("compared"))
        .member_family::<u32, i32>(space);
    let derived = arena.derived_family_from(space, source.aligned(), |v: &i32| *v);
    let hold = arena.hold(derived);
    arena.turn(|w| w.set(source.at(1), 5));

    arena.turn(|w| {
        w.remove_key(space, &1);
        w.set(source.at(1), 6);
    });

    assert_eq!(arena.settled(derived.at(1)), Some(&6));
    arena.let_go(hold);
}

#[test]
fn declaring_a_cog_while_a_family_is_held_leaves_nothing_to_be_done() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let first = arena.source_family(space, |_| 1);
    let tracked = arena.derived_family(space, move |r, k| *r.get(first.at(*k)));
    let held = arena.derived_family_from(space, tracked.aligned(), |v: &i32| *v);
    let other = arena.derived_family_from(space, tracked.aligned(), |v: &i32| *v);
    let holds = [arena.hold(held), arena.hold(other)];
    arena.turn(|w| {
        w.insert_key(space, 1);
    });

    let mixed = arena.derived_family_from(space, (held.aligned(), Reads), first_of);
    arena.check();
    let declared = arena.derived_family_from(space, held.aligned(), |v: &i32| *v);
    arena.check();
    let later = arena.reserve_family::<u32, i32>(space);
    arena
        .cog()
        .define_family(later, other.aligned(), |v: &i32| *v);
    arena.check();

    for family in [mixed, declared, later] {
        assert_eq!(*arena.read(family.at(1)), 1);
    }
    for hold in holds {
        arena.let_go(hold);
    }
}
