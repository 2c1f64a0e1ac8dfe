//! The fifth step: reactions, in registration order, on settled and published values.
//!
//! Takes: what moved, with the values before and after. Leaves: whatever the reactions did; it
//! becomes a later turn of the same frame. Never: tells a reaction of a value that came out equal.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use bevy_ecs::change_detection::{CheckChangeTicks, Res, ResMut};
use bevy_ecs::component::Component;
use bevy_ecs::entity::{Entity, EntityHashMap};
use bevy_ecs::error::ErrorContext;
use bevy_ecs::query::With;
use bevy_ecs::system::{IntoSystem, Query, RunSystemError, System, SystemState};
use bevy_ecs::world::World;
use cog_arena::Step;

use crate::binding::lists::{Reacting, each_reaction};
use crate::binding::moves::{Move, Moves};
use crate::binding::rows::{CogRow, unfiltered};
use crate::cogs::{Cogs, Panic};
use crate::params::Moved;

/// How many causes the warning about a long chain names, the latest first.
const CAUSES_MAX: usize = 8;

/// The system of [`CogSystems::React`](crate::CogSystems::React).
pub(super) fn react(world: &mut World) {
    let cogs = world.resource_mut::<Cogs>().into_inner();
    if cogs.arena().step() == Step::Published {
        cogs.arena_mut().run_reactions();
    }
    if !std::mem::take(&mut cogs.turn.has_news) {
        return;
    }
    each_reaction(world, |reaction, world| {
        let runs = reaction.react(world);
        if runs > 0 {
            // What it wrote is a later turn; only a look at the sources tells whether it did.
            let turn = &mut world.resource_mut::<Cogs>().into_inner().turn;
            turn.again = true;
            turn.causes.retain(|cause| *cause != reaction.name());
            turn.causes.insert(0, reaction.name());
            turn.causes.truncate(CAUSES_MAX);
        }
    });
}

/// A system that runs for each entity whose `C` moved.
pub(crate) struct Reaction<C: Component, S> {
    system: S,
    name: &'static str,
    /// It has not run yet: it is told of every value that is there, once.
    is_new: bool,
    /// It touches nothing that a turn could look for.
    is_harmless: bool,
    present: SystemState<Present<C>>,
}

/// The rows that show a `C`.
type Present<C> = (
    Res<'static, Cogs>,
    ResMut<'static, Moves<C>>,
    Query<'static, 'static, (Entity, &'static CogRow), With<C>>,
);

/// What [`Moves`] knows.
type Told<C> = Option<EntityHashMap<C>>;

impl<C: Component + Clone, S: System<In = Moved<'static, C>, Out = ()>> Reaction<C, S> {
    /// Prepares `system` to run in `world`.
    pub(crate) fn new<M>(
        world: &mut World,
        system: impl IntoSystem<Moved<'static, C>, (), M, System = S>,
        name: &'static str,
    ) -> Self {
        world.init_resource::<Moves<C>>();
        let mut system = IntoSystem::into_system(system);
        system.initialize(world);
        let present = unfiltered(world, SystemState::new);
        Self {
            system,
            name,
            is_new: true,
            is_harmless: false,
            present,
        }
    }

    /// Promises that the system writes nothing that is a source, and queues nothing: no turn follows from its runs.
    pub(crate) fn harmless(self) -> Self {
        Self {
            is_harmless: true,
            ..self
        }
    }

    /// Every value that is there, as if it had just come. From now on, moves are told. Nothing if `C` is not declared yet.
    ///
    /// # Panics
    ///
    /// If the plugin's own resources are gone.
    fn all(&mut self, world: &mut World) -> Option<Vec<Move<C>>> {
        let (cogs, mut moves, rows) = self
            .present
            .get_mut(world)
            .expect("the plugin's resources are there");
        let family = cogs.derived::<C>()?;
        let settled = |row: &CogRow| cogs.arena().settled(family.at_slot(row.slot()));
        if moves.told.is_none() {
            let told = rows
                .iter()
                .filter_map(|(entity, row)| Some((entity, settled(row)?.clone())));
            moves.told = Some(told.collect());
        }
        let there = rows.iter().filter(|(_, row)| settled(row).is_some());
        let come = |(entity, _)| Move { entity, old: None };
        Some(there.map(come).collect())
    }

    fn run_one(&mut self, world: &mut World, moved: Moved<'_, C>) {
        if let Err(RunSystemError::Failed(error)) = self.system.run(moved, world) {
            let context = ErrorContext::System {
                name: self.system.name(),
                last_run: self.system.get_last_run(),
            };
            world.fallback_error_handler()(error, context);
        }
    }

    /// Runs the system for each of `moves`. A panic of one doesn't keep the others from running.
    fn run(
        &mut self,
        world: &mut World,
        moves: &[Move<C>],
        told: &Told<C>,
    ) -> (usize, Result<(), Panic>) {
        let mut runs = 0;
        let mut first = Ok(());
        for Move { entity, old } in moves {
            let new = told.as_ref().and_then(|told| told.get(entity));
            // Commands of an earlier run may have despawned it: then there is nothing to tell.
            if new.is_some() && !world.entities().contains(*entity) {
                continue;
            }
            let moved = Moved {
                entity: *entity,
                old: old.as_ref(),
                new,
            };
            // Bevy's own error handler panics.
            first = first.and(catch_unwind(AssertUnwindSafe(|| {
                self.run_one(world, moved);
            })));
            runs += 1;
        }
        (runs, first)
    }
}

impl<C: Component + Clone, S: System<In = Moved<'static, C>, Out = ()>> Reacting
    for Reaction<C, S>
{
    fn react(&mut self, world: &mut World) -> usize {
        let all = if self.is_new { self.all(world) } else { None };
        self.is_new &= all.is_none();
        // Others may react to `C` too; the next publication empties the list.
        let moves = std::mem::take(&mut *world.resource_mut::<Moves<C>>());
        let (runs, outcome) = self.run(world, all.as_ref().unwrap_or(&moves.list), &moves.told);
        *world.resource_mut::<Moves<C>>() = moves;
        if let Err(panic) = outcome {
            resume_unwind(panic);
        }
        if self.is_harmless { 0 } else { runs }
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn clamp_ticks(&mut self, check: CheckChangeTicks) {
        self.system.check_change_tick(check);
    }
}
