//! Reading from outside any function.
//!
//! Takes: handles. Leaves: values, settled. Never: records a read.

use crate::access::Readable;
use crate::arena::owner::Arena;
use crate::error::ReadError;
use crate::handle::{KeySlot, KeySpace};
use crate::values::keys::Key;

/// Reading from outside.
impl Arena {
    /// The value of `cog`, settled.
    ///
    /// # Cost
    ///
    /// One hash for a key; what it takes to settle the cog.
    ///
    /// # Panics
    ///
    /// If there is no value, with a cycle, a stale or foreign handle ([`try_read`](Self::try_read) gives an error),
    /// and with whatever the function panics with.
    #[track_caller]
    pub fn read<C: Readable>(&mut self, cog: C) -> &C::Value {
        self.engine.read_outside(&cog)
    }

    /// As [`read`](Self::read), with errors as values.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    ///
    /// # Panics
    ///
    /// With whatever a function panics with.
    #[track_caller]
    pub fn try_read<C: Readable>(&mut self, cog: C) -> Result<&C::Value, ReadError> {
        self.engine.try_read_outside(&cog)
    }

    /// The value of `cog`, if there is one.
    ///
    /// # Panics
    ///
    /// As [`read`](Self::read), but for an absent value.
    #[track_caller]
    pub fn lookup<C: Readable>(&mut self, cog: C) -> Option<&C::Value> {
        match self.engine.try_read_outside(&cog) {
            Ok(value) => Some(value),
            Err(ReadError::Absent { .. }) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// The value of `cog`, if it has one and nothing must run to read it. Many threads may ask at once.
    ///
    /// # Panics
    ///
    /// If the handle belongs to another arena. A stale one gives `None`.
    #[must_use]
    #[track_caller]
    pub fn settled<C: Readable>(&self, cog: C) -> Option<&C::Value> {
        match cog.find(&self.engine) {
            Ok(place) => place
                .filter(|place| self.engine.is_settled(place.0))
                .and_then(|place| self.engine.value(place.0)),
            Err(ReadError::Stale) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// The members of a key space, in the order of their row numbers.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn keys<K: Key>(&self, space: KeySpace<K>) -> impl Iterator<Item = &K> {
        self.engine.own(space.arena);
        self.engine.members_of(space.id)
    }

    /// How many members a key space has.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn len<K: Key>(&self, space: KeySpace<K>) -> usize {
        self.engine.own(space.arena);
        self.engine.values.erased_space(space.id).member_count()
    }

    /// Whether `key` is a member.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn contains<K: Key>(&self, space: KeySpace<K>, key: &K) -> bool {
        self.slot(space, key).is_some()
    }

    /// The slot of a member.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn slot<K: Key>(&self, space: KeySpace<K>, key: &K) -> Option<KeySlot<K>> {
        self.engine.own(space.arena);
        let row = self.engine.values.space::<K>(space.id).find(key)?;
        let keys = self.engine.values.erased_space(space.id);
        keys.is_member(row)
            .then(|| KeySlot::new(space.arena, space.id, row, keys.generation(row)))
    }

    /// The key behind a slot, unless it is stale.
    ///
    /// # Panics
    ///
    /// If the slot belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn key<K: Key>(&self, slot: KeySlot<K>) -> Option<&K> {
        self.engine.own(slot.arena);
        let live = self
            .engine
            .values
            .erased_space(slot.space)
            .generation(slot.row)
            == slot.generation;
        if live {
            self.engine.values.space::<K>(slot.space).key(slot.row)
        } else {
            None
        }
    }
}
