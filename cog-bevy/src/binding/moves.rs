//! What moved in this turn, with the values before and after, for those who react to it.
//!
//! Takes: values, as publishing replaces them. Leaves: a list in row order, until the next turn.
//! Never: keeps anything while nobody reacts to `C`.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::observer::On;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::{DeferredWorld, World};

/// One entity's value before and after the turn.
pub(crate) struct Move<C> {
    pub(crate) entity: Entity,
    pub(crate) old: Option<C>,
    pub(crate) new: Option<C>,
}

/// The moves of one turn.
#[derive(Resource)]
pub(crate) struct Moves<C: Component> {
    /// Somebody reacts to `C`.
    pub(crate) wanted: bool,
    pub(crate) list: Vec<Move<C>>,
    /// Values that were removed since the last turn, with their component or their entity.
    lost: Vec<(Entity, C)>,
}

impl<C: Component> Default for Moves<C> {
    fn default() -> Self {
        Self {
            wanted: false,
            list: Vec::new(),
            lost: Vec::new(),
        }
    }
}

impl<C: Component + Clone> Moves<C> {
    /// Starts to remember moves of `C`. Idempotent.
    pub(crate) fn want(world: &mut World) {
        let mut moves = world.get_resource_or_init::<Self>();
        if !std::mem::replace(&mut moves.wanted, true) {
            // The last chance to see a value: a despawned entity takes it along.
            world.add_observer(|removed: On<Remove<C>>, mut world: DeferredWorld| {
                let Some(value) = world.get::<C>(removed.entity).cloned() else {
                    return;
                };
                world
                    .resource_mut::<Self>()
                    .lost
                    .push((removed.entity, value));
            });
        }
    }

    pub(crate) fn push(&mut self, entity: Entity, old: Option<C>, new: Option<&C>) {
        if self.wanted {
            self.list.push(Move {
                entity,
                old,
                new: new.cloned(),
            });
        }
    }

    /// Gives the values that went away to the moves that tell of it.
    ///
    /// A move without a value on either side never showed, and is forgotten.
    pub(crate) fn complete(&mut self) {
        if self.list.iter().any(|moved| moved.new.is_none()) {
            // Stable, and the first removal of a turn has the value that was published.
            self.lost.sort_by_key(|(entity, _)| *entity);
            for moved in self.list.iter_mut().filter(|moved| moved.new.is_none()) {
                let at = self
                    .lost
                    .partition_point(|(entity, _)| *entity < moved.entity);
                let lost = self
                    .lost
                    .get(at)
                    .filter(|(entity, _)| *entity == moved.entity);
                moved.old = lost.map(|(_, value)| value.clone());
            }
            self.list
                .retain(|moved| moved.old.is_some() || moved.new.is_some());
        }
        self.lost.clear();
    }
}
