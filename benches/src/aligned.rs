//! Aligned shapes: five derived columns in a chain over a source column of 100,000 rows, all of them held.

use cog_arena::{Arena, DerivedFamily, KeySlot, KeySpace, SourceFamily};

use crate::{Operation, Shape};

const ROWS: u32 = 100_000;
const COLUMNS: usize = 5;

pub(crate) fn shapes() -> Vec<Shape> {
    let shape = |name, changed: u32, build| Shape {
        name,
        // Per changed row and column. An idle turn has neither.
        units: if changed == 0 { 1 } else { 5 * changed },
        operations: (10_000 / (1 + changed)).clamp(2, 200),
        target: None,
        build,
    };
    vec![
        shape("settle::aligned::idle", 0, || five_columns(0, 1)),
        shape("settle::aligned::100_scattered", 100, || {
            five_columns(100, 997)
        }),
        shape("settle::aligned::1000_scattered", 1_000, || {
            five_columns(1_000, 97)
        }),
        shape("settle::aligned::1000_contiguous", 1_000, || {
            five_columns(1_000, 1)
        }),
        shape("settle::aligned::100000_all", ROWS, || {
            five_columns(ROWS as usize, 1)
        }),
    ]
}

/// The columns, and the rows' slots.
struct Chain {
    arena: Arena,
    source: SourceFamily<u32, u32>,
    columns: [DerivedFamily<u32, u32>; COLUMNS],
    slots: Vec<KeySlot<u32>>,
}

impl Chain {
    fn new() -> Self {
        let mut arena = Arena::new();
        let space: KeySpace<u32> = arena.key_space_indexed(|key| *key);
        let source = arena.member_family(space);
        let add = |below: &u32| below.wrapping_add(1);
        let mut columns = [arena.derived_family_from(space, source.aligned(), add); COLUMNS];
        for column in 1..COLUMNS {
            columns[column] = arena.derived_family_from(space, columns[column - 1].aligned(), add);
        }
        let slots = arena.turn(|w| {
            let insert = |row| {
                w.set(source.at(row), 0);
                w.insert_key(space, row)
            };
            (0..ROWS).map(insert).collect()
        });
        for column in columns {
            // Held for as long as the arena lives.
            let _hold = arena.hold(column);
        }
        arena.turn(|_| {});
        Self {
            arena,
            source,
            columns,
            slots,
        }
    }
}

/// Writes so many rows, so far apart, and settles.
fn five_columns(changed: usize, stride: usize) -> Operation {
    let Chain {
        mut arena,
        source,
        columns,
        mut slots,
    } = Chain::new();
    slots = slots.into_iter().step_by(stride).take(changed).collect();
    assert_eq!(slots.len(), changed);
    let mut operation = move |next: u32| {
        arena.turn(|w| {
            let mut rows = w.rows(source);
            for &slot in &slots {
                rows.set(slot, next);
            }
        });
        assert_eq!(arena.counts().run, (COLUMNS * changed) as u64);
        if let Some(&slot) = slots.last() {
            assert_eq!(
                *arena.read(columns[COLUMNS - 1].at_slot(slot)),
                next.wrapping_add(5)
            );
        }
    };
    (1..=3).for_each(&mut operation);
    Box::new(move |next| operation(3 + next))
}
