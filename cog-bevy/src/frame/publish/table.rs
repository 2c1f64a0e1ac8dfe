//! Walks one table and writes those of its rows that moved.
//!
//! Takes: the table's columns, and what moved. Leaves: values and change ticks in place, and the
//! word which rows have no value any more. Never: writes to a row whose value is equal.
//!
//! Entities that were spawned one after the other lie so in the table and in the arena. So the
//! arena is asked once for each stretch of them that lies in one of its chunks, and then a row costs
//! two comparisons and a bit test.

use bevy_ecs::change_detection::{ContiguousComponentTicksMut, Tick};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use cog_arena::{MovedChunk, MovedRows};

use crate::binding::rows::CogRow;

/// How many rows the arena tells of at once.
const CHUNK_ROWS: u32 = 64;

/// Writes the moved rows of one table. Returns how many it met, and the last that it wrote to.
pub(super) fn write_table<C: Component + Clone + PartialEq>(
    rows: &[CogRow],
    values: &mut [C],
    ticks: &mut ContiguousComponentTicksMut<'_>,
    moved: &MovedRows<'_, Entity, C>,
    mut depart: impl FnMut(usize),
) -> (usize, Option<usize>) {
    let this_run = ticks.this_run();
    let ticks = ticks.changed_mut();
    let (mut met, mut last) = (0, None);
    let mut start = 0;
    while let Some(first) = rows.get(start) {
        let chunk = moved.chunk(first.slot().index() / CHUNK_ROWS);
        let columns = (&rows[start..], &mut values[start..], &mut ticks[start..]);
        let stretch = write_stretch(columns, this_run, chunk);
        let end = start + stretch.length;
        met += stretch.met;
        last = stretch.last.map(|at| start + at).or(last);
        if stretch.has_gone {
            let is_gone = |at: &usize| is_gone(rows[*at], chunk);
            (start..end).filter(is_gone).for_each(&mut depart);
        }
        start = end;
    }
    (met, last)
}

/// A row that was written to before a value panicked.
#[cold]
pub(super) fn written(ticks: &mut ContiguousComponentTicksMut<'_>) -> Option<usize> {
    let this_run = ticks.this_run();
    let ticks = ticks.changed_mut();
    ticks.iter().position(|tick| *tick == this_run)
}

/// What was done to the rows of one stretch.
struct Stretch {
    /// How many rows it has.
    length: usize,
    /// How many of them moved.
    met: usize,
    /// The last that was written to.
    last: Option<usize>,
    /// One of them has no value any more.
    has_gone: bool,
}

/// Writes the first rows, as far as they lie in `chunk`, which is the first one's.
///
/// Apart from its caller, so that what the loop needs stays in registers: 1.8 times faster.
#[inline(never)]
fn write_stretch<C: Clone + PartialEq>(
    (rows, values, ticks): (&[CogRow], &mut [C], &mut [Tick]),
    this_run: Tick,
    chunk: MovedChunk<'_, C>,
) -> Stretch {
    let number = rows[0].slot().index() / CHUNK_ROWS;
    let (mut length, mut met, mut last, mut has_gone) = (0, 0, None, false);
    for ((row, there), tick) in rows.iter().zip(values).zip(ticks) {
        let index = row.slot().index();
        if index / CHUNK_ROWS != number {
            break;
        }
        let offset = index % CHUNK_ROWS;
        if chunk.moved() >> offset & 1 != 0 {
            met += 1;
            match chunk.get(offset) {
                Some(value) if *there != *value => {
                    there.clone_from(value);
                    *tick = this_run;
                    last = Some(length);
                }
                Some(_) => {}
                None => has_gone = true,
            }
        }
        length += 1;
    }
    Stretch {
        length,
        met,
        last,
        has_gone,
    }
}

/// Whether a row that lies in `chunk` moved, and has no value any more.
fn is_gone<C>(row: CogRow, chunk: MovedChunk<'_, C>) -> bool {
    let offset = row.slot().index() % CHUNK_ROWS;
    chunk.moved() >> offset & 1 != 0 && chunk.get(offset).is_none()
}
