//! A snapshot that was read, and found good.
//!
//! Takes: what a format reads. Leaves: values for all saved cogs, or an error. Never: changes anything.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use crate::engine::Engine;
use crate::engine::saved::{LoadedCog, SaveCog};
use crate::ids::SpaceId;
use crate::snapshot::error::RestoreError;
use crate::sync::ArenaId;
use crate::writer::Writer;

/// A snapshot that was read and found good, ready to be staged with [`Writer::restore`](crate::Writer::restore).
///
/// Made by [`Arena::read_snapshot`](crate::Arena::read_snapshot), for one arena. Nothing is changed before it is staged;
/// so this is the place to see whether the rest of a saved game is good as well, and to change keys.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let gold = arena.cog().name("gold").saved().source(10);
/// let tutorial = arena.source(true);
///
/// let mut file = serde_json::Deserializer::from_str(r#"{ "gold": 99 }"#);
/// let loaded = arena.read_snapshot(&mut file).unwrap();
/// file.end().expect("nothing comes after the snapshot");
/// assert_eq!(*arena.read(gold), 10);
///
/// arena.turn(|w| {
///     w.restore(loaded);
///     w.set(tutorial, false);
/// });
/// assert_eq!(*arena.read(gold), 99);
/// ```
#[must_use = "nothing is restored before `Writer::restore` stages it"]
pub struct LoadedSnapshot {
    arena: ArenaId,
    /// In the order of declaration.
    cogs: Vec<(Cow<'static, str>, Box<dyn LoadedCog<Engine>>)>,
}

impl fmt::Debug for LoadedSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.cogs.iter().map(|(name, _)| name);
        f.debug_set().entries(names).finish()
    }
}

impl LoadedSnapshot {
    /// Gives every key and every value that was read to `map`, which may change it, or refuse it.
    ///
    /// For names that mean something else where the snapshot is restored, such as entities of another world. Each comes
    /// as it is, a key as `K` and a value as `T`; what lies inside of them is for `map` to know. Keys that become the
    /// same are an error.
    ///
    /// # Cost
    ///
    /// One call for each key and value, and a hash for each key.
    ///
    /// # Errors
    ///
    /// [`RestoreError::Unmapped`] with the first error of `map`; [`RestoreError::KeyTwice`] and
    /// [`RestoreError::Stray`], if the keys fit no more.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut arena = cog_arena::Arena::new();
    /// let units = arena.cog().name("units").saved().key_space::<u32>();
    /// let mut file = serde_json::Deserializer::from_str(r#"{ "units": [1, 2] }"#);
    /// let loaded = arena.read_snapshot(&mut file).unwrap();
    /// let loaded = loaded.map(|part| match part.downcast_mut::<u32>() {
    ///     Some(2) => Err("no unit is called 2 any more"),
    ///     Some(key) => {
    ///         *key += 100;
    ///         Ok(())
    ///     }
    ///     None => Ok(()),
    /// });
    /// let says = "a key or a value of \"units\" can't be mapped: no unit is called 2 any more";
    /// assert_eq!(loaded.unwrap_err().to_string(), says);
    /// ```
    pub fn map<E: fmt::Display>(
        mut self,
        mut map: impl FnMut(&mut dyn Any) -> Result<(), E>,
    ) -> Result<Self, RestoreError> {
        let mut map = |part: &mut dyn Any| map(part).map_err(|error| error.to_string());
        for (name, cog) in &mut self.cogs {
            cog.map(&mut map).map_err(|reason| RestoreError::Unmapped {
                cog: name.to_string(),
                reason,
            })?;
        }
        self.checked()
    }

    /// # Errors
    ///
    /// If a key is there twice, or where it can't be.
    fn checked(self) -> Result<Self, RestoreError> {
        let spaces = self
            .cogs
            .iter()
            .filter_map(|(_, cog)| Some((cog.lists()?, &**cog)));
        let spaces: FxHashMap<SpaceId, &dyn LoadedCog<Engine>> = spaces.collect();
        let fault = self.cogs.iter().find_map(|(name, cog)| {
            let members = cog.lies_in().and_then(|space| spaces.get(&space).copied());
            let fault = cog.fault(members)?;
            Some(RestoreError::of(name, fault))
        });
        fault.map_or(Ok(self), Err)
    }

    /// Stages all of it. Key spaces come before their families, since they were declared before them.
    pub(crate) fn stage(self, engine: &mut Engine) {
        for (_, cog) in self.cogs {
            cog.stage(engine);
        }
    }
}

impl Writer<'_> {
    /// Stages a snapshot: after the turn every saved cog holds what it held when the snapshot was taken.
    ///
    /// It is staged as if by hand: what is equal moves nothing, and what else the turn writes, before or after, is written
    /// as well; the last value wins. What was declared as saved since the snapshot was read is left alone.
    ///
    /// # Cost
    ///
    /// One write for each row, and O(members) for each family and key space.
    ///
    /// # Panics
    ///
    /// If the snapshot was read for another arena; with what a total family's function of first values panics with.
    ///
    /// # Examples
    ///
    /// See [`LoadedSnapshot`].
    #[track_caller]
    pub fn restore(&mut self, snapshot: LoadedSnapshot) {
        self.run(Box::new(|engine| {
            engine.own(snapshot.arena);
            snapshot.stage(engine);
        }));
    }
}

/// Reads a snapshot for the saved cogs of an engine.
///
/// # Errors
///
/// If it doesn't fit them.
pub(crate) fn read<'de, D: Deserializer<'de>>(
    engine: &Engine,
    deserializer: D,
) -> Result<LoadedSnapshot, RestoreError> {
    let mut refused = None;
    let entries = Entries {
        engine,
        refused: &mut refused,
    };
    let found = match deserializer.deserialize_map(entries) {
        Ok(found) => found,
        Err(error) => {
            let reason = error.to_string();
            return Err(refused.unwrap_or(RestoreError::Unreadable { reason }));
        }
    };
    let mut loaded = LoadedSnapshot {
        arena: engine.id,
        cogs: Vec::new(),
    };
    let mut missing = Vec::new();
    for ((name, _), cog) in engine.saved.iter().zip(found) {
        match cog {
            Some(cog) => loaded.cogs.push((name.clone(), cog)),
            None => missing.push(name.to_string()),
        }
    }
    if missing.is_empty() {
        loaded.checked()
    } else {
        Err(RestoreError::Missing { cogs: missing })
    }
}

/// Reads a map of entries: for each saved cog what was found. An error of ours is left in `refused`, since that of the
/// format holds a text at most.
struct Entries<'a> {
    engine: &'a Engine,
    refused: &'a mut Option<RestoreError>,
}

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = Vec<Option<Box<dyn LoadedCog<Engine>>>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from the names of saved cogs to what they hold")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let saved = &self.engine.saved;
        let mut found = Vec::new();
        found.resize_with(saved.len(), || None);
        while let Some(cog) = map.next_key::<String>()? {
            let refused = match saved.find(&cog) {
                None => RestoreError::Unknown { cog },
                Some(at) if found[at].is_some() => RestoreError::Twice { cog },
                Some(at) => match map.next_value_seed(Entry(saved.at(at))) {
                    Ok(loaded) => {
                        found[at] = Some(loaded);
                        continue;
                    }
                    Err(error) => {
                        let reason = error.to_string();
                        RestoreError::Mistyped { cog, reason }
                    }
                },
            };
            let error = A::Error::custom(&refused);
            *self.refused = Some(refused);
            return Err(error);
        }
        Ok(found)
    }
}

/// Reads what one cog will hold.
struct Entry<'a>(&'a dyn SaveCog<Engine>);

impl<'de> DeserializeSeed<'de> for Entry<'_> {
    type Value = Box<dyn LoadedCog<Engine>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let mut erased = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        self.0.load(&mut erased).map_err(D::Error::custom)
    }
}
