//! What a reaction writes is a later turn of the same frame, and chains of turns come to an end.

mod common;

use bevy_app::{App, PostUpdate};
use bevy_ecs::component::Component;
use bevy_ecs::query::Changed;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Commands, Query, ResMut};
use bevy_ecs::world::World;
use cog_bevy::{CogAppExt, CogFrame, CogPlugin, CogSystems, CogWorldExt, Input, Moved};

use common::{
    Alarm, Armor, Health, Log, Threat, app, listen, panics, runs, take_log, threat, value, warnings,
};

#[test]
fn report_49_a_reaction_caused_by_another_sees_the_commands_of_the_first() {
    let mut app = app();
    app.add_derived(|health: Input<Health>| Threat(health.0))
        .add_derived(|armor: Input<Armor>| Alarm(armor.0 > 0))
        .add_reaction(
            |moved: Moved<Alarm>, all: Query<&Armor>, mut log: ResMut<Log>| {
                let armor = all.get(moved.entity).expect("it was inserted").0;
                log.0.push(format!("alarm with armor {armor}"));
            },
        )
        .add_reaction(
            |moved: Moved<Threat>, mut commands: Commands, mut log: ResMut<Log>| {
                commands.entity(moved.entity).insert(Armor(7));
                log.0.push("threat".into());
            },
        );
    app.world_mut().spawn(Health(1));
    app.update();
    // Registered first, yet it runs later: what a reaction writes is a later turn.
    assert_eq!(take_log(&mut app), ["threat", "alarm with armor 7"]);
}

#[test]
fn what_a_reaction_writes_is_a_later_turn_of_the_same_frame() {
    let mut app = app();
    app.add_derived(threat)
        .add_reaction(
            |moved: Moved<Threat>, mut all: Query<&mut Health>, mut log: ResMut<Log>| {
                log.0.push(moved.new.expect("nobody dies").0.to_string());
                let mut health = all.get_mut(moved.entity).expect("it lives");
                if health.0 < 3 {
                    health.0 += 1;
                }
            },
        )
        .add_systems(
            PostUpdate,
            |all: Query<&Threat, Changed<Threat>>, mut log: ResMut<Log>| {
                log.0
                    .extend(all.iter().map(|threat| format!("rendered {}", threat.0)));
            },
        );
    app.world_mut().spawn(Health(1));
    app.update();
    assert_eq!(take_log(&mut app), ["2", "4", "6", "rendered 6"]);
    app.update();
    assert_eq!((take_log(&mut app).len(), runs(&app)), (0, 0));
}

#[test]
fn case_v09_a_reaction_that_changes_what_it_watches_for_ever_is_capped() {
    let mut app = App::new();
    app.add_plugins(CogPlugin {
        turns_max: 200,
        ..CogPlugin::default()
    })
    .add_derived(threat)
    .add_reaction(
        |moved: Moved<Threat>, mut commands: Commands, all: Query<&Health>| {
            let health = all.get(moved.entity).expect("it lives").0;
            commands.entity(moved.entity).insert(Health(health + 1));
        },
    );
    let orc = app.world_mut().spawn(Health(0)).id();
    let said = panics(|| app.world_mut().settle_cogs());
    assert!(
        said.contains("did not come to rest after 200 turns"),
        "{said}"
    );
    assert!(
        said.contains("chains::case_v09"),
        "the cause is named: {said}"
    );
    // Each turn saw the write of the one before, and all that was settled is right. The turn that is one too many tells.
    assert_eq!(value(&app, orc), Some(Threat(200 * 2)));
}

#[test]
fn react_17_a_chain_of_65_turns_warns_once_and_comes_to_rest() {
    listen();
    #[derive(Component, Clone, PartialEq)]
    struct Counted65(i32);
    let mut app = app();
    app.add_derived(|counted: Input<Counted65>| Threat(counted.0))
        .add_reaction(|moved: Moved<Threat>, mut all: Query<&mut Counted65>| {
            let mut counted = all.get_mut(moved.entity).expect("it lives");
            counted.0 = (counted.0 + 1).min(70);
        });
    let orc = app.world_mut().spawn(Counted65(0)).id();
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(70)));
    // The cause is named, and so is the test that this warning belongs to.
    let warned = warnings("chains::react_17");
    assert!(
        warned.len() == 1 && warned[0].contains("64 turns in one frame"),
        "{warned:?}"
    );
    app.update();
    assert_eq!((runs(&app), warnings("chains::react_17").len()), (0, 0));
}

#[test]
fn case_v16_a_reaction_may_have_the_whole_world_and_ask_for_one_more_turn() {
    let mut app = app();
    app.add_derived(threat)
        .add_reaction(|moved: Moved<Threat>, world: &mut World| {
            let entity = moved.entity;
            if moved.new == Some(&Threat(2)) {
                world.entity_mut(entity).insert(Health(10));
                world.settle_cogs();
                // A turn inside a turn is queued: the values stay those of this one.
                assert_eq!(world.get::<Threat>(entity), Some(&Threat(2)));
            }
            let threat = moved.new.expect("nobody dies").0;
            world.resource_mut::<Log>().0.push(threat.to_string());
        });
    app.world_mut().spawn(Health(1));
    app.update();
    assert_eq!(take_log(&mut app), ["2", "20"]);
}

#[test]
fn a_system_in_a_set_runs_once_per_turn_and_not_when_there_was_nothing_to_do() {
    let mut app = app();
    app.add_derived(threat)
        .add_reaction(|moved: Moved<Threat>, mut all: Query<&mut Health>| {
            let mut health = all.get_mut(moved.entity).expect("it lives");
            health.0 = health.0.max(5);
        });
    let note = |mut log: ResMut<Log>| log.0.push("turn".into());
    app.add_systems(CogFrame, note.in_set(CogSystems::Publish));
    app.world_mut().spawn(Health(1));
    app.update();
    assert_eq!(take_log(&mut app), ["turn", "turn"]);
    app.update();
    assert_eq!(
        take_log(&mut app),
        ["turn"],
        "each frame has one turn at least"
    );
}
