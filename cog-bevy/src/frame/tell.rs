//! Part of the fifth step: a derived resource that moved is told of, among the reactions.
//!
//! Takes: the move that its publication noted. Leaves: it handed on, once. Never: compares values.

use bevy_ecs::change_detection::CheckChangeTicks;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;

use crate::binding::lists::Reacting;
use crate::binding::moves::ResourceMoves;
use crate::cogs::Cogs;
use crate::params::CogResourceMoved;

/// Hands each move of a derived resource to a function.
pub(crate) struct ResourceTelling<R: Resource> {
    hand_on: fn(&mut World, CogResourceMoved<R>),
    name: &'static str,
    /// It has told of nothing yet: it tells of the value that is there, once.
    is_new: bool,
    /// No turn follows from it.
    is_harmless: bool,
}

impl<R: Resource + Clone> ResourceTelling<R> {
    /// Prepares `world` for being told of, from now on.
    pub(crate) fn new(
        world: &mut World,
        hand_on: fn(&mut World, CogResourceMoved<R>),
        name: &'static str,
    ) -> Self {
        world.init_resource::<ResourceMoves<R>>();
        Self {
            hand_on,
            name,
            is_new: true,
            is_harmless: false,
        }
    }

    /// Promises that the function writes nothing that is a source, and queues nothing.
    pub(crate) fn harmless(self) -> Self {
        Self {
            is_harmless: true,
            ..self
        }
    }

    /// What is to be told.
    fn news(&mut self, world: &mut World) -> Option<CogResourceMoved<R>> {
        if !std::mem::take(&mut self.is_new) {
            let moves = world.resource::<ResourceMoves<R>>();
            let old = moves.moved.clone()?;
            let new = moves.told.clone();
            return Some(CogResourceMoved { old, new });
        }
        let cogs = world.resource::<Cogs>();
        let cog = cogs.derived_resource::<R>()?;
        let new = Some(cogs.arena().settled(cog)?.clone());
        world
            .resource_mut::<ResourceMoves<R>>()
            .told
            .clone_from(&new);
        Some(CogResourceMoved { old: None, new })
    }
}

impl<R: Resource + Clone> Reacting for ResourceTelling<R> {
    fn react(&mut self, world: &mut World) -> usize {
        let Some(news) = self.news(world) else {
            return 0;
        };
        (self.hand_on)(world, news);
        usize::from(!self.is_harmless)
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn clamp_ticks(&mut self, _: CheckChangeTicks) {}
}
