//! In debug builds: notices that somebody else wrote to a derived component, and undoes it.
//!
//! Takes: change ticks that are newer than the last publication. Leaves: the right value, and a
//! warning that says where the wrong one came from, if Bevy tracks it. Never: in release builds;
//! there the next value that moves overwrites the wrong one.

use std::marker::PhantomData;

use bevy_ecs::change_detection::{DetectChanges, MaybeLocation, Mut, Res, ResMut};
use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::observer::On;
use bevy_ecs::query::{Changed, SpawnDetails, Without};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, SystemState};
use bevy_ecs::world::World;
use cog_arena::DerivedFamily;

use crate::binding::rows::{CogRow, unfiltered};
use crate::cogs::Cogs;
use crate::frame::publish::place::Place;

/// Watches one derived component.
pub(crate) struct Guard<C: Component<Mutability = Mutable>> {
    state: SystemState<Touched<C>>,
    /// Whom the last publication gives the component, by entity.
    arrivals: Vec<Entity>,
}

/// What one look borrows.
type Touched<C> = (
    Res<'static, Cogs>,
    ResMut<'static, Taken<C>>,
    Query<'static, 'static, Written<C>, Changed<C>>,
    Query<'static, 'static, &'static CogRow, Without<C>>,
);

/// A component that was written, and who has it since when.
type Written<C> = (
    Entity,
    SpawnDetails,
    Option<&'static CogRow>,
    Mut<'static, C>,
);

/// Entities from which the component was removed since the last publication, and where.
#[derive(Resource)]
struct Taken<C: Component> {
    entities: Vec<(Entity, MaybeLocation)>,
    of: PhantomData<fn() -> C>,
}

impl<C: Component<Mutability = Mutable> + Clone + PartialEq> Guard<C> {
    pub(crate) fn new(world: &mut World) -> Self {
        world.insert_resource(Taken::<C> {
            entities: Vec::new(),
            of: PhantomData,
        });
        world.add_observer(|removed: On<Remove<C>>, taken: Option<ResMut<Taken<C>>>| {
            if let Some(mut taken) = taken {
                taken.entities.push((removed.entity, removed.caller()));
            }
        });
        Self {
            state: unfiltered(world, SystemState::new),
            arrivals: Vec::new(),
        }
    }

    /// Everything written until now was written by us. What follows is not, but for the first values of `arrivals`;
    /// their observers may write to them at once.
    ///
    /// # Panics
    ///
    /// If the plugin's own resources are gone.
    pub(crate) fn trust(&mut self, world: &mut World, arrivals: impl Iterator<Item = Entity>) {
        self.arrivals.clear();
        self.arrivals.extend(arrivals);
        self.arrivals.sort_unstable();
        // Fetching is what sets the tick that the next look is compared with.
        let (_, mut taken, ..) = self
            .state
            .get_mut(world)
            .expect("the plugin's resources are there");
        taken.entities.clear();
    }

    /// Puts right what others wrote since the last publication, and names what must come or go.
    ///
    /// A component that comes with its entity, by `#[require]`, in a spawned bundle or by cloning, is
    /// welcome: its first value overwrites it without a word, or publishing takes it away if there is
    /// none.
    ///
    /// # Panics
    ///
    /// If the plugin's own resources are gone.
    pub(crate) fn restore(
        &mut self,
        world: &mut World,
        family: DerivedFamily<Entity, C>,
    ) -> Repair<C> {
        let (cogs, mut taken, mut touched, bare) = self
            .state
            .get_mut(world)
            .expect("the plugin's resources are there");
        let (arena, moved) = (cogs.arena(), cogs.arena().moved(family));
        let mut repair = Repair {
            arrivals: Vec::new(),
            departures: Vec::new(),
        };
        for (entity, spawned, row, mut value) in &mut touched {
            let slot = row.map(CogRow::slot);
            let right = slot.and_then(|slot| arena.settled(family.at_slot(slot)));
            let will_be_written = slot.is_some_and(|slot| moved.get(slot).is_some());
            let will_go = right.is_none() && spawned.is_spawned();
            if (will_be_written || will_go) && value.is_added() {
                continue;
            }
            let has_come = self.arrivals.binary_search(&entity).is_ok();
            if has_come && right.is_some_and(|right| *value == *right) {
                continue;
            }
            warn::<C>(entity, "written", Place(value.changed_by()));
            match right {
                Some(right) if *value != *right => *value = right.clone(),
                None if !will_be_written => repair.departures.push(entity),
                _ => {}
            }
        }
        // One from which it was removed several times is missing it once.
        taken.entities.sort_by_key(|(entity, _)| *entity);
        taken.entities.dedup_by_key(|(entity, _)| *entity);
        for (entity, place) in &taken.entities {
            let Ok(row) = bare.get(*entity) else { continue };
            let right = arena.settled(family.at_slot(row.slot()));
            if let Some(right) = right.filter(|_| moved.get(row.slot()).is_none()) {
                warn::<C>(*entity, "removed", Place(*place));
                repair.arrivals.push((*entity, right.clone()));
            }
        }
        repair
    }
}

/// Components that must come or go to undo what others did.
pub(crate) struct Repair<C> {
    pub(crate) arrivals: Vec<(Entity, C)>,
    pub(crate) departures: Vec<Entity>,
}

fn warn<C>(entity: Entity, done: &str, place: Place) {
    log::warn!(
        "`{name}` of {entity} was {done} {place}, but it is derived: the value is put right. Write \
         to what it is derived from, or give the component another name",
        name = std::any::type_name::<C>(),
    );
}
