//! The first step: opens the turn, lets go of rows whose entity is gone, and takes in what was declared.
//!
//! Takes: the oldest queued turn, if there is one, the slots that came loose, and new declarations. Leaves: an open
//! turn. Never: looks at a component.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_ecs::world::World;
use cog_arena::Step;

use crate::binding::declared::declare_pending;
use crate::binding::rows::let_loose_rows_go;
use crate::cogs::Cogs;

/// The system of [`CogSystems::Receive`](crate::CogSystems::Receive).
pub(super) fn receive(world: &mut World) {
    let cogs = world.resource_mut::<Cogs>().into_inner();
    cogs.turn.worked |= cogs.arena().queued() > 0;
    // A queued turn whose body panics is over before it began; the frame's own turn is not.
    while cogs.arena().step() == Step::Idle {
        let outcome = catch_unwind(AssertUnwindSafe(|| cogs.arena_mut().begin()));
        cogs.turn.remember(outcome);
    }
    let_loose_rows_go(world);
    let outcome = catch_unwind(AssertUnwindSafe(|| declare_pending(world)));
    let turn = &mut world.resource_mut::<Cogs>().into_inner().turn;
    match outcome {
        Ok(has_declared) => turn.worked |= has_declared,
        Err(panic) => turn.remember(Err(panic)),
    }
}
