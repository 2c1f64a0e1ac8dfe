//! What moved in a turn, for hosts that publish it.
//!
//! Takes: a held family. Leaves: its rows that moved, in the order of their
//! numbers. Never: shows a row whose value came out equal.

use crate::engine::Engine;
use crate::handle::{DerivedFamily, KeySlot};
use crate::ids::{KeyRow, bits_of};
use crate::values::keys::{ErasedSpace, Key, Space};
use crate::values::store::Store;
use crate::values::view::View;

/// The rows of one held family that moved since the last release.
///
/// Made by [`Arena::moved`](crate::Arena::moved).
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// let health = arena.member_family::<u32, i32>(units);
/// let wounded = arena.derived_family_from(units, health.aligned(), |health| *health < 50);
/// let hold = arena.hold(wounded);
/// arena.begin();
/// arena.writer().set(health.at(7), 20);
/// arena.settle();
/// let moved: Vec<_> = arena.moved(wounded).iter().map(|row| (*row.key, row.value.copied())).collect();
/// assert_eq!(moved, [(7, Some(true))]);
/// arena.release();
/// # arena.let_go(hold);
/// ```
pub struct MovedRows<'a, K, T> {
    engine: &'a Engine,
    family: DerivedFamily<K, T>,
    space: &'a Space<K>,
    store: &'a Store<T>,
}

impl<K, T> std::fmt::Debug for MovedRows<'_, K, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MovedRows")
            .field("family", &self.family)
            .finish_non_exhaustive()
    }
}

/// A chunk's values, as far as they are members': a key that was removed and
/// read since has a value again, but not one to publish.
fn view<'a, K, T>(
    engine: &Engine,
    family: DerivedFamily<K, T>,
    store: &'a Store<T>,
    chunk: u32,
) -> View<'a, T> {
    let members = engine.graph.spaces[family.space.index()].members(chunk);
    store.view(chunk).only(members)
}

/// Of a family that was just held nobody has seen a row: one that is gone
/// already is not told of.
fn shown<K, T>(
    engine: &Engine,
    family: DerivedFamily<K, T>,
    values: View<'_, T>,
    moved: u64,
) -> u64 {
    let fresh = engine.graph.columns[family.column].fresh;
    if fresh {
        moved & values.filled()
    } else {
        moved
    }
}

/// One row that moved.
#[derive(Clone, Copy, Debug)]
pub struct MovedRow<'a, K, T> {
    /// Its key.
    pub key: &'a K,
    /// Its key's slot.
    pub slot: KeySlot<K>,
    /// Its value, or none if the row is gone.
    pub value: Option<&'a T>,
}

impl<'a, K: Key, T: Send + Sync + 'static> MovedRows<'a, K, T> {
    pub(crate) fn new(engine: &'a Engine, family: DerivedFamily<K, T>) -> Self {
        Self {
            engine,
            family,
            space: engine.values.space(family.space),
            store: engine.values.store(family.store),
        }
    }

    /// Whether no row moved. O(chunks / 64).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let column = &self.engine.graph.columns[self.family.column];
        column.moved.is_empty() || column.fresh && self.len() == 0
    }

    /// How many rows moved. O(chunks that moved).
    #[must_use]
    pub fn len(&self) -> usize {
        let mut count = 0;
        let column = &self.engine.graph.columns[self.family.column];
        column.moved.for_each(|chunk, _| {
            count += self.chunk(chunk).moved().count_ones() as usize;
        });
        count
    }

    /// The rows that moved. O(rows that moved); allocates nothing.
    pub fn iter(&self) -> impl Iterator<Item = MovedRow<'a, K, T>> {
        let (engine, family, space, store) = (self.engine, self.family, self.space, self.store);
        let bits = &engine.graph.columns[family.column].moved;
        let mut next = 0;
        let words = std::iter::from_fn(move || {
            let (chunk, mask) = bits.next_from(next)?;
            next = chunk + 1;
            Some((chunk, mask))
        });
        words.flat_map(move |(chunk, mask)| {
            let values = view(engine, family, store, chunk);
            let mask = shown(engine, family, values, mask);
            bits_of(mask).filter_map(move |offset| {
                let row = KeyRow::new(chunk << 6 | offset);
                let key = space.key(row)?;
                let slot = KeySlot::new(family.arena, family.space, row, space.generation(row));
                Some(MovedRow {
                    key,
                    slot,
                    value: values.get(offset),
                })
            })
        })
    }

    /// The row of `slot`: `None` if it didn't move, else its value, which is `None` if the row is gone. O(1).
    #[inline]
    #[must_use]
    pub fn get(&self, slot: KeySlot<K>) -> Option<Option<&'a T>> {
        let (offset, chunk) = (slot.row.offset(), self.chunk(slot.row.chunk()));
        let moved = chunk.moved() >> offset & 1 != 0 && slot.space == self.family.space;
        moved.then(|| chunk.get(offset))
    }

    /// The keys whose numbers are `64 * chunk` and the 63 above it, and which of their rows moved.
    ///
    /// # Cost
    ///
    /// O(1). What it gives lies in registers: a host that walks its own rows in order asks once for 64.
    #[inline]
    #[must_use]
    pub fn chunk(&self, chunk: u32) -> MovedChunk<'a, T> {
        let moved = self.engine.graph.columns[self.family.column]
            .moved
            .word(chunk);
        let values = view(self.engine, self.family, self.store, chunk);
        MovedChunk {
            moved: shown(self.engine, self.family, values, moved),
            values,
        }
    }

    /// A way to ask for many rows, cheapest in the order of their numbers.
    #[must_use]
    pub fn cursor(&self) -> MovedCursor<'a, K, T> {
        MovedCursor {
            engine: self.engine,
            store: self.store,
            family: self.family,
            chunk: u32::MAX,
            word: 0,
            values: self.store.view(u32::MAX),
        }
    }
}

/// Sixty-four rows of a held family, and which of them moved. Made by [`MovedRows::chunk`].
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// let level = arena.member_family::<u32, i32>(units);
/// let health = arena.derived_family_from(units, level.aligned(), |level| level * 10);
/// let hold = arena.hold(health);
/// arena.begin();
/// let slot = arena.writer().insert_key(units, 7);
/// arena.writer().set(level.at(7), 2);
/// arena.settle();
/// let chunk = arena.moved(health).chunk(slot.index() / 64);
/// assert_eq!(chunk.moved(), 1 << (slot.index() % 64));
/// assert_eq!(chunk.get(slot.index() % 64), Some(&20));
/// arena.release();
/// # arena.let_go(hold);
/// ```
pub struct MovedChunk<'a, T> {
    moved: u64,
    values: View<'a, T>,
}

impl<T> Clone for MovedChunk<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for MovedChunk<'_, T> {}

impl<T> std::fmt::Debug for MovedChunk<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MovedChunk")
            .field("moved", &self.moved)
            .finish_non_exhaustive()
    }
}

impl<'a, T> MovedChunk<'a, T> {
    /// A bit for each row that moved.
    #[inline]
    #[must_use]
    pub fn moved(self) -> u64 {
        self.moved
    }

    /// The value at `offset`, below 64, moved or not; `None` if there is no row.
    ///
    /// # Panics
    ///
    /// In debug builds, if `offset` is 64 or more.
    #[inline]
    #[must_use]
    pub fn get(self, offset: u32) -> Option<&'a T> {
        debug_assert!(offset < 64, "an offset stays in its chunk");
        self.values.get(offset & 63)
    }
}

/// The rows that moved, asked for by slot. Made by [`MovedRows::cursor`].
///
/// Remembers the chunk that was asked for last: rows in order cost a comparison and a bit test.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// let level = arena.member_family::<u32, i32>(units);
/// let health = arena.derived_family_from(units, level.aligned(), |level| level * 10);
/// let hold = arena.hold(health);
/// arena.begin();
/// let slot = arena.writer().insert_key(units, 7);
/// arena.writer().set(level.at(7), 2);
/// arena.settle();
/// assert_eq!(arena.moved(health).cursor().get(slot), Some(Some(&20)));
/// arena.release();
/// # arena.let_go(hold);
/// ```
pub struct MovedCursor<'a, K, T> {
    engine: &'a Engine,
    store: &'a Store<T>,
    family: DerivedFamily<K, T>,
    chunk: u32,
    word: u64,
    values: View<'a, T>,
}

impl<K, T> std::fmt::Debug for MovedCursor<'_, K, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MovedCursor")
            .field("family", &self.family)
            .finish_non_exhaustive()
    }
}

impl<'a, K: Key, T: Send + Sync + 'static> MovedCursor<'a, K, T> {
    /// As [`MovedRows::get`].
    ///
    /// # Cost
    ///
    /// O(1); a few instructions for a row of the chunk that was asked for last.
    #[inline]
    pub fn get(&mut self, slot: KeySlot<K>) -> Option<Option<&'a T>> {
        let row = slot.row;
        if row.chunk() != self.chunk {
            self.chunk = row.chunk();
            let moved = &self.engine.graph.columns[self.family.column].moved;
            self.values = view(self.engine, self.family, self.store, self.chunk);
            self.word = shown(
                self.engine,
                self.family,
                self.values,
                moved.word(self.chunk),
            );
        }
        let moved = self.word & row.bit() != 0 && slot.space == self.family.space;
        moved.then(|| self.values.get(row.offset()))
    }
}
