//! The intake of a source resource.
//!
//! Takes: the resource, if it is there. Leaves: its value staged if it may have changed, or its
//! absence. Never: clones a value that is equal.

use bevy_ecs::change_detection::{DetectChanges, Res, ResMut};
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::SystemState;
use bevy_ecs::world::World;
use cog_arena::Source;

use crate::binding::lists::{Bindings, Intake};
use crate::cogs::Cogs;

/// Watches a resource by its change tick.
pub(crate) struct PolledResource<R: Resource> {
    cog: Source<R>,
    state: SystemState<(ResMut<'static, Cogs>, Option<Res<'static, R>>)>,
    /// It was there at the last look.
    is_there: bool,
    /// What was seen is forgotten: stage the value whatever its tick says.
    starts_over: bool,
}

impl<R: Resource + Clone> PolledResource<R> {
    /// Adds the intake of `cog` to the frame.
    pub(crate) fn install(world: &mut World, cog: Source<R>) {
        let state = SystemState::new(world);
        let intake = Self {
            cog,
            state,
            is_there: false,
            starts_over: false,
        };
        world
            .resource_mut::<Bindings>()
            .intakes
            .push(Box::new(intake));
    }
}

impl<R: Resource + Clone> Intake for PolledResource<R> {
    fn adopt(&mut self, _: &mut World, _: &mut Vec<Entity>) {}

    fn collect(&mut self, world: &mut World, _: &[Entity]) {
        let (cogs, value) = self
            .state
            .get_mut(world)
            .expect("the plugin's resource is there");
        let cogs = cogs.into_inner();
        let starts_over = std::mem::take(&mut self.starts_over);
        let was_there = std::mem::replace(&mut self.is_there, value.is_some());
        match value {
            Some(value) if value.is_changed() || !was_there || starts_over => {
                cogs.arena_mut().writer().set_ref(self.cog, &*value);
            }
            None if was_there || starts_over => {
                cogs.arena_mut().writer().clear(self.cog);
            }
            _ => {}
        }
    }

    fn start_over(&mut self) {
        self.starts_over = true;
    }
}
