//! User functions, erased and ready to run.
//!
//! Takes: functions, erased. Leaves: a way to run one while the engine that
//! owns it is borrowed by the run. Never: drops one while anything runs.

use std::any::Any;

use crate::error::Panic;
use crate::ids::{Change, ColumnId, Item, KeyRow, NodeIndex, RecipeId, Row};

/// A user function, with what it takes and where its value goes. `E` is the
/// engine; the floor below it can't name it.
pub(crate) trait Run<E>: Send + Sync {
    /// Runs it for one tracked row.
    fn row(&self, _engine: &mut E, _node: NodeIndex) -> Change {
        unreachable!("a tracked row has a tracked recipe")
    }

    /// Runs it for a keyless declared cog.
    fn lane(&self, _engine: &mut E, _row: Row) -> Change {
        unreachable!("a lane has a declared recipe")
    }

    /// Runs it for many declared rows.
    fn rows(&self, _engine: &mut E, _column: ColumnId, _items: &mut [Item]) -> Option<Panic> {
        unreachable!("a declared family has a declared recipe")
    }

    /// Makes the first value of a total source's row.
    fn first(&self, _engine: &mut E, _key: KeyRow) {
        unreachable!("a total source has a recipe for first values")
    }

    /// Stages the first value of a total source's row.
    fn stage_first(&self, _engine: &mut E, _key: KeyRow) {
        unreachable!("a total source has a recipe for first values")
    }

    /// Puts the first value of `key`, a `K`, into `value`, an `Option<T>`: for whoever has the storage in hand.
    fn first_value(&self, _key: &dyn Any, _value: &mut dyn Any) {
        unreachable!("a total source has a recipe for first values")
    }
}

/// All recipes.
pub(crate) struct Functions<E> {
    list: Vec<Box<dyn Run<E>>>,
}

impl<E> Default for Functions<E> {
    fn default() -> Self {
        Self { list: Vec::new() }
    }
}

impl<E> Functions<E> {
    /// Adds a recipe.
    pub(crate) fn insert(&mut self, recipe: Box<dyn Run<E>>) -> RecipeId {
        self.list.push(recipe);
        RecipeId::at(self.list.len() - 1)
    }

    /// The recipe, while the list is borrowed.
    pub(crate) fn borrow(&self, id: RecipeId) -> &dyn Run<E> {
        &*self.list[id.index()]
    }

    /// The recipe, free of the borrow of the engine that owns the list.
    #[inline]
    pub(crate) fn get(&self, id: RecipeId) -> Recipe<E> {
        Recipe(&raw const *self.list[id.index()])
    }
}

/// A recipe on its way to be run. Lives no longer than one call into the engine that owns it.
pub(crate) struct Recipe<E>(*const dyn Run<E>);

impl<E> Recipe<E> {
    /// The function. `_owner` is the engine that the recipe came from.
    #[inline]
    pub(crate) fn of<'a>(self, _owner: &E) -> &'a dyn Run<E> {
        // SAFETY: recipes are boxed and never removed, so the box stays where it
        // is while the list grows; it goes with the engine, which is borrowed
        // for as long as the one call lasts that the result is used for.
        unsafe { &*self.0 }
    }
}
