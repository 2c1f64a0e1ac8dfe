//! The first step: opens the turn and lets go of rows whose entity is gone.
//!
//! Takes: the oldest queued turn, if there is one, and the slots that came loose. Leaves: an open
//! turn. Never: looks at a component.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_ecs::world::World;
use cog_arena::Step;

use crate::binding::rows::RowEvents;
use crate::cogs::Cogs;

/// The system of [`CogSystems::Receive`](crate::CogSystems::Receive).
pub(super) fn receive(world: &mut World) {
    let mut released = std::mem::take(&mut world.resource_mut::<RowEvents>().released);
    let cogs = world.resource_mut::<Cogs>().into_inner();
    cogs.turn.worked |= cogs.arena().queued() > 0;
    // A queued turn whose body panics is over before it began; the frame's own turn is not.
    while cogs.arena().step() == Step::Idle {
        let outcome = catch_unwind(AssertUnwindSafe(|| cogs.arena_mut().begin()));
        cogs.turn.remember(outcome);
    }
    let mut writer = cogs.arena_mut().writer();
    for slot in released.drain(..) {
        writer.remove_slot(slot);
    }
    // The buffer goes back, so that a warm frame allocates nothing. No hook can have run meanwhile.
    world.resource_mut::<RowEvents>().released = released;
}
