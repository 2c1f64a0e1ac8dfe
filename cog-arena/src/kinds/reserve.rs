//! Reserving: a handle before its function, for values that depend on their own kind.
//!
//! Takes: a reserved handle, later its function. Leaves: a tracked cog. Never:
//! lets a reserved cog be defined twice.

use std::any::TypeId;
use std::marker::PhantomData;

use crate::engine::Engine;
use crate::graph::columns::{Input, Kind};
use crate::handle::{Derived, DerivedFamily, KeySpace};
use crate::ids::{ColumnId, RecipeId, Row, SpaceId};
use crate::kinds::declare::{Declare, NewColumn};
use crate::recipes::inputs::Inputs;
use crate::recipes::install::{Equality, Partial, Shape, Whole};
use crate::recipes::tracked::Mixed;
use crate::values::keys::Key;

impl<E> Declare<'_, E> {
    /// See [`Arena::reserve`](crate::Arena::reserve).
    pub(crate) fn reserve<T: Send + Sync + 'static>(mut self) -> Derived<T>
    where
        E: Equality<T>,
    {
        let (store, row) = self.keyless::<T>();
        let recipe = RecipeId::NIL;
        self.column(NewColumn {
            kind: Kind::Tracked,
            inputs: Vec::new(),
            recipe,
            space: SpaceId::NIL,
            lane: row,
            store,
        });
        self.engine.graph.ensure_tracked(row, recipe);
        Derived::new(self.engine.id, row, store)
    }

    /// See [`Arena::reserve_family`](crate::Arena::reserve_family).
    #[track_caller]
    pub(crate) fn reserve_family<K: Key, T: Send + Sync + 'static>(
        mut self,
        space: KeySpace<K>,
    ) -> DerivedFamily<K, T>
    where
        E: Equality<T>,
    {
        self.engine.own(space.arena);
        let store = self.family_store::<T>();
        let new = NewColumn {
            kind: Kind::Tracked,
            inputs: Vec::new(),
            recipe: RecipeId::NIL,
            space: space.id,
            lane: Row::NIL,
            store,
        };
        let column = self.column(new);
        DerivedFamily::new(self.engine.id, column, store, space.id)
    }

    /// Says what a cog of [`Arena::reserve`](crate::Arena::reserve) is. Its rows are tracked rows.
    ///
    /// # Panics
    ///
    /// If the cog was not reserved, or defined before; if an input belongs to another arena.
    #[track_caller]
    pub fn define<T, I, F>(mut self, cog: Derived<T>, inputs: I, function: F)
    where
        T: Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> T + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.engine.own(cog.arena);
        let column = self.engine.graph.rows.lane(cog.row);
        self.define_column::<T, I, F, Whole>(column, SpaceId::NIL, None, inputs, function);
    }

    /// Says what a family of [`Arena::reserve_family`](crate::Arena::reserve_family) is. Its rows are tracked rows.
    ///
    /// # Panics
    ///
    /// If the family was not reserved, or defined before; if an input belongs to another arena, or an aligned one to
    /// another space.
    ///
    /// # Examples
    ///
    /// ```
    /// use cog_arena::{Arena, OwnKey, Reader, Reads};
    ///
    /// let mut arena = Arena::new();
    /// let numbers = arena.key_space::<u64>();
    /// let fibonacci = arena.reserve_family::<u64, u64>(numbers);
    /// arena.cog().name("fibonacci").define_family(
    ///     fibonacci,
    ///     (Reads, OwnKey::new()),
    ///     move |(r, &n): (&Reader<'_>, &u64)| {
    ///         if n < 2 { n } else { r.get(fibonacci.at(n - 1)) + r.get(fibonacci.at(n - 2)) }
    ///     },
    /// );
    /// assert_eq!(*arena.read(fibonacci.at(90)), 2_880_067_194_370_816_120);
    /// ```
    #[track_caller]
    pub fn define_family<K, T, I, F>(mut self, family: DerivedFamily<K, T>, inputs: I, function: F)
    where
        K: Key,
        T: Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> T + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.engine.own(family.arena);
        let key = Some(TypeId::of::<K>());
        self.define_column::<T, I, F, Whole>(family.column, family.space, key, inputs, function);
    }

    /// As [`define_family`](Self::define_family), where the function may give no row.
    ///
    /// # Panics
    ///
    /// As [`define_family`](Self::define_family).
    #[track_caller]
    pub fn define_partial_family<K, T, I, F>(
        mut self,
        family: DerivedFamily<K, T>,
        inputs: I,
        function: F,
    ) where
        K: Key,
        T: Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> Option<T> + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.engine.own(family.arena);
        let key = Some(TypeId::of::<K>());
        self.define_column::<T, I, F, Partial>(family.column, family.space, key, inputs, function);
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[track_caller]
    fn define_column<T, I, F, S>(
        &mut self,
        column: ColumnId,
        space: SpaceId,
        key: Option<TypeId>,
        inputs: I,
        function: F,
    ) where
        T: Send + Sync + 'static,
        I: Inputs,
        S: Shape<T>,
        F: for<'i> Fn(I::Items<'i>) -> S::Out + Send + Sync + 'static,
        E: Equality<T>,
    {
        let reserved = !column.is_nil() && {
            let shape = &self.engine.graph.columns[column];
            shape.kind == Kind::Tracked && shape.recipe.is_nil()
        };
        assert!(
            reserved,
            "only a cog that was reserved, and not defined yet, can be defined"
        );
        let list = self.inputs::<T, I>(inputs, space, key);
        let equality = self.equality;
        let recipe = self.recipe(Mixed::<I, T, F, E, S> {
            inputs,
            function,
            equality,
            space,
            types: PhantomData,
        });
        define(self.engine, column, &list, recipe);
        if self.label.name.is_some() {
            let store = self.engine.graph.columns[column].store;
            let row = self.engine.graph.columns[column].lane;
            self.engine.rename(store, row, self.label.clone());
        }
    }
}

/// Gives a reserved column its inputs and function, and its rows theirs.
fn define(engine: &mut Engine, id: ColumnId, inputs: &[Input], recipe: RecipeId) {
    engine.graph.columns.define(id, inputs, recipe);
    for input in inputs {
        engine.graph.refresh_outputs(input.column);
        engine.graph.flip(input.column);
    }
    engine.graph.define_nodes(id, recipe);
    if engine.graph.columns[id].eager {
        for input in inputs {
            engine.ensure_eager(input.column);
        }
        engine.wake_column(id);
    }
    engine.settle_between();
    engine.forget_read();
}
