//! The lists that the steps of a frame walk: one entry per component or resource type.
//!
//! Takes: an entry for each declared source, derived value and reaction. Leaves: each step's walk
//! over its list, so that a panic of user code in one entry doesn't stop the others.
//! Never: decides an order; entries are walked as they were declared.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_ecs::change_detection::CheckChangeTicks;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;

use crate::cogs::{Cogs, Panic, Turn};

/// Finds what was written to one type of source.
pub(crate) trait Intake: Send + Sync + 'static {
    /// Gives a row to each entity that has the source and no row yet, and names it in `fresh`.
    fn adopt(&mut self, world: &mut World, fresh: &mut Vec<Entity>);
    /// Stages what was written since the last turn.
    fn collect(&mut self, world: &mut World, fresh: &[Entity]);
    /// Forgets what it has seen: the next turn stages everything there is.
    fn start_over(&mut self);
}

/// Writes the moved values of one type of derived component or resource.
pub(crate) trait Publication: Send + Sync + 'static {
    /// Remembers who brought the component along, before anybody is given a row.
    fn notice(&mut self, world: &mut World);
    /// Writes values in place. No user code but the value's own runs.
    fn assign(&mut self, world: &mut World);
    /// Inserts and removes components; this runs hooks and observers.
    fn restructure(&mut self, world: &mut World);
    /// Compares everything at the next turn, whether it moved or not.
    fn start_over(&mut self);
    /// Keeps the ticks that it remembers from growing too old.
    fn clamp_ticks(&mut self, check: CheckChangeTicks);
}

/// A reaction: a system that runs once for each entity whose value moved.
pub(crate) trait Reacting: Send + Sync + 'static {
    /// Runs it; returns how many runs a later turn may follow from. Panics if one of them did, after the others.
    fn react(&mut self, world: &mut World) -> usize;
    /// The reaction's name, as the compiler spells its type.
    fn name(&self) -> &'static str;
    /// Keeps the system's ticks from growing too old.
    fn clamp_ticks(&mut self, check: CheckChangeTicks);
}

/// All entries, in the order in which they were declared.
#[derive(Resource, Default)]
pub(crate) struct Bindings {
    pub(crate) intakes: Vec<Box<dyn Intake>>,
    pub(crate) publications: Vec<Box<dyn Publication>>,
    /// A hole is a reaction that is running.
    pub(crate) reactions: Vec<Option<Box<dyn Reacting>>>,
}

/// Does `step` with each intake; one that panics starts over at the next turn.
pub(crate) fn each_intake(world: &mut World, mut step: impl FnMut(&mut dyn Intake, &mut World)) {
    let mut intakes = std::mem::take(&mut bindings(world).intakes);
    for intake in &mut intakes {
        let outcome = catch_unwind(AssertUnwindSafe(|| step(&mut **intake, world)));
        if outcome.is_err() {
            intake.start_over();
            remember(world, outcome);
        }
    }
    let added = std::mem::replace(&mut bindings(world).intakes, intakes);
    bindings(world).intakes.extend(added);
}

/// Does `step` with each publication; one that panics compares everything at the next turn.
pub(crate) fn each_publication(
    world: &mut World,
    mut step: impl FnMut(&mut dyn Publication, &mut World),
) {
    let mut publications = std::mem::take(&mut bindings(world).publications);
    for publication in &mut publications {
        let outcome = catch_unwind(AssertUnwindSafe(|| step(&mut **publication, world)));
        if outcome.is_err() {
            publication.start_over();
            turn(world).remember_late(outcome);
        }
    }
    let added = std::mem::replace(&mut bindings(world).publications, publications);
    bindings(world).publications.extend(added);
}

/// Does `step` with each reaction, those that are registered meanwhile included, at the tail.
pub(crate) fn each_reaction(
    world: &mut World,
    mut step: impl FnMut(&mut dyn Reacting, &mut World),
) {
    let mut next = 0;
    while next < bindings(world).reactions.len() {
        if let Some(mut reaction) = bindings(world).reactions[next].take() {
            let outcome = catch_unwind(AssertUnwindSafe(|| step(&mut *reaction, world)));
            bindings(world).reactions[next] = Some(reaction);
            if outcome.is_err() {
                turn(world).remember_late(outcome);
            }
        }
        next += 1;
    }
}

/// Keeps a panic of user code until the frame's turns are over.
pub(crate) fn remember(world: &mut World, outcome: Result<(), Panic>) {
    if outcome.is_err() {
        turn(world).remember(outcome);
    }
}

fn turn(world: &mut World) -> &mut Turn {
    &mut world.resource_mut::<Cogs>().into_inner().turn
}

fn bindings(world: &mut World) -> &mut Bindings {
    world.resource_mut::<Bindings>().into_inner()
}
