//! Declaring key spaces and families.
//!
//! Takes: values and functions. Leaves: handles. Never: runs anything.

use crate::arena::owner::Arena;
use crate::handle::{Derived, DerivedFamily, KeySpace, SourceFamily};
use crate::reader::Reader;
use crate::recipes::inputs::Inputs;
use crate::values::keys::Key;

/// Declaring families. Nothing runs when it is declared.
impl Arena {
    /// A key space whose keys are hashed.
    pub fn key_space<K: Key>(&mut self) -> KeySpace<K> {
        let id = self.engine.add_space::<K>(None);
        KeySpace::new(self.engine.id, id)
    }

    /// A key space over an array: `index` gives a small number that is, as a rule, the key's own, such as an entity's
    /// index. Keys may share a number; looking them up costs a hash then.
    ///
    /// # Cost
    ///
    /// Four bytes for each number up to the largest.
    pub fn key_space_indexed<K: Key>(&mut self, index: fn(&K) -> u32) -> KeySpace<K> {
        let id = self.engine.add_space::<K>(Some(index));
        KeySpace::new(self.engine.id, id)
    }

    /// Sources by key, *total*: every key reads as `first(key)` until it is written.
    ///
    /// Reading makes the key's row, but no member of the key.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn source_family<K, T, F>(&mut self, space: KeySpace<K>, first: F) -> SourceFamily<K, T>
    where
        K: Key,
        T: PartialEq + Send + Sync + 'static,
        F: Fn(&K) -> T + Send + Sync + 'static,
    {
        self.cog().source_family(space, first)
    }

    /// Sources by key, only where one was set, until it is removed.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn member_family<K: Key, T: PartialEq + Send + Sync + 'static>(
        &mut self,
        space: KeySpace<K>,
    ) -> SourceFamily<K, T> {
        self.cog().member_family(space)
    }

    /// Derived values by key whose function reads as it runs. Total: reading a key makes its row.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn derived_family<K, T, F>(
        &mut self,
        space: KeySpace<K>,
        function: F,
    ) -> DerivedFamily<K, T>
    where
        K: Key,
        T: PartialEq + Send + Sync + 'static,
        F: Fn(&Reader<'_>, &K) -> T + Send + Sync + 'static,
    {
        self.cog().derived_family(space, function)
    }

    /// Derived values by key that are handed their inputs. Rows exist where all required inputs have one.
    ///
    /// # Cost
    ///
    /// No edge a row: one bit for each row and input that moved, and a loop that knows all types.
    ///
    /// # Panics
    ///
    /// If the space or an input belongs to another arena, or an aligned input to another space.
    #[track_caller]
    pub fn derived_family_from<K, T, I, F>(
        &mut self,
        space: KeySpace<K>,
        inputs: I,
        function: F,
    ) -> DerivedFamily<K, T>
    where
        K: Key,
        T: PartialEq + Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> T + Send + Sync + 'static,
    {
        self.cog().derived_family_from(space, inputs, function)
    }

    /// As [`derived_family_from`](Self::derived_family_from), where the function may give no row.
    ///
    /// # Panics
    ///
    /// If the space or an input belongs to another arena, or an aligned input to another space.
    #[track_caller]
    pub fn partial_family_from<K, T, I, F>(
        &mut self,
        space: KeySpace<K>,
        inputs: I,
        function: F,
    ) -> DerivedFamily<K, T>
    where
        K: Key,
        T: PartialEq + Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> Option<T> + Send + Sync + 'static,
    {
        self.cog().partial_family_from(space, inputs, function)
    }

    /// A handle now, its function later ([`Declare::define`](crate::Declare::define)): for values that depend on one another by turns.
    #[track_caller]
    pub fn reserve<T: PartialEq + Send + Sync + 'static>(&mut self) -> Derived<T> {
        self.cog().reserve()
    }

    /// As [`reserve`](Self::reserve), for a family ([`Declare::define_family`](crate::Declare::define_family)) whose rows read one another.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn reserve_family<K: Key, T: PartialEq + Send + Sync + 'static>(
        &mut self,
        space: KeySpace<K>,
    ) -> DerivedFamily<K, T> {
        self.cog().reserve_family(space)
    }
}
