//! What happens in a frame, in this order, and how often.
//!
//! ```text
//! receive ─▶ collect ─▶ settle ─▶ publish ─▶ react ─▶ release
//!    ▲                                                   │
//!    └──────── while turns are queued or reacted ────────┘
//! ```
//!
//! Takes: the world as the systems left it. Leaves: every derived value right, and a closed turn,
//! whatever panicked. Never: does a step's work itself.

mod receive;
mod collect;
mod settle;
mod publish;
mod react;
mod tell;
mod release;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use bevy_ecs::change_detection::{CheckChangeTicks, Res};
use bevy_ecs::observer::On;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{
    IntoScheduleConfigs, LogLevel, Schedule, ScheduleBuildSettings, Schedules,
    SingleThreadedExecutor,
};
use bevy_ecs::system::ResMut;
use bevy_ecs::world::World;
use cog_arena::Step;

use crate::binding::declared::Declarations;
use crate::binding::lists::{Bindings, each_publication};
use crate::binding::rows::RowEvents;
use crate::cogs::{Cogs, Turn};
use crate::sets::{CogFrame, CogSystems, OwnStep, OwnStepsFirst, chained};

pub(crate) use collect::{Polled, PolledResource};
pub(crate) use publish::{Published, PublishedResource};
pub(crate) use react::Reaction;
pub(crate) use tell::ResourceTelling;

/// A chain of more turns than this in one frame is reported.
const LONG_CHAIN: u32 = 64;

/// The most turns of one frame; past it, the frame ends with an error.
#[derive(Resource)]
struct TurnsMax(u32);

/// Prepares `world`: its cogs, the lists of the steps, and the schedule of one turn.
pub(crate) fn install(world: &mut World, turns_max: u32) {
    world.insert_resource(Cogs::new(turns_max));
    world.insert_resource(TurnsMax(turns_max));
    world.init_resource::<Bindings>();
    world.init_resource::<Declarations>();
    world.init_resource::<RowEvents>();
    world.get_resource_or_init::<Schedules>().insert(schedule());
    // Reactions live in no schedule, so Bevy doesn't reach them when ticks grow old; nor ticks that are kept elsewhere.
    world.add_observer(
        |check: On<CheckChangeTicks>, bindings: Option<ResMut<Bindings>>| {
            let Some(mut bindings) = bindings else { return };
            for reaction in bindings.reactions.iter_mut().flatten() {
                reaction.clamp_ticks(*check);
            }
            for publication in &mut bindings.publications {
                publication.clamp_ticks(*check);
            }
        },
    );
}

/// The schedule of one turn.
fn schedule() -> Schedule {
    let mut schedule = Schedule::new(CogFrame);
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule.set_build_settings(ScheduleBuildSettings {
        ambiguity_detection: LogLevel::Error,
        ..ScheduleBuildSettings::default()
    });
    schedule.add_build_pass(OwnStepsFirst::default());
    schedule.configure_sets(chained());
    schedule.configure_sets(
        (
            CogSystems::Settle,
            CogSystems::Publish,
            CogSystems::React,
            CogSystems::Release,
        )
            .run_if(has_work),
    );
    schedule.add_systems((
        receive::receive.in_set(OwnStep(CogSystems::Receive)),
        collect::collect.in_set(OwnStep(CogSystems::Collect)),
        settle::settle.in_set(OwnStep(CogSystems::Settle)),
        publish::publish.in_set(OwnStep(CogSystems::Publish)),
        react::react.in_set(OwnStep(CogSystems::React)),
        release::release.in_set(OwnStep(CogSystems::Release)),
    ));
    for step in CogSystems::ORDER {
        schedule.configure_sets(OwnStep(step).in_set(step));
    }
    schedule
}

/// The first pass of a frame always runs in full; a later one only if there is something to do.
fn has_work(cogs: Res<'_, Cogs>) -> bool {
    cogs.turn.worked
}

/// Runs turns until none is queued and no reaction has run since the last look at the sources.
///
/// Asked for from inside one of its own turns, it queues one more.
///
/// # Panics
///
/// With the first panic of user code, once everything is whole again; if the turns don't come to
/// an end; if a declaration was wrong.
pub(crate) fn run_turns(world: &mut World) {
    world.flush();
    if !world.contains_resource::<Cogs>() {
        return; // a world that was cleared has nothing to settle
    }
    let turn = turn_of(world);
    if turn.looping {
        turn.again = true;
        return;
    }
    turn.looping = true;
    turn.worked = true;
    let cogs = world.resource_mut::<Cogs>().into_inner();
    cogs.begin_counting();
    if cogs.has_missed_a_recovery() {
        each_publication(world, |publication, _| publication.start_over());
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        close(world); // one that somebody opened by hand
        run_passes(world);
    }));
    let cogs = world.resource_mut::<Cogs>().into_inner();
    cogs.end_counting();
    let turn = &mut cogs.turn;
    turn.looping = false;
    turn.causes.clear();
    turn.remember(outcome);
    let panic = turn.take_panic();
    cogs.note_failure(panic.is_some());
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}

/// One pass after the other, while there is reason for another.
///
/// # Panics
///
/// If the turns don't come to an end.
fn run_passes(world: &mut World) {
    let turns_max = world.resource::<TurnsMax>().0;
    let mut turns = 0;
    let mut is_first = true;
    let mut was_idle = false;
    loop {
        turn_of(world).again = false;
        let has_guests = run_pass(world);
        let cogs = world.resource_mut::<Cogs>().into_inner();
        let is_queued = cogs.arena().queued() > 0;
        let turn = &mut cogs.turn;
        // The last pass may find nothing to do, and is no turn.
        let has_worked = std::mem::take(&mut turn.worked);
        turns += u32::from(has_worked);
        // Systems of others in the sets may have written anything. Once more is enough for those that come to rest.
        let looks_again = has_guests && std::mem::take(&mut is_first);
        // A pass that found nothing may still be asked for one more; two in a row end the frame, whoever asks.
        let again = std::mem::take(&mut turn.again) && (has_worked || !was_idle);
        was_idle = !has_worked;
        if !(again || is_queued || looks_again) {
            return;
        }
        if turns == LONG_CHAIN + 1 {
            log::warn!(
                "more than {LONG_CHAIN} turns in one frame; the latest were caused by {:?}",
                turn.causes
            );
        }
        assert!(
            turns <= turns_max,
            "the cogs did not come to rest after {turns_max} turns in one frame; the latest were \
             caused by {:?}: a reaction that writes what it reacts to must come to an end",
            turn.causes
        );
    }
}

/// One run of the schedule; whether systems of others are in it. Whatever panics in it, the schedule is kept and the turn
/// closed.
fn run_pass(world: &mut World) -> bool {
    let mut has_guests = false;
    let outcome = world.schedule_scope(CogFrame, |world, schedule| {
        let outcome = catch_unwind(AssertUnwindSafe(|| schedule.run(world)));
        if outcome.is_err() {
            // An executor that was unwound believes that half of its systems have already run.
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        has_guests = schedule.systems_len() > CogSystems::ORDER.len();
        outcome
    });
    turn_of(world).remember(outcome);
    close(world);
    has_guests
}

/// Does the steps that a panic, or the lack of work, left undone.
fn close(world: &mut World) {
    loop {
        match world.resource::<Cogs>().arena().step() {
            Step::Writing => settle::settle(world),
            Step::Settled => publish::publish(world),
            Step::Published => react::react(world),
            Step::Reacted => release::release(world),
            Step::Idle => return,
        }
    }
}

fn turn_of(world: &mut World) -> &mut Turn {
    &mut world.resource_mut::<Cogs>().into_inner().turn
}
