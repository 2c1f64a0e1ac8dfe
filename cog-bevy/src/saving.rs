//! Snapshots of the arena's own cogs, whose keys and values may be entities.
//!
//! Takes: what a format reads, and a map of entities. Leaves: the arena's saved cogs as they were. Never: saves or
//! restores a component or a resource; Bevy does.

use std::any::{Any, TypeId};
use std::convert::Infallible;

use bevy_ecs::entity::{Entity, EntityMapper, MapEntities};
use cog_arena::{LoadedSnapshot, RestoreError, Snapshot};
use serde::Deserializer;

use crate::cogs::Cogs;

/// Snapshots. Feature `serialize`.
impl Cogs {
    /// What the cogs hold that you declared in [`arena_mut`](Self::arena_mut) with
    /// [`saved`](cog_arena::Declare::saved), for any serializer of serde's.
    ///
    /// Components and resources are not in it.
    ///
    /// # Cost
    ///
    /// Nothing, before it is serialized: see [`Snapshot`].
    ///
    /// # Examples
    ///
    /// ```
    /// use bevy_app::App;
    /// use cog_bevy::{CogPlugin, Cogs};
    ///
    /// let mut app = App::new();
    /// app.add_plugins(CogPlugin::default());
    /// let mut cogs = app.world_mut().resource_mut::<Cogs>();
    /// let gold = cogs.arena_mut().cog().name("gold").saved().source(10);
    /// assert_eq!(serde_json::to_string(&cogs.snapshot()).unwrap(), r#"{"gold":10}"#);
    /// # let _ = gold;
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<'_> {
        self.arena().snapshot()
    }

    /// Reads a snapshot and restores it in one turn of the arena's, with its entities mapped: keys that are entities, and
    /// values that are an entity, an option of one or a `Vec` of them, and what
    /// [`map_entities_in`](Self::map_entities_in) was told of.
    ///
    /// Entities of a saved game are other ones when it is loaded. Restore the world first: that leaves a map, as a rule an
    /// `EntityHashMap<Entity>`, and that is the `mapper`. Where they are the same ones, give it `&mut ()`.
    ///
    /// # Cost
    ///
    /// See [`Arena::restore`](cog_arena::Arena::restore).
    ///
    /// # Errors
    ///
    /// See [`Arena::restore`](cog_arena::Arena::restore), and if two keys are mapped to the same entity. The cogs are
    /// unchanged then; what the mapper was asked for, it may have noted.
    ///
    /// # Panics
    ///
    /// As [`Arena::turn`](cog_arena::Arena::turn): inside a frame's turn, that is in a system of
    /// [`CogFrame`](crate::CogFrame). Read it with [`read_snapshot`](Self::read_snapshot) there, and let
    /// [`CogWriter::turn`](crate::CogWriter::turn) restore it.
    ///
    /// # Examples
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::*;
    /// use bevy_ecs::entity::EntityHashMap;
    /// use cog_bevy::{CogPlugin, Cogs};
    ///
    /// let mut app = App::new();
    /// app.add_plugins(CogPlugin::default());
    /// let orc = app.world_mut().spawn_empty().id();
    /// let mut cogs = app.world_mut().resource_mut::<Cogs>();
    /// let grudges = cogs.arena_mut().key_space::<Entity>();
    /// let grudge = cogs.arena_mut().cog().name("grudge").saved().member_family::<_, u32>(grudges);
    /// cogs.arena_mut().turn(|w| w.set(grudge.at(orc), 7));
    /// let file = serde_json::to_string(&cogs.snapshot()).unwrap();
    ///
    /// // Loaded, the orc is another entity.
    /// let loaded = app.world_mut().spawn_empty().id();
    /// let mut mapper = EntityHashMap::from_iter([(orc, loaded)]);
    /// let mut cogs = app.world_mut().resource_mut::<Cogs>();
    /// cogs.restore(&mut serde_json::Deserializer::from_str(&file), &mut mapper).unwrap();
    /// assert_eq!(cogs.arena_mut().lookup(grudge.at(loaded)), Some(&7));
    /// assert_eq!(cogs.arena_mut().lookup(grudge.at(orc)), None);
    /// ```
    #[track_caller]
    pub fn restore<'de, D: Deserializer<'de>>(
        &mut self,
        deserializer: D,
        mapper: &mut dyn EntityMapper,
    ) -> Result<(), RestoreError> {
        let snapshot = self.read_snapshot(deserializer, mapper)?;
        self.arena_mut()
            .turn_named("restore", |w| w.restore(snapshot));
        Ok(())
    }

    /// Reads a snapshot, maps its entities, and changes nothing: it waits for
    /// [`Writer::restore`](cog_arena::Writer::restore).
    ///
    /// # Errors
    ///
    /// As [`restore`](Self::restore).
    ///
    /// # Examples
    ///
    /// ```
    /// # use bevy_app::App;
    /// # use cog_bevy::{CogPlugin, Cogs};
    /// # let mut app = App::new();
    /// # app.add_plugins(CogPlugin::default());
    /// let mut cogs = app.world_mut().resource_mut::<Cogs>();
    /// let gold = cogs.arena_mut().cog().name("gold").saved().source(10);
    /// let mut file = serde_json::Deserializer::from_str(r#"{ "gold": 3 }"#);
    /// let snapshot = cogs.read_snapshot(&mut file, &mut ()).unwrap();
    /// file.end().expect("nothing comes after it");
    /// cogs.arena_mut().turn(|w| w.restore(snapshot));
    /// assert_eq!(*cogs.arena_mut().read(gold), 3);
    /// ```
    pub fn read_snapshot<'de, D: Deserializer<'de>>(
        &self,
        deserializer: D,
        mapper: &mut dyn EntityMapper,
    ) -> Result<LoadedSnapshot, RestoreError> {
        self.arena().read_snapshot(deserializer)?.map(|part| {
            let mapped = self.mapped.get(&(*part).type_id());
            match mapped {
                Some(map) => map(part, mapper),
                None => map_usual(part, mapper),
            }
            Ok::<(), Infallible>(())
        })
    }

    /// Lets [`restore`](Self::restore) map the entities in keys and values of type `T`, as `MapEntities` says.
    ///
    /// Say it where you declare a saved cog of such a type: one that nobody told of is restored as it was written.
    ///
    /// # Examples
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::entity::MapEntities;
    /// use bevy_ecs::prelude::*;
    /// use cog_bevy::{CogPlugin, Cogs};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Clone, PartialEq, MapEntities, Serialize, Deserialize)]
    /// struct Duel {
    ///     #[entities]
    ///     first: Entity,
    ///     #[entities]
    ///     second: Entity,
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins(CogPlugin::default());
    /// let mut cogs = app.world_mut().resource_mut::<Cogs>();
    /// cogs.map_entities_in::<Duel>();
    /// let duel = cogs.arena_mut().cog().name("duel").saved().absent_source::<Duel>();
    /// # let _ = duel;
    /// ```
    pub fn map_entities_in<T: MapEntities + 'static>(&mut self) {
        self.mapped.insert(TypeId::of::<T>(), |part, mapper| {
            map_as::<T>(part, mapper);
        });
    }
}

/// Maps what Bevy itself has for an entity, or several.
fn map_usual(part: &mut dyn Any, mapper: &mut dyn EntityMapper) {
    let _ = map_as::<Entity>(part, mapper)
        || map_as::<Option<Entity>>(part, mapper)
        || map_as::<Vec<Entity>>(part, mapper);
}

/// Whether the part is a `T`; then its entities are mapped.
fn map_as<T: MapEntities + 'static>(part: &mut dyn Any, mut mapper: &mut dyn EntityMapper) -> bool {
    match part.downcast_mut::<T>() {
        Some(part) => {
            part.map_entities(&mut mapper);
            true
        }
        None => false,
    }
}
