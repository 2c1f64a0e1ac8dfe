//! Declaring saved cogs: sources that a snapshot holds.
//!
//! Takes: a name, and first values. Leaves: a source, and its entry among the saved ones. Never: takes a name that
//! another saved cog bears.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::engine::Engine;
use crate::engine::saved::SaveCog;
use crate::handle::{KeySpace, Source, SourceFamily};
use crate::kinds::declare::Declare;
use crate::recipes::install::Equality;
use crate::snapshot::cogs::{SavedAbsent, SavedFamily, SavedSource, SavedSpace};
use crate::values::keys::Key;

impl<'a, E> Declare<'a, E> {
    /// Lets [`Arena::snapshot`](crate::Arena::snapshot) save the cog, under its name: of saved cogs, each needs one of its
    /// own. Only sources are saved, and the members of key spaces; what is derived follows from them.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut arena = cog_arena::Arena::new();
    /// let gold = arena.cog().name("gold").saved().source(10);
    /// let file = serde_json::to_string(&arena.snapshot()).unwrap();
    /// arena.turn(|w| w.set(gold, 0));
    ///
    /// arena.restore(&mut serde_json::Deserializer::from_str(&file)).unwrap();
    /// assert_eq!(*arena.read(gold), 10);
    /// ```
    pub fn saved(self) -> DeclareSaved<'a, E> {
        DeclareSaved { declare: self }
    }
}

/// A saved cog about to be declared. Made by [`Declare::saved`].
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.cog().name("units").saved().key_space::<String>();
/// let level = arena.cog().name("level").saved().source_family(units, |_| 1);
/// # let _ = level;
/// ```
#[derive(Debug)]
#[must_use = "nothing is declared before a kind is chosen, such as `.source(value)`"]
pub struct DeclareSaved<'a, E> {
    declare: Declare<'a, E>,
}

impl<E> DeclareSaved<'_, E> {
    /// Names the cog. See [`Declare::name`].
    pub fn name(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.declare = self.declare.name(name);
        self
    }

    /// Declares the cog as `kind` says, and has it saved as `entry` says.
    #[track_caller]
    fn declare<H: Copy, C: SaveCog<Engine> + 'static>(
        self,
        kind: impl FnOnce(Declare<'_, E>) -> H,
        entry: impl FnOnce(H) -> C,
    ) -> H {
        let Declare {
            engine,
            label,
            equality,
        } = self.declare;
        // Before anything is declared that would be left over.
        engine.saved.expect_name(&label);
        let handle = kind(Declare {
            engine: &mut *engine,
            label: label.clone(),
            equality,
        });
        engine.saved.insert(label, Box::new(entry(handle)));
        handle
    }

    /// As [`Declare::source`].
    ///
    /// # Panics
    ///
    /// If the cog has no name, or that of another saved cog.
    #[track_caller]
    pub fn source<T>(self, first: T) -> Source<T>
    where
        T: Serialize + DeserializeOwned + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.declare(|declare| declare.source(first), SavedSource)
    }

    /// As [`Declare::absent_source`].
    ///
    /// # Panics
    ///
    /// If the cog has no name, or that of another saved cog.
    #[track_caller]
    pub fn absent_source<T>(self) -> Source<T>
    where
        T: Serialize + DeserializeOwned + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.declare(|declare| declare.absent_source(), SavedAbsent)
    }

    /// As [`Declare::source_family`].
    ///
    /// Saved are the members' rows. Restored, a member that the snapshot doesn't list starts anew, at its first value; and
    /// whoever should be no member any more has to be removed by a saved key space: see [`key_space`](Self::key_space).
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena; if the family has no name, or that of another saved cog.
    #[track_caller]
    pub fn source_family<K, T, F>(self, space: KeySpace<K>, first: F) -> SourceFamily<K, T>
    where
        K: Key + Serialize + DeserializeOwned,
        T: Serialize + DeserializeOwned + Send + Sync + 'static,
        F: Fn(&K) -> T + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.declare(|declare| declare.source_family(space, first), SavedFamily)
    }

    /// As [`Declare::member_family`].
    ///
    /// Restored, the family has exactly the rows that the snapshot lists. Their keys become members; members that lose
    /// their row stay members, unless a saved key space says otherwise: see [`key_space`](Self::key_space).
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena; if the family has no name, or that of another saved cog.
    #[track_caller]
    pub fn member_family<K, T>(self, space: KeySpace<K>) -> SourceFamily<K, T>
    where
        K: Key + Serialize + DeserializeOwned,
        T: Serialize + DeserializeOwned + Send + Sync + 'static,
        E: Equality<T>,
    {
        self.declare(|declare| declare.member_family(space), SavedFamily)
    }

    /// As [`Arena::key_space`](crate::Arena::key_space), with members that are saved.
    ///
    /// Restored, the space has exactly the members that the snapshot lists: others are removed, with their rows in all
    /// families, saved or not. Those that stay keep their slots.
    ///
    /// # Panics
    ///
    /// If the space has no name, or that of another saved cog.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut arena = cog_arena::Arena::new();
    /// let units = arena.cog().name("units").saved().key_space::<u32>();
    /// let file = r#"{ "units": [3, 1] }"#;
    /// arena.turn(|w| { w.insert_key(units, 7); });
    ///
    /// arena.restore(&mut serde_json::Deserializer::from_str(file)).unwrap();
    /// assert_eq!(arena.keys(units).filter(|&&key| key == 7).count(), 0);
    /// assert_eq!(arena.len(units), 2);
    /// ```
    #[track_caller]
    pub fn key_space<K: Key + Serialize + DeserializeOwned>(self) -> KeySpace<K> {
        self.space(None)
    }

    /// As [`Arena::key_space_indexed`](crate::Arena::key_space_indexed), with members that are saved.
    ///
    /// # Panics
    ///
    /// If the space has no name, or that of another saved cog.
    #[track_caller]
    pub fn key_space_indexed<K>(self, index: fn(&K) -> u32) -> KeySpace<K>
    where
        K: Key + Serialize + DeserializeOwned,
    {
        self.space(Some(index))
    }

    #[track_caller]
    fn space<K>(self, index: Option<fn(&K) -> u32>) -> KeySpace<K>
    where
        K: Key + Serialize + DeserializeOwned,
    {
        let kind = |declare: Declare<'_, E>| {
            let id = declare.engine.add_space::<K>(index);
            KeySpace::new(declare.engine.id, id)
        };
        self.declare(kind, SavedSpace)
    }
}
