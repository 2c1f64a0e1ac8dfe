//! More faults of the plugin that were found by trying: declarations, turns taken by hand, limits.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy_app::App;
use bevy_ecs::component::Component;
use bevy_ecs::schedule::{IntoScheduleConfigs, common_conditions::resource_exists};
use bevy_ecs::system::{Query, ResMut};
use cog_bevy::{CogAppExt, CogFrame, CogPlugin, CogSystems, CogWorldExt, Cogs, Input, Moved};

use common::{Health, Level, Threat, app, app_with_threat, panics, set, take_log, threat, value};

#[derive(Component, Clone, PartialEq, Debug)]
struct A(i32);

#[derive(Component, Clone, PartialEq, Debug)]
struct B(i32);

#[test]
fn a_refused_cycle_leaves_the_app_as_it_was() {
    let mut app = app();
    app.add_derived(|b: Input<B>| A(b.0));
    let said = panics(|| {
        app.add_derived(|a: Input<A>| B(a.0));
    });
    assert!(said.contains("cycle"), "{said}");
    app.add_derived(|health: Input<Health>| B(health.0));
    let orc = app.world_mut().spawn(Health(3)).id();
    app.update();
    assert_eq!(value(&app, orc), Some(A(3)));
}

#[test]
fn a_turn_that_a_system_abandons_costs_nothing_that_was_written() {
    let mut app = app_with_threat();
    app.insert_resource(Level(0));
    let abandon = |mut cogs: ResMut<Cogs>, mut level: ResMut<Level>| {
        if std::mem::take(&mut level.0) == 1 {
            cogs.arena_mut().abandon();
        }
    };
    app.add_systems(CogFrame, abandon.in_set(CogSystems::Collect));
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    app.insert_resource(Level(1));
    let elf = app.world_mut().spawn(Health(3)).id();
    set(&mut app, orc, 5);
    app.update();
    app.update();
    assert_eq!(
        (value(&app, orc), value(&app, elf)),
        (Some(Threat(10)), Some(Threat(6)))
    );
    assert_eq!(take_log(&mut app), ["t - -> 2", "t 2 -> 10", "t - -> 6"]);
}

#[test]
fn steps_taken_by_hand_in_a_set_are_no_less_published() {
    for by_hand in 0..2 {
        let mut app = app_with_threat();
        let (step, both) = [(CogSystems::Collect, true), (CogSystems::Settle, false)][by_hand];
        let hurry = move |mut cogs: ResMut<Cogs>| {
            if both {
                cogs.arena_mut().settle();
            }
            cogs.arena_mut().publish();
        };
        app.add_systems(
            CogFrame,
            hurry.in_set(step).run_if(resource_exists::<Level>),
        );
        let orc = app.world_mut().spawn(Health(1)).id();
        app.update();
        app.insert_resource(Level(1));
        set(&mut app, orc, 5);
        let caught = catch_unwind(AssertUnwindSafe(|| app.world_mut().settle_cogs()));
        app.world_mut().remove_resource::<Level>();
        app.update();
        assert_eq!(
            value(&app, orc),
            Some(Threat(10)),
            "{step:?} {}",
            caught.is_ok()
        );
        assert_eq!(take_log(&mut app), ["t - -> 2", "t 2 -> 10"], "{step:?}");
    }
}

#[test]
fn a_run_condition_on_a_set_holds_nothing_of_the_plugins_back() {
    for step in [
        CogSystems::Settle,
        CogSystems::Publish,
        CogSystems::React,
        CogSystems::Release,
    ] {
        let mut app = app_with_threat();
        app.insert_resource(Level(1));
        app.configure_sets(CogFrame, step.run_if(resource_exists::<Level>));
        let orc = app.world_mut().spawn(Health(1)).id();
        app.update();
        app.world_mut().remove_resource::<Level>();
        set(&mut app, orc, 5);
        app.update();
        assert_eq!(value(&app, orc), Some(Threat(10)), "{step:?}");
        assert_eq!(take_log(&mut app), ["t - -> 2", "t 2 -> 10"], "{step:?}");
    }
}

#[test]
fn a_frame_may_have_as_many_turns_as_it_was_given() {
    for (turns_max, is_enough) in [(1, false), (3, true), (2, false)] {
        let mut app = App::new();
        app.add_plugins(CogPlugin {
            turns_max,
            ..CogPlugin::default()
        })
        .add_derived(threat)
        .add_reaction(|moved: Moved<Threat>, mut all: Query<&mut Health>| {
            if let Ok(mut health) = all.get_mut(moved.entity)
                && health.0 < 3
            {
                health.0 += 1;
            }
        });
        app.world_mut().spawn(Health(1));
        let outcome = catch_unwind(AssertUnwindSafe(|| app.world_mut().settle_cogs()));
        assert_eq!(outcome.is_ok(), is_enough, "{turns_max}");
    }
    let mut app = App::new();
    app.add_plugins(CogPlugin {
        turns_max: 1,
        ..CogPlugin::default()
    })
    .add_derived(threat)
    .add_reaction(|_: Moved<Threat>| {});
    app.world_mut().spawn(Health(1));
    app.update();
}

#[test]
fn a_world_without_resources_may_still_lose_its_components() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(3)).id();
    app.update();
    let mut world = std::mem::take(app.world_mut());
    world.clear_resources();
    world.entity_mut(orc).remove::<Health>();
    world.entity_mut(orc).remove::<Threat>();
}
