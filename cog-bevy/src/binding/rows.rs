//! The row of an entity, carried as a component, and the queue of those that came loose.
//!
//! Takes: removals, as Bevy's hook and observers tell them, whatever schedule they happen in.
//! Leaves: a queue that the next turn drains: nothing is lost, nothing is seen twice.
//! Never: touches the arena from a hook.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::DefaultQueryFilters;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::query::QueryState;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::{DeferredWorld, Mut, World};
use cog_arena::KeySlot;

use crate::cogs::Cogs;

/// The entity's place in the arena: row and generation.
///
/// The plugin puts it on every entity that has a source component, and takes the row back when it
/// goes. With it, no value is hashed on its way in or out. It can't be made or changed by others; it isn't
/// cloned with its entity, so a clone gets a row of its own. Removing it by hand only makes the
/// plugin start afresh with that entity.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, CogRow, Input};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Health(f32);
/// #[derive(Component, Clone, PartialEq)]
/// struct Threat(f32);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .add_derived(|health: Input<Health>| Threat(health.0));
/// let orc = app.world_mut().spawn(Health(1.0)).id();
/// let stone = app.world_mut().spawn_empty().id();
/// app.update();
/// assert!(app.world().entity(orc).contains::<CogRow>());
/// assert!(!app.world().entity(stone).contains::<CogRow>());
/// ```
#[derive(Clone, Copy, Component, Debug, PartialEq, Eq)]
#[component(on_remove = came_loose, clone_behavior = Ignore)]
pub struct CogRow {
    slot: KeySlot<Entity>,
}

impl CogRow {
    pub(crate) fn new(slot: KeySlot<Entity>) -> Self {
        Self { slot }
    }

    #[inline]
    pub(crate) fn slot(&self) -> KeySlot<Entity> {
        self.slot
    }
}

/// What happened to rows since the last turn.
#[derive(Resource, Default)]
pub(crate) struct RowEvents {
    /// Slots whose entity is gone, or lost its row.
    pub(crate) released: Vec<KeySlot<Entity>>,
    /// Per intake: entities that lost the component, and may have got it back since.
    pub(crate) left: Vec<Vec<Entity>>,
}

/// Queues the slot of a row that was removed, alone or with its entity.
///
/// The hook runs before the entity's index can be used again, so that a later entity with the
/// same index, even after its generations wrapped, can never meet this row.
fn came_loose(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(slot) = world.get::<CogRow>(context.entity).map(CogRow::slot) else {
        return;
    };
    // In a world that is being cleared the resource may be gone before the entity.
    if let Some(mut events) = world.get_resource_mut::<RowEvents>() {
        events.released.push(slot);
    }
}

/// Makes query states that see every entity, disabled ones included.
///
/// A disabled entity keeps its values right, and nothing is missed when it comes back. Bevy reads
/// its default filters when a query's state is made, whichever components they name.
pub(crate) fn unfiltered<T>(world: &mut World, make: impl FnOnce(&mut World) -> T) -> T {
    if world.contains_resource::<DefaultQueryFilters>() {
        world.resource_scope(|world, _: Mut<'_, DefaultQueryFilters>| make(world))
    } else {
        make(world)
    }
}

/// Takes the rows back that came loose.
///
/// # Panics
///
/// If the open turn has settled.
pub(crate) fn let_loose_rows_go(world: &mut World) {
    let mut released = std::mem::take(&mut world.resource_mut::<RowEvents>().released);
    let cogs = world.resource_mut::<Cogs>().into_inner();
    let mut writer = cogs.arena_mut().writer();
    for slot in released.drain(..) {
        writer.remove_slot(slot);
    }
    // The buffer goes back, so that a warm frame allocates nothing. No hook can have run meanwhile.
    world.resource_mut::<RowEvents>().released = released;
}

/// Takes rows off their entities that the arena doesn't know, if there may be such: they get others.
pub(crate) fn take_lost_rows_off(world: &mut World) {
    let turn = &mut world.resource_mut::<Cogs>().into_inner().turn;
    if !std::mem::take(&mut turn.has_lost_rows) {
        return;
    }
    let mut rows: QueryState<(Entity, &CogRow)> = unfiltered(world, QueryState::new);
    let arena = world.resource::<Cogs>().arena();
    let is_lost = |(entity, row): &(Entity, &CogRow)| arena.key(row.slot()) != Some(entity);
    let lost: Vec<_> = rows.iter(world).filter(is_lost).map(|(e, _)| e).collect();
    for entity in lost {
        world.entity_mut(entity).remove::<CogRow>();
    }
}
