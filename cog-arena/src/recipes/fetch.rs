//! Declaring inputs, and fetching their addresses by chunk.
//!
//! Takes: stores and chunk numbers. Leaves: for 64 rows at a time, the
//! addresses that a loop needs. Never: looks up anything per row.

use std::any::TypeId;

use crate::engine::Engine;
use crate::graph::columns::Input;
use crate::ids::{ColumnId, Row, SpaceId, StoreId};
use crate::reader::Reader;
use crate::sync::ArenaId;

/// Collects the declared inputs of a new cog.
#[derive(Debug)]
pub struct Declaration<'e> {
    pub(crate) engine: &'e mut Engine,
    pub(crate) inputs: Vec<Input>,
    pub(crate) space: SpaceId,
    /// The type of the new cog's values, and of its keys.
    pub(crate) value: TypeId,
    pub(crate) key: Option<TypeId>,
}

impl Declaration<'_> {
    /// A keyless cog is an input.
    #[track_caller]
    pub(crate) fn add_keyless(&mut self, arena: ArenaId, row: Row, required: bool) {
        self.engine.own(arena);
        let column = self.engine.ensure_lane(row);
        self.inputs.push(Input {
            column,
            shared: true,
            required,
        });
    }

    /// The same key's row of a family is an input.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[track_caller]
    pub(crate) fn add_family(
        &mut self,
        arena: ArenaId,
        column: ColumnId,
        space: SpaceId,
        required: bool,
    ) {
        self.engine.own(arena);
        assert!(
            self.space == space,
            "an aligned input belongs to another key space than the new cog; use `.lookup()` to read another space's keys"
        );
        self.inputs.push(Input {
            column,
            shared: false,
            required,
        });
    }

    /// The row's own last value is an input.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[track_caller]
    pub(crate) fn add_previous<T: 'static>(&mut self) {
        assert!(
            self.value == TypeId::of::<T>(),
            "`Previous` must name the type of the new cog's own value"
        );
    }

    /// The row's key is an input.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[track_caller]
    pub(crate) fn add_key<K: 'static>(&mut self) {
        assert!(
            self.key == Some(TypeId::of::<K>()),
            "`OwnKey` must name the key type of the new family"
        );
    }
}

/// Where a loop over 64 rows finds what its inputs need.
#[derive(Debug)]
pub struct Fetch<'e> {
    pub(crate) engine: *const Engine,
    pub(crate) reader: Option<&'e Reader<'e>>,
    /// The cog's own storage.
    pub(crate) store: StoreId,
    pub(crate) space: SpaceId,
    /// The chunk, in the cog's own storage and in those of aligned inputs.
    pub(crate) local: u32,
}

impl Fetch<'_> {
    pub(crate) fn engine(&self) -> &Engine {
        // SAFETY: whoever made this has the engine to itself, and uses it
        // through this pointer alone while a chunk's addresses are fetched.
        unsafe { &*self.engine }
    }

    pub(crate) fn column<T: Send + Sync + 'static>(&self, store: StoreId) -> Column<T> {
        let (slots, filled) = self.engine().values.store::<T>(store).chunk(self.local);
        Column {
            slots: slots.at(0),
            filled,
        }
    }
}

/// A chunk of values, and which of them are there.
#[derive(Debug)]
pub struct Column<T> {
    pub(crate) slots: *const T,
    pub(crate) filled: u64,
}

impl<T> Clone for Column<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Column<T> {}

impl<T> Column<T> {
    /// # Safety
    ///
    /// - The value is there, and stays for `'a`.
    #[inline]
    pub(crate) unsafe fn get<'a>(self, offset: u32) -> &'a T {
        debug_assert!(
            self.filled >> offset & 1 != 0,
            "a required input has a value"
        );
        // SAFETY: the caller promises that the value is there.
        unsafe { &*self.slots.wrapping_add(offset as usize) }
    }

    /// # Safety
    ///
    /// - If the value is there, it stays for `'a`.
    #[inline]
    pub(crate) unsafe fn find<'a>(self, offset: u32) -> Option<&'a T> {
        // SAFETY: a filled slot holds a value; the caller promises that it stays.
        (self.filled >> offset & 1 != 0).then(|| unsafe { self.get(offset) })
    }
}
