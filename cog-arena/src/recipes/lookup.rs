//! Looking up any key of a family, tracked.
//!
//! Takes: keys. Leaves: values, and a dependency for each key asked for.
//! Never: makes a member of a key that was only asked for.

use crate::handle::{DerivedFamily, KeySlot};
use crate::reader::Reader;
use crate::recipes::descriptors::Aligned;
use crate::values::keys::Key;

/// Any key's value in one family: what a function gets for `family.lookup()`.
///
/// # Examples
///
/// ```
/// use cog_arena::{Arena, Lookup};
///
/// let mut arena = Arena::new();
/// let units = arena.key_space::<u32>();
/// let target = arena.member_family::<u32, u32>(units);
/// let health = arena.member_family::<u32, i32>(units);
/// let target_health = arena.derived_family_from(
///     units,
///     (target.aligned(), health.lookup()),
///     |(target, health): (&u32, Lookup<'_, u32, i32>)| health.get(target).copied(),
/// );
/// arena.turn(|w| w.set(target.at(1), 2));
/// assert_eq!(*arena.read(target_health.at(1)), None);
/// arena.turn(|w| w.set(health.at(2), 30));
/// assert_eq!(*arena.read(target_health.at(1)), Some(30));
/// ```
#[derive(Debug)]
pub struct Lookup<'a, K, T> {
    reader: &'a Reader<'a>,
    family: Aligned<K, T>,
}

impl<K, T> Clone for Lookup<'_, K, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, T> Copy for Lookup<'_, K, T> {}

impl<'a, K: Key, T: Send + Sync + 'static> Lookup<'a, K, T> {
    #[inline]
    pub(crate) fn new(reader: &'a Reader<'a>, family: Aligned<K, T>) -> Self {
        Self { reader, family }
    }

    fn family(self) -> DerivedFamily<K, T> {
        let Aligned {
            arena,
            column,
            store,
            space,
            ..
        } = self.family;
        DerivedFamily::new(arena, column, store, space)
    }

    /// The value of `key`, settled, if it has one. Either way it is a dependency.
    ///
    /// # Cost
    ///
    /// As [`Reader::get`]: no hash where the run looks up what it looked up last time, in the same order.
    ///
    /// # Panics
    ///
    /// If the value would depend on itself, or with whatever its function panics with.
    #[inline]
    #[track_caller]
    pub fn get(self, key: &K) -> Option<&'a T> {
        self.reader.lookup(self.family().at(key.clone()))
    }

    /// As [`get`](Self::get), by slot.
    ///
    /// # Panics
    ///
    /// As [`get`](Self::get); and if the slot is stale.
    #[inline]
    #[track_caller]
    pub fn get_slot(self, slot: KeySlot<K>) -> Option<&'a T> {
        self.reader.lookup(self.family().at_slot(slot))
    }
}
