//! Reactions: when they run, in what order, and what becomes of what they do.

mod common;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::error::{FallbackErrorHandler, warn};
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::observer::On;
use bevy_ecs::query::Changed;
use bevy_ecs::system::{Commands, Local, Query, ResMut};
use bevy_ecs::world::World;
use cog_bevy::{CogAppExt, CogWorldExt, Input, Moved};

use common::{
    Alarm, Armor, Health, Log, Threat, app, listen, panics, say, set, take_log, threat, value,
    warnings,
};

#[test]
fn reactions_run_in_registration_order_each_over_all_rows_that_moved() {
    let mut app = app();
    // Registered before the function is declared: the order of declarations is free.
    app.add_reaction(say("a"))
        .add_reaction(say("b"))
        .add_derived(threat);
    let [orc, elf] = [1, 2].map(|i| app.world_mut().spawn(Health(i)).id());
    app.update();
    assert_eq!(
        take_log(&mut app),
        ["a - -> 2", "a - -> 4", "b - -> 2", "b - -> 4"]
    );
    set(&mut app, elf, 5);
    app.update();
    assert_eq!(take_log(&mut app), ["a 4 -> 10", "b 4 -> 10"]);
    set(&mut app, orc, 1);
    app.update();
    assert_eq!(take_log(&mut app), Vec::<String>::new());
}

#[test]
fn react_19_what_a_system_sees_is_published_before_any_reaction_runs() {
    let mut app = app();
    app.add_derived(threat)
        .add_derived(|threat: Input<Threat>| Alarm(threat.0 > 10));
    app.add_reaction(
        |moved: Moved<Threat>, all: Query<(&Threat, &Alarm)>, mut log: ResMut<Log>| {
            let (threat, alarm) = all.get(moved.entity).expect("both are there");
            assert_eq!(Some(threat), moved.new);
            log.0.push(format!("{} {}", threat.0, alarm.0));
        },
    );
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    set(&mut app, orc, 9);
    app.update();
    assert_eq!(take_log(&mut app), ["2 false", "18 true"]);
}

#[test]
fn commands_of_a_reaction_apply_right_after_it() {
    #[derive(Component)]
    struct Seen;
    let mut app = app();
    app.add_derived(threat)
        .add_reaction(|moved: Moved<Threat>, mut commands: Commands| {
            commands.entity(moved.entity).insert(Seen);
        })
        .add_reaction(
            |moved: Moved<Threat>, all: Query<&Seen>, mut log: ResMut<Log>| {
                log.0.push(all.contains(moved.entity).to_string());
            },
        );
    app.world_mut().spawn_batch([Health(1), Health(2)]);
    app.update();
    assert_eq!(take_log(&mut app), ["true", "true"]);
}

#[test]
fn case_v05_a_reaction_to_an_entity_that_an_earlier_one_despawned_is_skipped() {
    let mut app = app();
    app.add_derived(threat)
        .add_reaction(
            |_: Moved<Threat>,
             all: Query<Entity>,
             mut commands: Commands,
             mut log: ResMut<Log>,
             victims: Query<&Threat>| {
                log.0.push("first".into());
                for entity in all.iter().filter(|entity| victims.contains(*entity)) {
                    commands.entity(entity).despawn();
                }
            },
        )
        .add_reaction(say("second"));
    app.world_mut().spawn_batch([Health(1), Health(2)]);
    app.update();
    // The first run despawns both; the next turn tells of their going, to both reactions.
    assert_eq!(
        take_log(&mut app),
        ["first", "first", "first", "second 2 -> -", "second 4 -> -"]
    );
}

#[test]
fn report_22_a_command_for_an_entity_that_is_gone_is_no_panic() {
    #[derive(Component)]
    struct Marked;
    let mut app = app();
    app.insert_resource(FallbackErrorHandler(warn));
    app.add_derived(threat)
        .add_reaction(|moved: Moved<Threat>, mut commands: Commands| {
            commands.entity(moved.entity).despawn();
        })
        .add_reaction(
            |moved: Moved<Threat>, mut commands: Commands, mut log: ResMut<Log>| {
                log.0.push(format!("{}", moved.new.is_some()));
                if let Ok(mut entity) = commands.get_entity(moved.entity) {
                    entity.insert(Marked);
                }
            },
        );
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    assert_eq!(take_log(&mut app), ["false"]);
    assert_eq!(value::<Threat>(&app, orc), None);
}

#[test]
fn report_23_a_reaction_to_a_going_entity_may_spawn_its_successor() {
    let mut app = app();
    app.add_derived(threat).add_reaction(say("a")).add_reaction(
        |moved: Moved<Threat>, mut commands: Commands| {
            if moved.new.is_none() {
                commands.spawn(Health(moved.old.expect("it had a value").0 * 5));
            }
        },
    );
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    app.world_mut().despawn(orc);
    app.update();
    assert_eq!(take_log(&mut app), ["a - -> 2", "a 2 -> -", "a - -> 20"]);
}

#[test]
fn report_30_a_value_whose_drop_touches_nothing_of_ours_may_go_in_the_middle_of_another_despawn() {
    #[derive(Component)]
    struct Owns(Entity);
    let mut app = app();
    app.add_derived(threat).add_reaction(say("a"));
    app.add_observer(
        |removed: On<Remove<Owns>>, owners: Query<&Owns>, mut commands: Commands| {
            let owned = owners
                .get(removed.entity)
                .expect("it is there until it is gone")
                .0;
            commands.entity(owned).despawn();
        },
    );
    let inner = app.world_mut().spawn(Health(1)).id();
    let outer = app.world_mut().spawn((Health(2), Owns(inner))).id();
    app.update();
    take_log(&mut app);
    app.world_mut().despawn(outer);
    app.update();
    assert_eq!(take_log(&mut app), ["a 2 -> -", "a 4 -> -"]);
}

#[test]
fn a_reaction_added_late_is_told_of_all_that_is_there_once() {
    let mut app = app();
    app.add_derived(threat);
    app.world_mut().spawn_batch([Health(1), Health(2)]);
    app.update();
    app.add_reaction(say("late"));
    app.update();
    assert_eq!(take_log(&mut app), ["late - -> 2", "late - -> 4"]);
    app.update();
    assert_eq!(take_log(&mut app), Vec::<String>::new());
}

#[test]
fn a_reaction_added_by_a_reaction_runs_at_the_tail_of_the_same_turn() {
    let mut app = app();
    app.add_derived(threat)
        .add_reaction(
            |_: Moved<Threat>, world: &mut World, mut done: Local<bool>| {
                if !std::mem::replace(&mut *done, true) {
                    world.resource_mut::<Log>().0.push("first".into());
                    world.add_reaction(say("tail"));
                }
            },
        )
        .add_reaction(say("second"));
    app.world_mut().spawn(Health(1));
    app.update();
    assert_eq!(
        take_log(&mut app),
        ["first", "second - -> 2", "tail - -> 2"]
    );
}

#[test]
fn when_one_reaction_panics_the_others_still_run_and_the_next_frame_is_normal() {
    let mut app = app();
    app.add_derived(threat)
        .add_reaction(|moved: Moved<Threat>| {
            assert!(moved.new != Some(&Threat(4)), "four is too much");
        })
        .add_reaction(say("b"));
    let [_, elf] = [1, 2].map(|i| app.world_mut().spawn(Health(i)).id());
    let said = panics(|| app.world_mut().settle_cogs());
    assert_eq!(said, "four is too much");
    assert_eq!(take_log(&mut app), ["b - -> 2", "b - -> 4"]);
    set(&mut app, elf, 3);
    app.update();
    assert_eq!(take_log(&mut app), ["b 4 -> 6"]);
}

#[test]
fn a_reaction_may_return_an_error_which_goes_to_the_error_handler() {
    listen();
    let mut app = app();
    app.insert_resource(FallbackErrorHandler(warn));
    app.add_derived(threat)
        .add_reaction(|_: Moved<Threat>| -> bevy_ecs::error::Result {
            Err("nobody answers".into())
        });
    app.world_mut().spawn(Health(1));
    app.update();
    assert_eq!(warnings("nobody answers").len(), 1);
}

#[test]
fn a_reaction_keeps_its_locals_and_its_change_detection_between_runs() {
    let mut app = app();
    app.add_derived(threat).add_reaction(
        |_: Moved<Threat>,
         mut n: Local<i32>,
         armor: Query<(), Changed<Armor>>,
         mut log: ResMut<Log>| {
            *n += 1;
            log.0.push(format!("{} {}", *n, armor.iter().count()));
        },
    );
    let orc = app.world_mut().spawn((Health(1), Armor(1))).id();
    app.update();
    set(&mut app, orc, 2);
    app.update();
    assert_eq!(take_log(&mut app), ["1 1", "2 0"]);
}
