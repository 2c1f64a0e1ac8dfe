//! Declaring key spaces and families.
//!
//! Takes: values and functions. Leaves: handles. Never: runs anything.

use crate::arena::owner::Arena;
use crate::handle::{Derived, DerivedFamily, KeySpace, SourceFamily};
use crate::kinds::over::Over;
use crate::reader::Reader;
use crate::recipes::descriptors::{Aligned, Shared};
use crate::recipes::inputs::Inputs;
use crate::recipes::selected::Selects;
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

    /// One keyless value made of all rows of a family, brought up to date by the rows that moved: a sum, a count, the
    /// least or greatest, a fold of your own, or a sorted or filtered view. Say which, on what this returns.
    ///
    /// # Panics
    ///
    /// If the family belongs to another arena.
    ///
    /// # Examples
    ///
    /// See [`Over`].
    #[track_caller]
    pub fn over<K: Key, V: Send + Sync + 'static>(
        &mut self,
        family: Aligned<K, V>,
    ) -> Over<'_, K, V> {
        self.cog().over(family)
    }

    /// Whether each key is the selected one: a *keyed projection* of a keyless cog that holds a key, or an option of one.
    ///
    /// When the selection moves, the answers of two keys flip, and only these two rows run, and only their readers are
    /// told, however many keys there are. While the cog holds nothing, no key is selected; if it fails, all rows do. A key
    /// that is no member can be asked, too.
    ///
    /// It holds the cog, for good: it is settled in every turn, and when this is declared.
    ///
    /// # Cost
    ///
    /// A turn: O(1), and two hashes, if the selection moves; nothing else. Over a cog with something tracked above it,
    /// every answer that is read is marked, and looked at once, in a turn in which the selection *may* move. Memory: a
    /// `bool` for each member.
    ///
    /// # Panics
    ///
    /// If the space or the cog belongs to another arena.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut arena = cog_arena::Arena::new();
    /// let rows = arena.key_space::<u32>();
    /// let chosen = arena.source(None);
    /// let is_chosen = arena.selected_family(rows, chosen.shared());
    /// arena.turn(|w| (0..1000).for_each(|row| { w.insert_key(rows, row); }));
    /// arena.turn(|w| w.set(chosen, Some(7)));
    /// arena.turn(|w| w.set(chosen, Some(8)));
    /// assert!(!*arena.read(is_chosen.at(7)) && *arena.read(is_chosen.at(8)));
    /// assert_eq!(arena.counts().run, 3, "the selection, and two of a thousand");
    /// ```
    #[track_caller]
    pub fn selected_family<K: Key, C: Selects<K>>(
        &mut self,
        space: KeySpace<K>,
        selected: Shared<C>,
    ) -> DerivedFamily<K, bool> {
        self.cog().selected_family(space, selected)
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
