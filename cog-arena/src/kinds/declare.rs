//! Declaring: every kind of cog, with its name and equality.
//!
//! Takes: functions and first values. Leaves: a cog and its handle. Never: runs
//! a function.

use std::any::TypeId;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::panic::Location;

use crate::engine::Engine;
use crate::engine::labels::Label;
use crate::graph::columns::{Column, Input, Kind};
use crate::handle::{Derived, Source};
use crate::ids::{ColumnId, RecipeId, Row, SpaceId, StoreId};
use crate::reader::Reader;
use crate::recipes::declared::Declared;
use crate::recipes::fetch::Declaration;
use crate::recipes::inputs::Inputs;
use crate::recipes::install::{AlwaysChanges, By, ByPartialEq, Equality, Partial, Shape, Whole};
use crate::recipes::tracked::{Mixed, Tracked};
use crate::values::functions::Run;

/// A cog about to be declared: give it a name or an equality of its own, then say what it is.
///
/// Made by [`Arena::cog`](crate::Arena::cog). [`Arena`](crate::Arena) has the same methods for cogs without either.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let clicks = arena.cog().name("clicks").always_changes().source(());
/// let volume = arena.cog().name("volume").equality(|a: &f32, b: &f32| (a - b).abs() < 0.01).source(0.5);
/// assert_eq!(arena.name(volume), "volume");
/// # let _ = clicks;
/// ```
#[must_use = "nothing is declared before a kind is chosen, such as `.source(value)`"]
pub struct Declare<'a, E = ByPartialEq> {
    pub(crate) engine: &'a mut Engine,
    pub(crate) label: Label,
    pub(crate) equality: E,
}

impl<E: std::fmt::Debug> std::fmt::Debug for Declare<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Declare")
            .field("label", &self.label)
            .field("equality", &self.equality)
            .finish_non_exhaustive()
    }
}

impl<'a> Declare<'a> {
    #[track_caller]
    pub(crate) fn new(engine: &'a mut Engine) -> Self {
        let label = Label {
            name: None,
            location: Location::caller(),
        };
        Self {
            engine,
            label,
            equality: ByPartialEq,
        }
    }

    /// Compares values with `equal` instead of `PartialEq`. A stored value stays while new ones are equal to *it*, so a
    /// tolerance cannot creep.
    pub fn equality<T: 'static>(self, equal: fn(&T, &T) -> bool) -> Declare<'a, By<T>> {
        Declare {
            engine: self.engine,
            label: self.label,
            equality: By(equal),
        }
    }

    /// Takes every value for a change, equal or not.
    pub fn always_changes(self) -> Declare<'a, AlwaysChanges> {
        Declare {
            engine: self.engine,
            label: self.label,
            equality: AlwaysChanges,
        }
    }
}

/// What a new family's column is made of.
pub(crate) struct NewColumn {
    pub(crate) kind: Kind,
    pub(crate) inputs: Vec<Input>,
    pub(crate) recipe: RecipeId,
    pub(crate) space: SpaceId,
    pub(crate) lane: Row,
    pub(crate) store: StoreId,
}

impl<E> Declare<'_, E> {
    /// Names the cog. Names show in errors and logs; they need not be unique.
    pub fn name(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.label.name = Some(name.into());
        self
    }

    pub(crate) fn recipe(&mut self, recipe: impl Run<Engine> + 'static) -> RecipeId {
        self.engine.functions.insert(Box::new(recipe))
    }

    pub(crate) fn column(&mut self, new: NewColumn) -> ColumnId {
        let graph = &mut self.engine.graph;
        let mut column = Column::new(new.kind, new.store, new.space, new.lane, new.recipe);
        column.inputs = new.inputs.into_iter().collect();
        column.total = column.kind == Kind::Source && !column.is_lane();
        let tracked = column.kind == Kind::Tracked;
        let inputs = column.inputs.clone();
        let id = graph.columns.insert(column);
        for input in inputs {
            graph.refresh_outputs(input.column);
            if tracked {
                graph.flip(input.column);
            }
        }
        if new.lane.is_nil() {
            self.engine.space_columns[new.space.index()].push(id);
        } else {
            graph.rows.set_lane(new.lane, id);
        }
        self.engine.settle_between();
        self.engine.forget_read();
        id
    }

    pub(crate) fn keyless<T: Send + Sync + 'static>(&mut self) -> (StoreId, Row)
    where
        E: Equality<T>,
    {
        let store = self.engine.pool::<T>(self.equality.pointer());
        let row = self.engine.add_row(store);
        self.engine.labels.push(store, self.label.clone());
        (store, row)
    }

    pub(crate) fn family_store<T: Send + Sync + 'static>(&mut self) -> StoreId
    where
        E: Equality<T>,
    {
        let column = self.engine.graph.columns.next();
        let store = self.engine.add_store::<T>(self.equality.pointer(), column);
        self.engine.labels.push(store, self.label.clone());
        store
    }

    #[track_caller]
    pub(crate) fn inputs<T: 'static, I: Inputs>(
        &mut self,
        inputs: I,
        space: SpaceId,
        key: Option<TypeId>,
    ) -> Vec<Input> {
        let value = TypeId::of::<T>();
        let mut declaration = Declaration {
            engine: self.engine,
            inputs: Vec::new(),
            space,
            value,
            key,
        };
        inputs.declare(&mut declaration);
        declaration.inputs
    }

    /// A keyless source. See [`Arena::source`](crate::Arena::source).
    pub fn source<T: Send + Sync + 'static>(mut self, first: T) -> Source<T>
    where
        E: Equality<T>,
    {
        let (store, row) = self.keyless::<T>();
        let local = self.engine.local(row).1;
        let before = self
            .engine
            .values
            .store_mut::<T>(store)
            .put(local, row.offset(), first);
        debug_assert!(before.is_none(), "a new row holds nothing");
        self.engine.graph.rows[row.chunk()].present |= row.bit();
        Source::new(self.engine.id, row, store)
    }

    /// A keyless source that holds nothing yet. See [`Arena::absent_source`](crate::Arena::absent_source).
    pub fn absent_source<T: Send + Sync + 'static>(mut self) -> Source<T>
    where
        E: Equality<T>,
    {
        let (store, row) = self.keyless::<T>();
        let local = self.engine.local(row).1;
        self.engine.values.store_mut::<T>(store).ensure(local);
        self.engine.graph.rows[row.chunk()].clearable |= row.bit();
        Source::new(self.engine.id, row, store)
    }

    /// A keyless tracked derived value. See [`Arena::derived`](crate::Arena::derived).
    pub fn derived<T, F>(mut self, function: F) -> Derived<T>
    where
        T: Send + Sync + 'static,
        F: Fn(&Reader<'_>) -> T + Send + Sync + 'static,
        E: Equality<T>,
    {
        let (store, row) = self.keyless::<T>();
        let equality = self.equality;
        let recipe = self.recipe(Tracked {
            function,
            equality,
            value: PhantomData,
        });
        self.engine.graph.ensure_tracked(row, recipe);
        Derived::new(self.engine.id, row, store)
    }

    /// A keyless declared derived value. See [`Arena::derived_from`](crate::Arena::derived_from).
    ///
    /// # Panics
    ///
    /// If an input belongs to another arena.
    #[track_caller]
    pub fn derived_from<T, I, F>(self, inputs: I, function: F) -> Derived<T>
    where
        T: Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> T + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.keyless_from::<T, I, F, Whole>(inputs, function)
    }

    /// As [`derived_from`](Self::derived_from), where the function may give nothing.
    ///
    /// # Panics
    ///
    /// If an input belongs to another arena.
    #[track_caller]
    pub fn partial_from<T, I, F>(self, inputs: I, function: F) -> Derived<T>
    where
        T: Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> Option<T> + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.keyless_from::<T, I, F, Partial>(inputs, function)
    }

    #[track_caller]
    fn keyless_from<T, I, F, S>(mut self, inputs: I, function: F) -> Derived<T>
    where
        T: Send + Sync + 'static,
        I: Inputs,
        S: Shape<T>,
        F: for<'i> Fn(I::Items<'i>) -> S::Out + Send + Sync + 'static,
        E: Equality<T>,
    {
        let list = self.inputs::<T, I>(inputs, SpaceId::NIL, None);
        let (store, row) = self.keyless::<T>();
        self.engine
            .values
            .store_mut::<T>(store)
            .ensure(self.engine.graph.rows[row.chunk()].local);
        let equality = self.equality;
        if I::TRACKED {
            let recipe = Mixed::<I, T, F, E, S> {
                inputs,
                function,
                equality,
                space: SpaceId::NIL,
                types: PhantomData,
            };
            let recipe = self.recipe(recipe);
            self.column(NewColumn {
                kind: Kind::Tracked,
                inputs: list,
                recipe,
                space: SpaceId::NIL,
                lane: row,
                store,
            });
            self.engine.graph.ensure_tracked(row, recipe);
        } else {
            let recipe = Declared::<I, T, F, E, S> {
                inputs,
                function,
                equality,
                space: SpaceId::NIL,
                store,
                types: PhantomData,
            };
            let recipe = self.recipe(recipe);
            self.column(NewColumn {
                kind: Kind::Declared,
                inputs: list,
                recipe,
                space: SpaceId::NIL,
                lane: row,
                store,
            });
        }
        Derived::new(self.engine.id, row, store)
    }
}
