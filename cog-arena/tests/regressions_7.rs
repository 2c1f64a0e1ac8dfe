//! Faults that were found by reading what writers stage, and by measuring what many of a kind cost.
//!
//! Takes: many families, keys and holds. Leaves: each fault's smallest case. Never: looks at a clock.

mod common;
#[path = "common/seen.rs"]
mod seen;

use std::sync::Arc;

use cog_arena::{Derived, DerivedFamily, Hold, KeySlot, SourceFamily};
use common::{arena, arena_with_log, panic_of};
use seen::{Count, Seen, take};

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

/// What a turn runs, and in which order, after holds were let go in the order that `order` makes of them.
fn runs_after(order: impl FnOnce(&mut Vec<Hold>)) -> Vec<String> {
    let (mut arena, log) = arena_with_log();
    let space = arena.key_space::<u32>();
    let source = arena.source_family(space, |_| 0);
    let families: Vec<DerivedFamily<u32, i32>> = (0..8)
        .map(|at| {
            let log = log.clone();
            arena.derived_family_from(space, source.aligned(), move |value: &i32| {
                log.note(format!("family {at}"));
                *value
            })
        })
        .collect();
    arena.turn(|w| w.set(source.at(1), 1));
    let mut holds: Vec<Hold> = families.iter().map(|&family| arena.hold(family)).collect();
    let kept = holds.split_off(5);
    order(&mut holds);
    for hold in holds {
        arena.let_go(hold);
        arena.check();
    }
    let again = arena.hold(families[1]);
    log.take();

    arena.begin();
    arena.writer().set(source.at(1), 2);
    arena.writer().set(source.at(2), 2);
    arena.settle();
    for (at, &family) in families.iter().enumerate() {
        let moved: Vec<u32> = match at {
            1 | 5.. => arena.moved(family).iter().map(|row| *row.key).collect(),
            _ => Vec::new(),
        };
        let right: &[u32] = if at == 1 || 5 <= at { &[1, 2] } else { &[] };
        assert_eq!(moved, right, "family {at}");
    }
    arena.release();
    arena.turn(|_| {});
    assert!(arena.moved(families[1]).is_empty(), "it was told of");
    for hold in kept.into_iter().chain([again]) {
        arena.let_go(hold);
    }
    arena.turn(|w| w.set(source.at(1), 3));
    log.take()
}

#[test]
fn families_run_and_move_alike_in_whichever_order_others_were_let_go() {
    let runs = runs_after(|_| {});

    let once: Vec<String> = [1, 5, 6, 7].map(|at| format!("family {at}")).to_vec();
    let twice: Vec<String> = once
        .iter()
        .flat_map(|run| [run.clone(), run.clone()])
        .collect();
    assert_eq!(
        runs, twice,
        "each row once, by rank, and none that nobody holds"
    );
    assert_eq!(runs_after(|holds| holds.reverse()), runs);
    assert_eq!(runs_after(|holds| holds.swap(0, 3)), runs);
}

#[test]
fn a_column_stays_eager_until_the_last_of_its_dependants_is_let_go() {
    let mut arena = arena();
    let source = arena.source(1);
    let runs = Count::default();
    let its = runs.clone();
    let below = arena.derived_from(source.shared(), move |value: &i32| {
        its.add();
        *value
    });
    let cogs: Vec<Derived<i32>> = (0..4)
        // One reads it twice.
        .map(|at| match at {
            0 => arena.derived_from((below.shared(), below.shared()), |(a, b): (&i32, &i32)| {
                a + b
            }),
            _ => arena.derived_from(below.shared(), |value: &i32| *value),
        })
        .collect();
    let holds: Vec<Hold> = cogs.iter().map(|&cog| arena.hold(cog)).collect();
    runs.take();
    for (value, hold) in (2..).zip(holds) {
        arena.turn(|w| w.set(source, value));
        assert_eq!(runs.take(), 1, "somebody needs it");
        arena.let_go(hold);
    }

    arena.turn(|w| w.set(source, 9));

    assert_eq!(runs.take(), 0, "nobody does");
}

#[test]
fn what_is_staged_counts_once_however_it_came_to_be_staged() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let (one, two) = (
        arena.member_family(space),
        arena.source_family(space, |_| 0),
    );
    let slot = arena.turn(|w| {
        w.set(one.at(1), 1);
        w.insert_key(space, 1)
    });
    // Listed with nothing to stage, taken back, removed and set again, by all ways to write.
    arena.turn(|w| {
        w.rows(one);
        w.set_ref(one.at(1), &1);
        w.set(one.at(2), 2);
        w.remove_key(space, &2);
        w.set(one.at(1), 3);
        w.remove(two.at(1));
        w.rows(two).set(slot, 5);
        w.remove(one.at(1));
        w.rows(one).set(slot, 4);
    });
    assert_eq!(arena.counts().written, 2);
    // A body that fails leaves no list behind.
    let text = panic_of(|| {
        arena.turn(|w| {
            w.set(one.at(1), 6);
            w.set(two.at(3), 6);
            panic!("no")
        })
    });
    assert_eq!(text, "no");

    arena.turn(|w| {
        w.set(two.at(1), 7);
        w.set(one.at(1), 7);
    });

    assert_eq!(arena.counts().written, 2);
    assert_eq!(arena.settled(one.at(1)), Some(&7));
    assert_eq!(arena.settled(two.at(1)), Some(&7));
    assert_eq!(arena.len(space), 1);
}

#[test]
fn a_key_of_which_many_rows_lose_their_readers_gives_its_number_back_once() {
    let mut arena = arena();
    let space = arena.key_space::<u32>();
    let families: Vec<SourceFamily<u32, i32>> =
        (0..8).map(|_| arena.member_family(space)).collect();
    let asked = arena.source(true);
    let _reaction = arena.react(move |r, _| {
        for &family in families.iter().filter(|_| *r.get(asked)) {
            r.lookup(family.at(7));
        }
    });

    arena.turn(|w| w.set(asked, false));

    let indices = arena.turn(|w| [1, 2, 3].map(|key| w.insert_key(space, key).index()));
    assert_eq!(indices, [0, 1, 2], "the number is used again, by one key");
}
