//! Declaring families.
//!
//! Takes: functions and first values. Leaves: a column and its handle. Never: runs a function.

use std::any::TypeId;
use std::marker::PhantomData;

use crate::graph::columns::Kind;
use crate::handle::{DerivedFamily, KeySpace, SourceFamily};
use crate::ids::{RecipeId, Row};
use crate::kinds::declare::{Declare, NewColumn};
use crate::reader::Reader;
use crate::recipes::declared::{Declared, FirstValues};
use crate::recipes::inputs::Inputs;
use crate::recipes::install::{Equality, Partial, Shape, Whole};
use crate::recipes::tracked::{Mixed, TrackedFamily};
use crate::values::keys::Key;

impl<E> Declare<'_, E> {
    /// A total source family. See [`Arena::source_family`](crate::Arena::source_family).
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn source_family<K, T, F>(mut self, space: KeySpace<K>, first: F) -> SourceFamily<K, T>
    where
        K: Key,
        T: Send + Sync + 'static,
        F: Fn(&K) -> T + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.engine.own(space.arena);
        let store = self.family_store::<T>();
        let recipe = self.recipe(FirstValues {
            first,
            space: space.id,
            store,
            types: PhantomData,
        });
        let new = NewColumn {
            kind: Kind::Source,
            inputs: Vec::new(),
            recipe,
            space: space.id,
            lane: Row::NIL,
            store,
        };
        let column = self.column(new);
        SourceFamily::new(self.engine.id, column, store, space.id)
    }

    /// A member source family. See [`Arena::member_family`](crate::Arena::member_family).
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn member_family<K, T>(mut self, space: KeySpace<K>) -> SourceFamily<K, T>
    where
        K: Key,
        T: Send + Sync + 'static,
        E: Equality<T>,
    {
        self.engine.own(space.arena);
        let store = self.family_store::<T>();
        let recipe = RecipeId::NIL;
        let new = NewColumn {
            kind: Kind::Source,
            inputs: Vec::new(),
            recipe,
            space: space.id,
            lane: Row::NIL,
            store,
        };
        let column = self.column(new);
        self.engine.graph.columns[column].total = false;
        self.engine.graph.columns[column].boundless = false;
        SourceFamily::new(self.engine.id, column, store, space.id)
    }

    /// A tracked family. See [`Arena::derived_family`](crate::Arena::derived_family).
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn derived_family<K, T, F>(mut self, space: KeySpace<K>, function: F) -> DerivedFamily<K, T>
    where
        K: Key,
        T: Send + Sync + 'static,
        F: Fn(&Reader<'_>, &K) -> T + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.engine.own(space.arena);
        let store = self.family_store::<T>();
        let equality = self.equality;
        let recipe = self.recipe(TrackedFamily {
            function,
            equality,
            space: space.id,
            types: PhantomData,
        });
        let new = NewColumn {
            kind: Kind::Tracked,
            inputs: Vec::new(),
            recipe,
            space: space.id,
            lane: Row::NIL,
            store,
        };
        let column = self.column(new);
        DerivedFamily::new(self.engine.id, column, store, space.id)
    }

    /// A family of a function with declared inputs. See [`Arena::derived_family_from`](crate::Arena::derived_family_from).
    ///
    /// # Panics
    ///
    /// If the space or an input belongs to another arena, or an aligned input to another space.
    #[track_caller]
    pub fn derived_family_from<K, T, I, F>(
        self,
        space: KeySpace<K>,
        inputs: I,
        function: F,
    ) -> DerivedFamily<K, T>
    where
        K: Key,
        T: Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> T + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.family_from::<K, T, I, F, Whole>(space, inputs, function)
    }

    /// As [`derived_family_from`](Self::derived_family_from), where the function may give no row.
    ///
    /// # Panics
    ///
    /// If the space or an input belongs to another arena, or an aligned input to another space.
    #[track_caller]
    pub fn partial_family_from<K, T, I, F>(
        self,
        space: KeySpace<K>,
        inputs: I,
        function: F,
    ) -> DerivedFamily<K, T>
    where
        K: Key,
        T: Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> Option<T> + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.family_from::<K, T, I, F, Partial>(space, inputs, function)
    }

    #[track_caller]
    fn family_from<K, T, I, F, S>(
        mut self,
        space: KeySpace<K>,
        inputs: I,
        function: F,
    ) -> DerivedFamily<K, T>
    where
        K: Key,
        T: Send + Sync + 'static,
        I: Inputs,
        S: Shape<T>,
        F: for<'i> Fn(I::Items<'i>) -> S::Out + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.engine.own(space.arena);
        let list = self.inputs::<T, I>(inputs, space.id, Some(TypeId::of::<K>()));
        let store = self.family_store::<T>();
        let (equality, id) = (self.equality, space.id);
        let (kind, recipe) = if I::TRACKED {
            let recipe = Mixed::<I, T, F, E, S> {
                inputs,
                function,
                equality,
                space: id,
                types: PhantomData,
            };
            (Kind::Tracked, self.recipe(recipe))
        } else {
            let recipe = Declared::<I, T, F, E, S> {
                inputs,
                function,
                equality,
                space: id,
                store,
                types: PhantomData,
            };
            (Kind::Declared, self.recipe(recipe))
        };
        let column = self.column(NewColumn {
            kind,
            inputs: list,
            recipe,
            space: id,
            lane: Row::NIL,
            store,
        });
        DerivedFamily::new(self.engine.id, column, store, id)
    }
}
