//! Saved cogs: which sources a snapshot holds, by name.
//!
//! Takes: names, and what knows the types. Leaves: both in the order of declaration, and found by name. Never: lets two
//! saved cogs bear one name.

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::engine::labels::Label;
use crate::ids::SpaceId;

/// A cog that is saved, without its types. `E` is the engine, as everywhere in this file.
pub(crate) trait SaveCog<E>: Send + Sync {
    /// What the cog holds now, to be written down.
    fn view<'a>(&self, engine: &'a E) -> Box<dyn erased_serde::Serialize + 'a>;

    /// Reads what was written down.
    ///
    /// # Errors
    ///
    /// If it is no such thing.
    fn load(
        &self,
        deserializer: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn LoadedCog<E>>, erased_serde::Error>;
}

/// What is wrong with keys that were read: each is shown as errors show it.
pub(crate) enum Fault {
    /// A key is there twice.
    Twice(String),
    /// A key isn't among the members that the snapshot gives its key space.
    Stray(String),
}

/// What one saved cog will hold.
pub(crate) trait LoadedCog<E>: Send + Sync + Any {
    /// The key space whose members these are.
    fn lists(&self) -> Option<SpaceId> {
        None
    }

    /// The key space whose keys these rows have.
    fn lies_in(&self) -> Option<SpaceId> {
        None
    }

    /// What is wrong with the keys. `members` is what the snapshot says of the key space, if it says something.
    fn fault(&self, _members: Option<&dyn LoadedCog<E>>) -> Option<Fault> {
        None
    }

    /// Gives each key and each value to `map`.
    ///
    /// # Errors
    ///
    /// With the first that `map` refuses.
    fn map(&mut self, map: &mut Map<'_>) -> Result<(), String>;

    /// Stages all of it.
    fn stage(self: Box<Self>, engine: &mut E);
}

/// What changes keys and values that were read, whatever their type.
pub(crate) type Map<'m> = dyn FnMut(&mut dyn Any) -> Result<(), String> + 'm;

/// All saved cogs.
pub(crate) struct SavedCogs<E> {
    list: Vec<(Label, Box<dyn SaveCog<E>>)>,
    by_name: BTreeMap<Cow<'static, str>, usize>,
}

impl<E> Default for SavedCogs<E> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            by_name: BTreeMap::new(),
        }
    }
}

impl<E> SavedCogs<E> {
    /// Adds a cog.
    ///
    /// # Panics
    ///
    /// If it has no name, or that of another saved cog.
    #[track_caller]
    pub(crate) fn insert(&mut self, label: Label, cog: Box<dyn SaveCog<E>>) {
        self.expect_name(&label);
        let name = label.name.clone().expect("a saved cog has a name");
        self.by_name.insert(name, self.list.len());
        self.list.push((label, cog));
    }

    /// Panics unless a cog may be saved under this label.
    ///
    /// # Panics
    ///
    /// If it has no name, or that of another saved cog.
    #[track_caller]
    pub(crate) fn expect_name(&self, label: &Label) {
        let Some(name) = &label.name else {
            panic!(
                "the cog declared at {} has no name to be saved by; \
                 give it one: `arena.cog().name(\"..\").saved()`",
                label.text()
            );
        };
        if let Some(&at) = self.by_name.get(name) {
            let place =
                |label: &Label| format!("{}:{}", label.location.file(), label.location.line());
            panic!(
                "two saved cogs are called {name:?}, the one declared at {} and the one at {}; \
                 a snapshot knows them by name: give each its own",
                place(&self.list[at].0),
                place(label)
            );
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The place of the one called `name`.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Names and cogs in the order of declaration.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Cow<'static, str>, &dyn SaveCog<E>)> {
        self.list
            .iter()
            .filter_map(|(label, cog)| Some((label.name.as_ref()?, &**cog)))
    }

    /// The cog at a place.
    pub(crate) fn at(&self, at: usize) -> &dyn SaveCog<E> {
        &*self.list[at].1
    }
}
