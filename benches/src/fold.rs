//! Folds and keyed projections: a turn costs what moved, whatever the size of the family.
//!
//! The values are of another type than those of the aligned shapes: what two shapes share is inlined into neither.

use cog_arena::{Arena, Derived, KeySlot, KeySpace, SourceFamily};

use crate::{Operation, Shape};

pub(crate) fn shapes() -> Vec<Shape> {
    let shape = |name, units: u32, build| Shape {
        name,
        units,
        operations: 20,
        target: None,
        build,
    };
    vec![
        shape("fold::sum::100_of_10000", 100, || sum(10_000)),
        shape("fold::sum::100_of_100000", 100, || sum(100_000)),
        shape("fold::sum_of_floats::100_of_10000", 100, || {
            sum_of_floats(10_000)
        }),
        shape("fold::min::100_of_10000", 100, || min(10_000)),
        shape("fold::sorted::100_of_10000", 100, || sorted(10_000)),
        shape("fold::selected::2_of_1000", 1, || selected(1_000)),
        shape("fold::selected::2_of_100000", 1, || selected(100_000)),
    ]
}

/// The slots of a hundred rows, far apart, of a family of so many.
fn hundred(arena: &mut Arena, rows: u32) -> (SourceFamily<u32, u64>, Vec<KeySlot<u32>>) {
    let space: KeySpace<u32> = arena.key_space_indexed(|key| *key);
    let family = arena.member_family(space);
    let slots: Vec<KeySlot<u32>> = arena.turn(|w| {
        let insert = |row| {
            w.set(family.at(row), u64::from(row));
            w.insert_key(space, row)
        };
        (0..rows).map(insert).collect()
    });
    let step = rows as usize / 100;
    (family, slots.into_iter().step_by(step).take(100).collect())
}

/// Each turn adds something to each of the hundred.
fn turns<T: Send + Sync + 'static>(
    mut arena: Arena,
    (family, slots): (SourceFamily<u32, u64>, Vec<KeySlot<u32>>),
    fold: Derived<T>,
    mut check: impl FnMut(&T, u32) + 'static,
) -> Operation {
    // Held for as long as the arena lives.
    let _hold = arena.hold(fold);
    let mut operation = move |next: u32| {
        arena.turn(|w| {
            let mut rows = w.rows(family);
            for (slot, at) in slots.iter().zip(0..) {
                rows.set(*slot, 1_000_000 + 100 * u64::from(next) + at);
            }
        });
        assert_eq!(arena.counts().run, 1);
        check(arena.settled(fold).expect("it is held"), next);
    };
    (1..=3).for_each(&mut operation);
    Box::new(move |next| operation(3 + next))
}

fn sum(rows: u32) -> Operation {
    let mut arena = Arena::new();
    let rows = hundred(&mut arena, rows);
    let sum = arena.over(rows.0.aligned()).sum();
    let mut last = None;
    turns(arena, rows, sum, move |sum, next| {
        if let Some(last) = last {
            assert_eq!(*sum, last + 10_000, "a hundred more for each of a hundred");
        }
        last = (next != 0).then_some(*sum);
    })
}

fn sum_of_floats(rows: u32) -> Operation {
    let mut arena = Arena::new();
    let rows = hundred(&mut arena, rows);
    let sum = arena
        .over(rows.0.aligned())
        .sum_by(|_, value| *value as f64);
    let mut last = None;
    turns(arena, rows, sum, move |sum, _| {
        if let Some(last) = last {
            assert_eq!(*sum, last + 10_000.0);
        }
        last = Some(*sum);
    })
}

fn min(rows: u32) -> Operation {
    let mut arena = Arena::new();
    let rows = hundred(&mut arena, rows);
    let max = arena.over(rows.0.aligned()).max();
    turns(arena, rows, max, |max, next| {
        assert_eq!(*max, Some(1_000_099 + 100 * u64::from(next)));
    })
}

fn sorted(rows: u32) -> Operation {
    let mut arena = Arena::new();
    let rows = hundred(&mut arena, rows);
    let sorted = arena.over(rows.0.aligned()).sorted_by(|_, value| *value);
    turns(arena, rows, sorted, |sorted, next| {
        let last = sorted.last().map(|(_, value)| *value);
        assert_eq!(last, Some(1_000_099 + 100 * u64::from(next)));
        assert_eq!(sorted.changes().len(), 100);
    })
}

fn selected(rows: u32) -> Operation {
    let mut arena = Arena::new();
    let space: KeySpace<u32> = arena.key_space_indexed(|key| *key);
    let chosen = arena.source(None);
    let is_chosen = arena.selected_family(space, chosen.shared());
    arena.turn(|w| {
        (0..rows).for_each(|row| {
            w.insert_key(space, row);
        });
    });
    let mut operation = move |next: u32| {
        let row = next.wrapping_mul(77) % rows;
        arena.turn(|w| w.set(chosen, Some(row)));
        assert_eq!(arena.settled(is_chosen.at(row)), Some(&true));
    };
    (1..=3).for_each(&mut operation);
    Box::new(move |next| operation(3 + next))
}
