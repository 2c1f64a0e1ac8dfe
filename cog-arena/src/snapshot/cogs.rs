//! What can be saved, with its types: keyless sources, families of sources, key spaces.
//!
//! Takes: handles. Leaves: what they lead to, for serde; what serde read, staged. Never: looks at anything that is
//! staged and not committed, to save it.

use std::any::Any;
use std::hash::Hash;

use rustc_hash::FxHashSet;
use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};

use crate::engine::Engine;
use crate::engine::saved::{Fault, LoadedCog, Map, SaveCog};
use crate::handle::{KeySlot, KeySpace, Source, SourceFamily};
use crate::ids::{KeyRow, SpaceId};
use crate::values::keys::Key;
use crate::values::store::Staged;
use crate::writer::Writer;

type Read<'d, 'de> = &'d mut dyn erased_serde::Deserializer<'de>;
type Loaded = Result<Box<dyn LoadedCog<Engine>>, erased_serde::Error>;

/// What was read for the handle `of`.
struct Entry<H, V> {
    of: H,
    value: V,
}

/// A keyless source that always holds a value.
pub(crate) struct SavedSource<T>(pub(crate) Source<T>);

impl<T: Serialize + DeserializeOwned + Send + Sync + 'static> SaveCog<Engine> for SavedSource<T> {
    fn view<'a>(&self, engine: &'a Engine) -> Box<dyn erased_serde::Serialize + 'a> {
        let value = engine.value::<T>(self.0.row);
        Box::new(value.expect("a source that was declared with a value holds one"))
    }

    fn load(&self, deserializer: Read<'_, '_>) -> Loaded {
        Ok(Box::new(Entry {
            of: self.0,
            value: erased_serde::deserialize::<T>(deserializer)?,
        }))
    }
}

impl<T: Send + Sync + 'static> LoadedCog<Engine> for Entry<Source<T>, T> {
    fn map(&mut self, map: &mut Map<'_>) -> Result<(), String> {
        map(&mut self.value)
    }

    fn stage(self: Box<Self>, engine: &mut Engine) {
        Writer::new(engine).set(self.of, self.value);
    }
}

/// A keyless source that may hold nothing.
pub(crate) struct SavedAbsent<T>(pub(crate) Source<T>);

impl<T: Serialize + DeserializeOwned + Send + Sync + 'static> SaveCog<Engine> for SavedAbsent<T> {
    /// A sequence: many formats can't tell `Some(None)` or `Some(())` from `None`.
    fn view<'a>(&self, engine: &'a Engine) -> Box<dyn erased_serde::Serialize + 'a> {
        let value = engine.value::<T>(self.0.row);
        Box::new(value.into_iter().collect::<Vec<&T>>())
    }

    fn load(&self, deserializer: Read<'_, '_>) -> Loaded {
        let mut values = erased_serde::deserialize::<Vec<T>>(deserializer)?;
        let value = values.pop();
        if !values.is_empty() {
            let count = values.len() + 1;
            return Err(erased_serde::Error::invalid_length(
                count,
                &"at most one value",
            ));
        }
        Ok(Box::new(Entry { of: self.0, value }))
    }
}

impl<T: Send + Sync + 'static> LoadedCog<Engine> for Entry<Source<T>, Option<T>> {
    fn map(&mut self, map: &mut Map<'_>) -> Result<(), String> {
        self.value.iter_mut().try_for_each(|value| map(value))
    }

    fn stage(self: Box<Self>, engine: &mut Engine) {
        let mut writer = Writer::new(engine);
        match self.value {
            Some(value) => writer.set(self.of, value),
            None => writer.clear(self.of),
        }
    }
}

/// The members of a key space.
pub(crate) struct SavedSpace<K>(pub(crate) KeySpace<K>);

impl<K: Key + Serialize + DeserializeOwned> SaveCog<Engine> for SavedSpace<K> {
    fn view<'a>(&self, engine: &'a Engine) -> Box<dyn erased_serde::Serialize + 'a> {
        Box::new(engine.members_of::<K>(self.0.id).collect::<Vec<&K>>())
    }

    fn load(&self, deserializer: Read<'_, '_>) -> Loaded {
        let keys = erased_serde::deserialize::<Vec<K>>(deserializer)?;
        let value = Members {
            set: keys.iter().cloned().collect(),
            keys,
        };
        Ok(Box::new(Entry { of: self.0, value }))
    }
}

/// Keys in the order in which they were saved, and again to be looked up.
struct Members<K> {
    keys: Vec<K>,
    set: FxHashSet<K>,
}

impl<K: Key> LoadedCog<Engine> for Entry<KeySpace<K>, Members<K>> {
    fn lists(&self) -> Option<SpaceId> {
        Some(self.of.id)
    }

    fn fault(&self, _: Option<&dyn LoadedCog<Engine>>) -> Option<Fault> {
        twice(self.value.keys.iter())
    }

    fn map(&mut self, map: &mut Map<'_>) -> Result<(), String> {
        self.value.keys.iter_mut().try_for_each(|key| map(key))?;
        self.value.set = self.value.keys.iter().cloned().collect();
        Ok(())
    }

    fn stage(self: Box<Self>, engine: &mut Engine) {
        let space = self.of;
        let mut listed = Listed::default();
        for key in self.value.keys {
            let slot = Writer::new(engine).insert_key(space, key);
            listed.add(slot.row);
        }
        for slot in unlisted(engine, space, &listed) {
            Writer::new(engine).remove_slot(slot);
        }
    }
}

/// The rows of a family's members.
pub(crate) struct SavedFamily<K, T>(pub(crate) SourceFamily<K, T>);

impl<K, T> SaveCog<Engine> for SavedFamily<K, T>
where
    K: Key + Serialize + DeserializeOwned,
    T: Serialize + DeserializeOwned + Send + Sync + 'static,
{
    /// What was only read of a total family has no member, and is no fact.
    fn view<'a>(&self, engine: &'a Engine) -> Box<dyn erased_serde::Serialize + 'a> {
        let keys = engine.values.space::<K>(self.0.space);
        let values = engine.values.store::<T>(self.0.store);
        let rows = members(engine, self.0.space);
        let pairs = rows.filter_map(|row| {
            let value = values.get(row.chunk(), row.offset())?;
            Some((keys.key(row)?, value))
        });
        Box::new(pairs.collect::<Vec<(&K, &T)>>())
    }

    fn load(&self, deserializer: Read<'_, '_>) -> Loaded {
        Ok(Box::new(Entry {
            of: self.0,
            value: erased_serde::deserialize::<Vec<(K, T)>>(deserializer)?,
        }))
    }
}

impl<K: Key, T: Send + Sync + 'static> LoadedCog<Engine>
    for Entry<SourceFamily<K, T>, Vec<(K, T)>>
{
    fn lies_in(&self) -> Option<SpaceId> {
        Some(self.of.space)
    }

    fn fault(&self, members: Option<&dyn LoadedCog<Engine>>) -> Option<Fault> {
        let mut keys = self.value.iter().map(|(key, _)| key);
        let members = members.and_then(|members| {
            let members: &dyn Any = members;
            members.downcast_ref::<Entry<KeySpace<K>, Members<K>>>()
        });
        if let Some(members) = members
            && let Some(key) = keys.find(|key| !members.value.set.contains(key))
        {
            return Some(Fault::Stray(format!("{key:?}")));
        }
        twice(self.value.iter().map(|(key, _)| key))
    }

    fn map(&mut self, map: &mut Map<'_>) -> Result<(), String> {
        self.value.iter_mut().try_for_each(|(key, value)| {
            map(key)?;
            map(value)
        })
    }

    fn stage(self: Box<Self>, engine: &mut Engine) {
        let family = self.of;
        let space = KeySpace::<K>::new(family.arena, family.space);
        let mut listed = Listed::default();
        for (key, value) in self.value {
            let slot = Writer::new(engine).insert_key(space, key);
            Writer::new(engine).set(family.at_slot(slot), value);
            listed.add(slot.row);
        }
        for slot in unlisted(engine, space, &listed) {
            let (local, offset) = (slot.row.chunk(), slot.row.offset());
            let store = engine.values.store::<T>(family.store);
            let staged = !matches!(store.staged(local, offset), Staged::None);
            if staged || store.get(local, offset).is_some() {
                Writer::new(engine).remove(family.at_slot(slot));
            }
        }
    }
}

/// The row numbers of the keys that were read.
#[derive(Default)]
struct Listed(Vec<bool>);

impl Listed {
    fn add(&mut self, row: KeyRow) {
        if self.0.len() <= row.index() {
            self.0.resize(row.index() + 1, false);
        }
        self.0[row.index()] = true;
    }

    fn has(&self, row: KeyRow) -> bool {
        self.0.get(row.index()).copied().unwrap_or(false)
    }
}

/// The first key that is there twice.
fn twice<'k, K: Hash + Eq + std::fmt::Debug + 'k>(
    mut keys: impl Iterator<Item = &'k K>,
) -> Option<Fault> {
    let mut seen = FxHashSet::default();
    let key = keys.find(|key| !seen.insert(*key))?;
    Some(Fault::Twice(format!("{key:?}")))
}

/// The rows of a key space's committed members.
fn members(engine: &Engine, space: SpaceId) -> impl Iterator<Item = KeyRow> {
    let keys = engine.values.erased_space(space);
    let rows = (0..keys.row_count()).map(KeyRow::at);
    rows.filter(|&row| keys.is_member(row))
}

/// The members, for writers, that were not read.
fn unlisted<K: Key>(engine: &Engine, space: KeySpace<K>, listed: &Listed) -> Vec<KeySlot<K>> {
    let keys = engine.values.erased_space(space.id);
    let rows = (0..keys.row_count()).map(KeyRow::at);
    let left = rows.filter(|&row| keys.is_member_staged(row) && !listed.has(row));
    left.map(|row| KeySlot::new(space.arena, space.id, row, keys.generation(row)))
        .collect()
}
