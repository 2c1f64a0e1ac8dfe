//! The second step: finds the sources that were written, and stages their values.
//!
//! Takes: components and resources, and who came or went. Leaves: staged values; entities with a
//! source have a row. Never: counts a mutable access that left the value equal as a change.

mod component;
mod resource;

use bevy_ecs::world::World;
use cog_arena::Step;

use crate::binding::lists::{each_intake, each_publication};
use crate::binding::rows::{let_loose_rows_go, take_lost_rows_off};
use crate::cogs::Cogs;

pub(crate) use component::Polled;
pub(crate) use resource::PolledResource;

/// The system of [`CogSystems::Collect`](crate::CogSystems::Collect).
pub(super) fn collect(world: &mut World) {
    if world.resource::<Cogs>().arena().step() != Step::Writing {
        // A system in the set before settled the turn by hand: what was written waits for the next.
        return;
    }
    take_lost_rows_off(world);
    // A system in the set before may have taken a row off; its entity gets another one now.
    let_loose_rows_go(world);
    each_publication(world, |publication, world| publication.notice(world));
    let mut fresh = Vec::new();
    each_intake(world, |intake, world| intake.adopt(world, &mut fresh));
    each_intake(world, |intake, world| intake.collect(world, &fresh));
    let cogs = world.resource_mut::<Cogs>().into_inner();
    cogs.turn.worked |= cogs.arena().has_staged();
}
