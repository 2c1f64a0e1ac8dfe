//! Staging: where a written value goes until its turn commits.
//!
//! Takes: sources. Leaves: spots in their stores. Never: makes anything current.

use crate::access::Readable;
use crate::engine::Engine;
use crate::error::ReadError;
use crate::graph::columns::Columns;
use crate::handle::{KeySlot, Source, SourceAt, SourceFamily, Which};
use crate::ids::{Generation, KeyRow, SpaceId, StoreId};
use crate::values::functions::Functions;
use crate::values::keys::{ErasedSpace, Key, Space};
use crate::values::store::Store;

/// Where a staged value goes.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub(crate) store: StoreId,
    pub(crate) local: u32,
    pub(crate) offset: u32,
}

/// What can be written: sources, keyless or one key's.
///
/// Implemented by [`Source`], [`SourceAt`] and references to them. Not meant to be implemented outside.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be written",
    label = "not a source",
    note = "only a Source, or one key of a SourceFamily (`family.at(key)`), can be written; derived values follow from them"
)]
pub trait Writable: Readable {
    /// Where to stage. Makes the key a member.
    #[doc(hidden)]
    fn spot(&self, engine: &mut Engine) -> Result<Spot, ReadError>;
}

impl<W: Writable> Writable for &W {
    #[inline]
    fn spot(&self, engine: &mut Engine) -> Result<Spot, ReadError> {
        (**self).spot(engine)
    }
}

impl<T: Send + Sync + 'static> Writable for Source<T> {
    #[inline]
    fn spot(&self, engine: &mut Engine) -> Result<Spot, ReadError> {
        if self.arena != engine.id {
            return Err(ReadError::Foreign);
        }
        let local = engine.graph.rows[self.row.chunk()].local;
        Ok(Spot {
            store: self.store,
            local,
            offset: self.row.offset(),
        })
    }
}

impl<K: Key, T: Send + Sync + 'static> Writable for SourceAt<K, T> {
    #[inline]
    fn spot(&self, engine: &mut Engine) -> Result<Spot, ReadError> {
        let family = self.family;
        if family.arena != engine.id {
            return Err(ReadError::Foreign);
        }
        let row = match &self.which {
            Which::Key(key) => engine.key_row(family.space, key),
            Which::Slot(row, generation)
                if is_live(engine.values.erased_space(family.space), *row, *generation) =>
            {
                *row
            }
            Which::Slot(..) => return Err(ReadError::Stale),
        };
        stage_member(engine, family.space, row, true);
        Ok(Spot {
            store: family.store,
            local: row.chunk(),
            offset: row.offset(),
        })
    }
}

pub(crate) fn is_live(space: &dyn ErasedSpace, row: KeyRow, generation: Generation) -> bool {
    space.generation(row) == generation && space.is_member_staged(row)
}

pub(crate) fn stage_member(engine: &mut Engine, space: SpaceId, row: KeyRow, member: bool) {
    let keys = engine.values.erased_space_mut(space);
    if keys.stage_member(row, member) {
        engine.staged_spaces.push(space);
    }
}

/// Rows of one source family, written by slot. Made by [`Writer::rows`](crate::Writer::rows).
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// let health = arena.member_family::<u32, i32>(units);
/// let slots: Vec<_> = arena.turn(|w| (0..100).map(|unit| w.insert_key(units, unit)).collect());
/// arena.turn(|w| {
///     let mut rows = w.rows(health);
///     for &slot in &slots {
///         rows.set(slot, 100);
///     }
/// });
/// assert_eq!(*arena.read(health.at(42)), 100);
/// ```
pub struct Rows<'w, K, T> {
    pub(crate) store: &'w mut Store<T>,
    pub(crate) space: &'w Space<K>,
    pub(crate) family: SourceFamily<K, T>,
    /// Where a total family's first values come from.
    pub(crate) columns: &'w Columns,
    pub(crate) functions: &'w Functions<Engine>,
}

impl<K, T> std::fmt::Debug for Rows<'_, K, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows")
            .field("family", &self.family)
            .finish_non_exhaustive()
    }
}

impl<K: Key, T: Send + Sync + 'static> Rows<'_, K, T> {
    #[inline]
    fn is_live(&self, slot: KeySlot<K>) -> bool {
        slot.arena == self.family.arena
            && slot.space == self.family.space
            && self.space.is_live(slot.row, slot.generation)
    }

    /// Stages a value. A stale slot stages nothing and gives `false`.
    ///
    /// # Cost
    ///
    /// O(1), no hash.
    #[inline]
    pub fn set(&mut self, slot: KeySlot<K>, value: T) -> bool {
        let live = self.is_live(slot);
        if live {
            self.store.stage(slot.row.chunk(), slot.row.offset(), value);
        }
        live
    }

    /// Stages a copy of `value`, if it differs from what is staged or committed. A stale slot stages nothing and gives `false`.
    ///
    /// # Cost
    ///
    /// O(1), no hash; one comparison.
    #[inline]
    pub fn set_ref(&mut self, slot: KeySlot<K>, value: &T) -> bool
    where
        T: Clone,
    {
        let live = self.is_live(slot);
        if live {
            self.store
                .stage_ref(slot.row.chunk(), slot.row.offset(), value);
        }
        live
    }

    /// Stages that there be no row. A total family's row starts anew, at its first value. A stale slot stages nothing
    /// and gives `false`.
    ///
    /// # Cost
    ///
    /// O(1), no hash; a total family's first value is made.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    pub fn remove(&mut self, slot: KeySlot<K>) -> bool {
        if !self.is_live(slot) {
            return false;
        }
        let (chunk, offset) = (slot.row.chunk(), slot.row.offset());
        let column = &self.columns[self.family.column];
        if !column.total {
            self.store.stage_clear(chunk, offset);
            return true;
        }
        let key = self.space.key(slot.row).expect("a live slot has a key");
        let mut first: Option<T> = None;
        self.functions
            .borrow(column.recipe)
            .first_value(key, &mut first);
        let first = first.expect("a recipe for first values makes one");
        self.store.stage(chunk, offset, first);
        true
    }
}
