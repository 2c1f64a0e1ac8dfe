//! A warm frame allocates nothing: idle, with one row changed, with one in a hundred.
//!
//! Takes: nothing. Leaves: nothing. Never: counts what another thread allocates.

#[path = "../../cog-arena/tests/common/counting.rs"]
mod counting;

use bevy_app::App;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use cog_bevy::{
    CogAppExt, CogFrame, CogLoop, CogPlugin, CogSystems, Cogs, Input, InputRes, Lookup, Moved,
};

use counting::counted;

/// How many entities there are.
const CROWD: usize = 10_000;

/// Frames before anything is counted.
const WARM_UP: i32 = 40;

/// Frames that are counted.
const COUNTED: i32 = 20;

#[derive(Component, Clone, PartialEq)]
struct Health(i32);

#[derive(Component, Clone, PartialEq)]
#[component(storage = "SparseSet")]
struct Badge(i32);

#[derive(Component, Clone, PartialEq)]
struct Target(Entity);

#[derive(Resource, Clone, PartialEq)]
struct Difficulty(i32);

#[derive(Component, Clone, PartialEq, Debug)]
struct Threat(i32);

#[derive(Component, Clone, PartialEq, Debug)]
struct Danger(i32);

#[derive(Component, Clone, PartialEq, Debug)]
struct Advantage(i32);

#[derive(Component, Clone, PartialEq, Debug)]
struct Medal(i32);

/// A crowd with a chain of two, a resource, a component in no table, and lookups.
fn crowd() -> (App, Vec<Entity>) {
    let mut app = App::new();
    app.add_plugins(CogPlugin::default())
        .insert_resource(Difficulty(2))
        .add_derived(|health: Input<Health>| Threat(health.0 * 2))
        .add_derived(|threat: Input<Threat>, difficulty: InputRes<Difficulty>| {
            Danger(threat.0 * difficulty.0)
        })
        .add_derived(|badge: Input<Badge>| Medal(badge.0 / 2))
        .add_derived(
            |health: Input<Health>, target: Input<Target>, all: Lookup<Health>| {
                Advantage(health.0 - all.get(target.0).map_or(0, |other| other.0))
            },
        );
    let spawned = app.world_mut().spawn_batch((0..10_000).map(Health));
    let all: Vec<_> = spawned.collect();
    assert_eq!(all.len(), CROWD);
    for (at, entity) in all.iter().enumerate().step_by(10) {
        let target = Target(all[(at + 7) % CROWD]);
        app.world_mut()
            .entity_mut(*entity)
            .insert((Badge(3), target));
    }
    (app, all)
}

/// Runs warm frames, then counts what twenty more allocate and free; `write` makes each one's changes.
fn frame_allocates(app: &mut App, mut write: impl FnMut(&mut App, i32)) -> (u64, u64) {
    let mut total = (0, 0);
    for frame in 0..WARM_UP + COUNTED {
        write(app, frame);
        let (allocated, freed) = counted(|| app.world_mut().run_schedule(CogLoop));
        if WARM_UP <= frame {
            total = (total.0 + allocated, total.1 + freed);
        }
    }
    total
}

fn hurt(app: &mut App, entity: Entity, health: i32) {
    app.world_mut()
        .get_mut::<Health>(entity)
        .expect("it lives")
        .0 = health;
}

fn published(app: &App) -> u64 {
    app.world().resource::<Cogs>().counts().published
}

#[test]
fn the_counter_sees_a_frame_that_does_allocate() {
    let (mut app, all) = crowd();
    let allocate = || drop(std::hint::black_box(Box::new([7_u8; 100])));
    app.add_systems(CogFrame, allocate.in_set(CogSystems::Publish));
    let outcome = frame_allocates(&mut app, |app, n| hurt(app, all[0], n));
    assert_eq!(
        outcome,
        (20, 20),
        "one box for each of the frames that are counted"
    );
}

#[test]
fn an_idle_frame_allocates_nothing() {
    let (mut app, _) = crowd();
    assert_eq!(frame_allocates(&mut app, |_, _| {}), (0, 0));
}

#[test]
fn a_frame_with_one_row_changed_allocates_nothing() {
    let (mut app, all) = crowd();
    let outcome = frame_allocates(&mut app, |app, n| hurt(app, all[70], n * 3));
    assert_eq!((outcome, published(&app)), ((0, 0), 3));
}

#[test]
fn a_frame_with_one_row_in_a_hundred_changed_allocates_nothing() {
    let (mut app, all) = crowd();
    let outcome = frame_allocates(&mut app, |app, n| {
        all.iter()
            .step_by(100)
            .for_each(|entity| hurt(app, *entity, n * 3));
    });
    assert_eq!((outcome, published(&app)), ((0, 0), 300));
}

#[test]
fn a_frame_with_every_row_changed_by_a_resource_allocates_nothing() {
    let (mut app, _) = crowd();
    let outcome = frame_allocates(&mut app, |app, n| {
        app.world_mut().resource_mut::<Difficulty>().0 = n + 10;
    });
    assert_eq!(outcome, (0, 0));
}

#[test]
fn a_frame_with_a_reaction_allocates_nothing() {
    let (mut app, all) = crowd();
    app.add_reaction(|moved: Moved<Threat>| assert_ne!(moved.old, moved.new));
    let outcome = frame_allocates(&mut app, |app, n| hurt(app, all[70], n * 3));
    assert_eq!(outcome, (0, 0));
}
