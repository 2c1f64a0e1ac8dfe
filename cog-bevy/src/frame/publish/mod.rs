//! The fourth step: writes exactly the values that moved.
//!
//! Takes: settled values and the list of what moved. Leaves: components and resources that agree
//! with them, with change ticks that tell the truth. Never: shows a half of it to anybody's code;
//! all values are in place before the first hook or observer of an insertion runs.

mod place;
#[cfg(debug_assertions)]
mod guard;
mod table;
mod component;
mod resource;

use bevy_ecs::world::World;
use cog_arena::Step;

use crate::binding::lists::each_publication;
use crate::cogs::Cogs;

pub(crate) use component::Published;
pub(crate) use resource::PublishedResource;

/// The system of [`CogSystems::Publish`](crate::CogSystems::Publish).
pub(super) fn publish(world: &mut World) {
    let cogs = world.resource_mut::<Cogs>().into_inner();
    if matches!(cogs.arena().step(), Step::Idle | Step::Writing) {
        // An equality panicked while the turn was committed, or somebody holds a step back.
        return;
    }
    cogs.turn.has_news = true;
    each_publication(world, |publication, world| publication.assign(world));
    each_publication(world, |publication, world| publication.restructure(world));
    // Whoever reads a feed of the arena is told of what the world shows already.
    let cogs = world.resource_mut::<Cogs>().into_inner();
    if cogs.arena().step() == Step::Settled {
        cogs.arena_mut().publish();
    }
}
