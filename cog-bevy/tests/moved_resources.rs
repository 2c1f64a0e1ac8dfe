//! Derived resources that move, for observers and readers of messages; and feeds of the arena beside them.

mod common;

use bevy_app::PostUpdate;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::MessageReader;
use bevy_ecs::observer::On;
use bevy_ecs::system::ResMut;
use cog_bevy::arena::Depth;
use cog_bevy::{CogAppExt, CogResourceMoved, Cogs, InputRes};

use common::{Difficulty, Health, Level, Log, Threat, app, line, set, take_log, threat};

#[test]
fn a_resource_that_moves_is_told_of_once_by_event_and_by_message() {
    let mut app = app();
    app.insert_resource(Level(1))
        .add_derived_resource(|level: InputRes<Level>| {
            (level.0 < 9).then_some(Difficulty(level.0 / 2))
        })
        .add_moved_resource_events::<Difficulty>()
        .add_moved_resource_events::<Difficulty>()
        .add_moved_resource_messages::<Difficulty>()
        .add_observer(
            |moved: On<CogResourceMoved<Difficulty>>, mut log: ResMut<Log>| {
                log.0.push(line("o", moved.old, moved.new, |level| level.0));
            },
        )
        .add_systems(
            PostUpdate,
            |mut all: MessageReader<CogResourceMoved<Difficulty>>, mut log: ResMut<Log>| {
                for moved in all.read() {
                    log.0.push(line("m", moved.old, moved.new, |level| level.0));
                }
            },
        );
    for level in [1, 1, 2, 3, 9, 4] {
        app.world_mut().resource_mut::<Level>().0 = level;
        app.update();
    }
    assert_eq!(
        take_log(&mut app),
        [
            "o - -> 0", "m - -> 0", "o 0 -> 1", "m 0 -> 1", "o 1 -> -", "m 1 -> -", "o - -> 2",
            "m - -> 2"
        ]
    );
}

#[test]
fn a_resource_s_event_asked_for_late_tells_of_what_is_there() {
    let mut app = app();
    app.insert_resource(Level(4))
        .add_derived_resource(|level: InputRes<Level>| Difficulty(level.0 / 2));
    app.update();
    app.add_moved_resource_events::<Difficulty>().add_observer(
        |moved: On<CogResourceMoved<Difficulty>>,
         mut level: ResMut<Level>,
         mut log: ResMut<Log>| {
            log.0.push(line("o", moved.old, moved.new, |level| level.0));
            level.0 = 8;
        },
    );
    app.update();
    assert_eq!(
        take_log(&mut app),
        ["o - -> 2", "o 2 -> 4"],
        "what it writes is a later turn"
    );
}

#[test]
fn a_feed_of_the_arena_tells_what_the_world_shows_already() {
    let mut app = app();
    app.add_derived(threat);
    let orc: Entity = app.world_mut().spawn(Health(1)).id();
    app.update();
    let cogs = app.world_mut().resource_mut::<Cogs>().into_inner();
    let family = cogs.derived::<Threat>().expect("it is derived");
    let feed = cogs.arena_mut().feed(family.at(orc), Depth::Newest(4));
    set(&mut app, orc, 2);
    app.update();
    app.world_mut().despawn(orc);
    app.update();
    let told: Vec<_> = feed
        .drain()
        .map(|threat| threat.map(|threat| threat.0))
        .collect();
    assert_eq!(told, [Some(2), Some(4), None]);
}
