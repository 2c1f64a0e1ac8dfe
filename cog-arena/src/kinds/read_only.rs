//! Read-only handles: sources that others may read, and not write.
//!
//! Takes: handles of sources. Leaves: handles that lead to the same rows. Never: gives the source back.

use crate::access::{Place, Readable};
use crate::engine::Engine;
use crate::error::ReadError;
use crate::handle::{KeySlot, Source, SourceAt, SourceFamily};
use crate::recipes::descriptors::{Aligned, Lookups, Optional, Shared, SharedOptional};
use crate::values::keys::Key;

/// A source, a family of sources or one key of it, without the right to write.
///
/// Made by `read_only()` of the handle. Give it to whoever should read what only you write: no method of a
/// [`Writer`](crate::Writer) takes it, and nothing leads back to the source. It keeps nothing alive, and costs what the
/// handle inside it costs.
///
/// # Examples
///
/// ```
/// use cog_arena::{Arena, Derived, ReadOnly, Source};
///
/// fn shows(arena: &mut Arena, gold: ReadOnly<Source<u32>>) -> Derived<String> {
///     arena.derived(move |r| format!("{} gold", r.get(gold)))
/// }
///
/// let mut arena = Arena::new();
/// let gold = arena.source(3);
/// let text = shows(&mut arena, gold.read_only());
/// assert_eq!(arena.read(text), "3 gold");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadOnly<H> {
    handle: H,
}

impl<H: Readable> Readable for ReadOnly<H> {
    type Value = H::Value;

    #[inline]
    fn locate(&self, engine: &mut Engine) -> Result<Place, ReadError> {
        self.handle.locate(engine)
    }

    fn find(&self, engine: &Engine) -> Result<Option<Place>, ReadError> {
        self.handle.find(engine)
    }

    #[inline]
    fn is_at(&self, engine: &Engine, place: Place) -> bool {
        self.handle.is_at(engine, place)
    }
}

impl<T> Source<T> {
    /// The same source, for readers only. See [`ReadOnly`].
    #[must_use]
    pub fn read_only(self) -> ReadOnly<Self> {
        ReadOnly { handle: self }
    }
}

impl<K, T> SourceFamily<K, T> {
    /// The same family, for readers only. See [`ReadOnly`].
    ///
    /// # Examples
    ///
    /// ```
    /// let mut arena = cog_arena::Arena::new();
    /// let units = arena.key_space::<u32>();
    /// let health = arena.source_family(units, |_| 10);
    /// let shown = health.read_only();
    /// let threat = arena.derived_family_from(units, shown.aligned(), |health: &i32| health * 2);
    /// assert_eq!((*arena.read(shown.at(7)), *arena.read(threat.at(7))), (10, 20));
    /// ```
    #[must_use]
    pub fn read_only(self) -> ReadOnly<Self> {
        ReadOnly { handle: self }
    }
}

impl<T> ReadOnly<Source<T>> {
    /// As [`Source::shared`].
    #[must_use]
    pub fn shared(self) -> Shared<T> {
        self.handle.shared()
    }

    /// As [`Source::shared_optional`].
    #[must_use]
    pub fn shared_optional(self) -> SharedOptional<T> {
        self.handle.shared_optional()
    }
}

impl<K: Key, T> ReadOnly<SourceFamily<K, T>> {
    /// As [`SourceFamily::at`].
    #[must_use]
    pub fn at(self, key: K) -> ReadOnly<SourceAt<K, T>> {
        ReadOnly {
            handle: self.handle.at(key),
        }
    }

    /// As [`SourceFamily::at_slot`].
    #[must_use]
    #[track_caller]
    pub fn at_slot(self, slot: KeySlot<K>) -> ReadOnly<SourceAt<K, T>> {
        ReadOnly {
            handle: self.handle.at_slot(slot),
        }
    }

    /// As [`SourceFamily::aligned`].
    #[must_use]
    pub fn aligned(self) -> Aligned<K, T> {
        self.handle.aligned()
    }

    /// As [`SourceFamily::optional`].
    #[must_use]
    pub fn optional(self) -> Optional<K, T> {
        self.handle.optional()
    }

    /// As [`SourceFamily::lookup`].
    #[must_use]
    pub fn lookup(self) -> Lookups<K, T> {
        self.handle.lookup()
    }
}
