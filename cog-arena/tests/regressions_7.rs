//! Faults that were found by reading what writers stage, and by measuring what many of a kind cost.
//!
//! Takes: many families, keys and holds. Leaves: each fault's smallest case. Never: looks at a clock.

mod common;
#[path = "common/seen.rs"]
mod seen;

use std::sync::Arc;

use cog_arena::KeySlot;
use common::{arena, panic_of};
use seen::{Seen, take};

#[test]
fn a_row_of_a_total_family_removed_by_slot_starts_anew_as_one_removed_by_key_does() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let total = arena.source_family(space, |&key| i64::from(key) * 10);
    let double = arena.derived_family_from(space, total.aligned(), |value: &i64| 2 * value);
    let _hold = arena.hold(double);
    let slots: Vec<KeySlot<u32>> = arena
        .turn(|w| {
            [3, 4].map(|key| {
                w.set(total.at(key), 1);
                w.insert_key(space, key)
            })
        })
        .to_vec();
    let seen: Seen<Option<i64>> = Arc::default();
    let noted = seen.clone();
    let _reaction = arena.react(move |r, _| {
        noted.lock().unwrap().push(r.lookup(total.at(3)).copied());
    });
    assert_eq!(take(&seen), [Some(1)]);

    arena.turn(|w| {
        assert!(w.rows(total).remove(slots[0]));
        w.remove(total.at(4));
    });

    assert_eq!(take(&seen), [Some(30)]);
    for (key, first) in [(3, 30), (4, 40)] {
        assert_eq!(arena.settled(total.at(key)), Some(&first));
        assert_eq!(arena.settled(double.at(key)), Some(&(2 * first)));
    }
    // It is at its first value already: nothing moves.
    arena.turn(|w| assert!(w.rows(total).remove(slots[0])));
    assert_eq!(arena.counts().written, 0);
    // What is staged after it wins.
    arena.turn(|w| {
        w.rows(total).remove(slots[0]);
        assert_eq!(w.try_get(total.at(3)), Some(&30), "the writer sees it");
        w.rows(total).set(slots[0], 7);
    });
    assert_eq!(take(&seen), [Some(7)]);
}

#[test]
fn a_first_value_that_cannot_be_made_leaves_what_was_staged() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let total = arena.source_family(space, |&key| {
        assert!(key != 3, "none for three");
        0_i64
    });
    let slot = arena.turn(|w| {
        w.set(total.at(3), 1);
        w.insert_key(space, 3)
    });

    let text = panic_of(|| arena.turn(|w| w.rows(total).remove(slot)));

    assert_eq!(text, "none for three");
    assert_eq!(arena.settled(total.at(3)), Some(&1));
}
