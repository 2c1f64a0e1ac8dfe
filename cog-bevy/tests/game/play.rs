//! Plays a game in an app, under either executor.
//!
//! Takes: frames. Leaves: what each showed, checked. Never: depends on a clock, or on which thread
//! was first.

use bevy_app::{App, First, Last, PostUpdate, PreUpdate, Update};
use bevy_ecs::component::Mutable;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{
    InternedScheduleLabel, IntoScheduleConfigs, MultiThreadedExecutor, ScheduleLabel,
    SingleThreadedExecutor,
};
use bevy_ecs::system::{Commands, Query, Res, ResMut, ScheduleSystem};
use bevy_ecs::world::World;
use cog_bevy::{CogAppExt, CogFrame, CogLoop, CogPlugin, CogSystems, Moved};

use super::acts::{Act, Cast, Frame, STEPS, Spoiled, When, perform};
use super::cast::{Alarm, Armor, Badge, Blood, Health, Mood, Source, Threat, declare};
use super::check::{Seen, Shadow, Told, check_frame};

/// How an app runs its systems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Executor {
    Single,
    Multi,
}

/// What happens in the frame.
#[derive(Resource, Default)]
struct Script(Frame);

/// The sets in whose first run of this frame something is to happen.
#[derive(Resource, Default)]
struct ToCome(Vec<CogSystems>);

/// What the frame showed.
#[derive(Resource)]
struct Latest(Option<Seen>);

/// Plays `frames` and gives what each showed. With `writes`, a reaction writes a source.
///
/// # Panics
///
/// If anything that was shown is wrong.
pub(crate) fn play(frames: &[Frame], executor: Executor, writes: bool) -> Vec<Seen> {
    let mut app = app(executor, writes);
    let mut show = |frame: &Frame| {
        perform_all(app.world_mut(), frame, When::Before);
        app.world_mut().resource_mut::<Script>().0.clone_from(frame);
        app.world_mut().resource_mut::<ToCome>().0 = STEPS.to_vec();
        app.update();
        let seen = app.world_mut().resource_mut::<Latest>().0.take();
        seen.expect("each frame is looked at")
    };
    let mut all: Vec<_> = frames.iter().map(&mut show).collect();
    // What was written late shows in a frame of its own.
    all.push(show(&Vec::new()));
    all
}

fn app(executor: Executor, writes: bool) -> App {
    let mut app = App::new();
    app.add_plugins(CogPlugin::default())
        .init_resource::<Cast>()
        .init_resource::<Spoiled>()
        .init_resource::<Shadow>()
        .init_resource::<Told>()
        .init_resource::<Script>()
        .init_resource::<ToCome>()
        .insert_resource(Latest(None))
        .add_systems(Update, (in_update, beside()).chain())
        .add_systems(PostUpdate, (look, late).chain());
    for step in STEPS {
        let act = move |world: &mut World| within(world, step);
        app.add_systems(CogFrame, act.in_set(step));
    }
    declare(&mut app);
    app.add_reaction(|moved: Moved<Threat>, mut told: ResMut<Told>| {
        let number = |threat: Option<&Threat>| threat.map(|threat| threat.0);
        told.0
            .push((moved.entity, number(moved.old), number(moved.new)));
    });
    if writes {
        app.add_reaction(pass_on);
    }
    for label in schedules() {
        app.edit_schedule(label, move |schedule| {
            match executor {
                Executor::Single => schedule.set_executor(SingleThreadedExecutor::new()),
                Executor::Multi => schedule.set_executor(MultiThreadedExecutor::new()),
            };
        });
    }
    app
}

/// The schedules that are run with the chosen executor, the plugin's own included.
fn schedules() -> [InternedScheduleLabel; 7] {
    [
        CogLoop.intern(),
        CogFrame.intern(),
        First.intern(),
        PreUpdate.intern(),
        Update.intern(),
        PostUpdate.intern(),
        Last.intern(),
    ]
}

/// A reaction that writes a source: one more turn in the same frame.
fn pass_on(moved: Moved<Alarm>, mut commands: Commands, mut spoiled: ResMut<Spoiled>) {
    if let (Some(alarm), Ok(mut entity)) = (moved.new, commands.get_entity(moved.entity)) {
        entity.insert(Badge(alarm.0));
        spoiled.settled = true;
    }
}

fn perform_all(world: &mut World, frame: &Frame, when: When) {
    for (_, act) in frame.iter().filter(|(at, _)| *at == when) {
        perform(world, act);
    }
}

fn in_update(world: &mut World) {
    let frame = world.resource::<Script>().0.clone();
    perform_all(world, &frame, When::Update);
}

/// Acts in the first run of a set.
fn within(world: &mut World, step: CogSystems) {
    let to_come = &mut world.resource_mut::<ToCome>().0;
    let Some(at) = to_come.iter().position(|other| *other == step) else {
        return;
    };
    to_come.remove(at);
    let frame = world.resource::<Script>().0.clone();
    for (_, act) in frame.iter().filter(|(at, _)| *at == When::Within(step)) {
        world.resource_mut::<Spoiled>().midway = true;
        if let Act::Despawn(whom) | Act::Respawn(whom, _) = act
            && let Some(entity) = world.resource::<Cast>().pick(*whom)
        {
            world.resource_mut::<Spoiled>().gone.push(entity);
        }
        perform(world, act);
    }
}

fn late(world: &mut World) {
    let frame = world.resource::<Script>().0.clone();
    perform_all(world, &frame, When::Late);
}

fn look(world: &mut World) {
    let seen = check_frame(world);
    world.resource_mut::<Latest>().0 = Some(seen);
}

/// Systems of one source each: nothing orders them.
fn beside() -> impl IntoScheduleConfigs<ScheduleSystem, ()> {
    (
        mutate::<Health>,
        mutate::<Armor>,
        mutate::<Badge>,
        mutate::<Mood>,
        command::<Health>,
        command::<Armor>,
        command::<Badge>,
        command::<Mood>,
        command::<Blood>,
    )
        .into_configs()
}

fn mutate<C: Source<Mutability = Mutable>>(
    script: Res<Script>,
    cast: Res<Cast>,
    mut all: Query<&mut C>,
) {
    for (when, act) in &script.0 {
        if let (When::Beside, Act::Mutate(whom, part, n)) = (when, act)
            && *part == C::PART
            && let Some(entity) = cast.pick(*whom)
            && let Ok(mut there) = all.get_mut(entity)
        {
            *there = C::new(*n);
        }
    }
}

fn command<C: Source>(script: Res<Script>, cast: Res<Cast>, mut commands: Commands) {
    for (when, act) in &script.0 {
        if *when != When::Beside {
            continue;
        }
        match act {
            Act::Insert(whom, part, n) if *part == C::PART => {
                if let Some(Ok(mut entity)) = cast.pick(*whom).map(|e| commands.get_entity(e)) {
                    entity.insert(C::new(*n));
                }
            }
            Act::Remove(whom, part) if *part == C::PART => {
                if let Some(Ok(mut entity)) = cast.pick(*whom).map(|e| commands.get_entity(e)) {
                    entity.remove::<C>();
                }
            }
            _ => {}
        }
    }
}
