//! A snapshot about to be written down.
//!
//! Takes: an arena, lent. Leaves: what serde can serialize. Never: copies a value.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::engine::Engine;
use crate::engine::saved::SaveCog;

/// What the saved cogs of an arena hold now: give it to any serializer of serde's.
///
/// Made by [`Arena::snapshot`](crate::Arena::snapshot). It lends the arena and copies no value. It is a map from names to
/// entries, in the order of declaration:
///
/// | cog | entry |
/// |---|---|
/// | source | the value |
/// | source that may be absent | a sequence of none or one value |
/// | family | a sequence of pairs, key and value, of the members that have a row, in the order of their row numbers |
/// | key space | a sequence of its members, in the same order |
///
/// Derived values are not in it: they follow. Neither is what an open turn has staged, nor rows of a total family that
/// were only read.
///
/// # Cost
///
/// O(rows saved); a list of references for each family and key space, one at a time.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let gold = arena.cog().name("gold").saved().source(10);
/// let units = arena.cog().name("units").saved().key_space::<u32>();
/// let health = arena.cog().name("health").saved().member_family::<u32, f32>(units);
/// arena.turn(|w| w.set(health.at(7), 0.5));
///
/// let text = serde_json::to_string(&arena.snapshot()).unwrap();
/// assert_eq!(text, r#"{"gold":10,"units":[7],"health":[[7,0.5]]}"#);
/// # let _ = gold;
/// ```
pub struct Snapshot<'a> {
    engine: &'a Engine,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn new(engine: &'a Engine) -> Self {
        Self { engine }
    }
}

impl fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.engine.saved.iter().map(|(name, _)| name);
        f.debug_set().entries(names).finish()
    }
}

impl Serialize for Snapshot<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = &self.engine.saved;
        let mut map = serializer.serialize_map(Some(saved.len()))?;
        for (name, cog) in saved.iter() {
            let engine = self.engine;
            map.serialize_entry(name, &Entry { engine, cog })?;
        }
        map.end()
    }
}

struct Entry<'a> {
    engine: &'a Engine,
    cog: &'a dyn SaveCog<Engine>,
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&*self.cog.view(self.engine), serializer)
    }
}
