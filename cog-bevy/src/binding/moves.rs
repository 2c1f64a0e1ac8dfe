//! What moved in this turn, and what those who react to it were told before.
//!
//! Takes: values, as they are published. Leaves: a list in row order, until the next turn.
//! Never: asks the world what a value was; others may have written there, or despawned its entity.

use bevy_ecs::component::Component;
use bevy_ecs::entity::{Entity, EntityHashMap};
use bevy_ecs::resource::Resource;

/// One entity's value before the turn. What it is now, [`Moves::told`] says.
pub(crate) struct Move<C> {
    pub(crate) entity: Entity,
    pub(crate) old: Option<C>,
}

/// The moves of one turn.
#[derive(Resource)]
pub(crate) struct Moves<C: Component> {
    /// What reactions know of each entity; nothing at all before the first of them has run. Iterated only where the
    /// order is put right afterwards.
    pub(crate) told: Option<EntityHashMap<C>>,
    pub(crate) list: Vec<Move<C>>,
}

impl<C: Component> Default for Moves<C> {
    fn default() -> Self {
        Self {
            told: None,
            list: Vec::new(),
        }
    }
}

impl<C: Component + Clone + PartialEq> Moves<C> {
    /// Tells of an entity's value, unless it is what was told before. User code runs before anything is changed.
    pub(crate) fn tell(&mut self, entity: Entity, new: Option<&C>) {
        let Some(told) = &mut self.told else {
            return;
        };
        let old = match new {
            Some(new) if told.get(&entity) == Some(new) => return,
            Some(new) => told.insert(entity, new.clone()),
            None => match told.remove(&entity) {
                None => return,
                old => old,
            },
        };
        self.list.push(Move { entity, old });
    }

    /// Tells that those for whom `is_gone` have no value any more.
    pub(crate) fn tell_gone(&mut self, is_gone: impl Fn(Entity) -> bool) {
        let told = self.told.iter().flat_map(EntityHashMap::keys).copied();
        let mut gone: Vec<_> = told.filter(|entity| is_gone(*entity)).collect();
        gone.sort_unstable();
        for entity in gone {
            self.tell(entity, None);
        }
    }
}

/// What a derived resource did in a turn, and what those who are told of it know. There once somebody is to be told.
#[derive(Resource)]
pub(crate) struct ResourceMoves<R: Resource> {
    pub(crate) told: Option<R>,
    /// In this turn it moved, from this.
    pub(crate) moved: Option<Option<R>>,
}

impl<R: Resource> Default for ResourceMoves<R> {
    fn default() -> Self {
        Self {
            told: None,
            moved: None,
        }
    }
}

impl<R: Resource + PartialEq> ResourceMoves<R> {
    /// Tells of the value, unless it is what was told before. User code runs before anything is changed.
    pub(crate) fn tell(&mut self, new: Option<R>) {
        if self.told != new {
            self.moved = Some(std::mem::replace(&mut self.told, new));
        }
    }
}
