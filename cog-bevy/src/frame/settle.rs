//! The third step: the arena recomputes what the staged values really change.
//!
//! Takes: staged values. Leaves: settled ones, and the list of what moved.
//! Never: touches the world.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_ecs::world::World;
use cog_arena::Step;

use crate::binding::lists::{each_intake, remember};
use crate::cogs::Cogs;

/// The system of [`CogSystems::Settle`](crate::CogSystems::Settle).
pub(super) fn settle(world: &mut World) {
    let cogs = world.resource_mut::<Cogs>().into_inner();
    match cogs.arena().step() {
        Step::Writing => {}
        Step::Idle => {
            // Somebody abandoned the turn: what was staged is gone, and so may be rows of new entities.
            cogs.turn.has_lost_rows = true;
            return each_intake(world, |intake, _| intake.start_over());
        }
        _ => return,
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| cogs.arena_mut().settle()));
    if outcome.is_err() {
        // A source's equality panicked, and what was staged is gone: look at everything again.
        each_intake(world, |intake, _| intake.start_over());
        remember(world, outcome);
    }
}
