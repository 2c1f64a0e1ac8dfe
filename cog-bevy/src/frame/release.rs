//! The last step: the turn ends.
//!
//! Takes: a turn whose reactions have run. Leaves: a closed one, and the word whether more are
//! queued. Never: raises a panic; the loop does, when the frame's turns are over.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_ecs::world::World;
use cog_arena::Step;

use crate::binding::lists::remember;
use crate::cogs::Cogs;

/// The system of [`CogSystems::Release`](crate::CogSystems::Release).
pub(super) fn release(world: &mut World) {
    let cogs = world.resource_mut::<Cogs>().into_inner();
    if cogs.arena().step() != Step::Reacted {
        // Somebody holds a step back: the loop does what is left, in order.
        return;
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| cogs.arena_mut().release()));
    let queued = match &outcome {
        Ok(queued) => *queued,
        // The turn is closed all the same, and what is queued still has its turn to come.
        Err(_) => cogs.arena().queued() > 0,
    };
    cogs.turn.again |= queued;
    remember(world, outcome.map(drop));
}
