//! Entities and components that come, go and come back: nothing is lost, nothing is seen twice.

mod common;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Commands, ResMut};
use cog_bevy::{CogAppExt, CogFrame, CogRow, CogSystems, Cogs, Input, Moved, Previous};

use common::{
    Armor, Health, Runs, Threat, app, app_with_threat, runs, say, set, take_log, threat, value,
};

#[test]
fn a_derived_function_whose_required_component_leaves_has_no_value() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn((Health(5), Armor(1))).id();
    app.update();
    app.world_mut().entity_mut(orc).remove::<Health>();
    app.update();
    assert_eq!(value::<Threat>(&app, orc), None);
    app.world_mut().entity_mut(orc).insert(Health(2));
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 9", "t 9 -> -", "t - -> 3"]);
}

#[test]
fn a_component_that_left_and_came_back_within_a_frame_counts_by_its_value() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(5)).id();
    app.update();
    take_log(&mut app);
    app.world_mut()
        .entity_mut(orc)
        .remove::<Health>()
        .insert(Health(5));
    app.update();
    assert_eq!((runs(&app), take_log(&mut app).len()), (0, 0));
    app.world_mut()
        .entity_mut(orc)
        .insert(Health(9))
        .remove::<Health>()
        .insert(Health(6));
    app.update();
    assert_eq!(take_log(&mut app), ["t 10 -> 12"]);
    app.world_mut()
        .entity_mut(orc)
        .insert(Health(9))
        .remove::<Health>();
    app.update();
    assert_eq!(take_log(&mut app), ["t 12 -> -"]);
}

#[test]
fn report_48_removal_despawn_and_despawn_of_the_parent_say_the_same_once() {
    let mut app = app_with_threat();
    let world = app.world_mut();
    let parent = world.spawn_empty().id();
    let removed = world.spawn(Health(1)).id();
    let despawned = world.spawn(Health(2)).id();
    world.spawn((Health(3), ChildOf(parent)));
    app.update();
    take_log(&mut app);
    app.world_mut().entity_mut(removed).remove::<Health>();
    app.world_mut().despawn(despawned);
    app.world_mut().despawn(parent);
    app.update();
    assert_eq!(take_log(&mut app), ["t 2 -> -", "t 4 -> -", "t 6 -> -"]);
    app.update();
    assert_eq!(take_log(&mut app), Vec::<String>::new());
}

#[test]
fn report_45_an_entity_that_came_and_went_within_a_frame_leaves_no_trace() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.world_mut().despawn(orc);
    app.update();
    assert_eq!((runs(&app), take_log(&mut app).len()), (0, 0));
    let cogs = app.world().resource::<Cogs>();
    let family = cogs.derived::<Threat>().expect("it is derived");
    assert_eq!(cogs.arena().settled(family.at(orc)), None);
}

#[test]
fn case_v06_an_entity_with_a_reused_index_gets_no_old_value() {
    let mut app = app();
    let made = Runs::default();
    let count = made.clone();
    app.add_derived(move |health: Input<Health>, before: Previous<Threat>| {
        count.count();
        assert_eq!(*before, None, "a new entity has no last value");
        Threat(health.0)
    });
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    assert_eq!(made.take(), 1);
    // What Bevy does with an index in its own time, at once: the next generation takes it.
    let elf = app.world_mut().despawn_no_free(orc).expect("the orc lives");
    app.world_mut()
        .spawn_at(elf, Health(1))
        .expect("the index is free");
    assert_eq!((elf.index(), elf == orc), (orc.index(), false));
    app.update();
    assert_eq!((value(&app, elf), made.take()), (Some(Threat(1)), 1));
    assert_eq!(value::<Threat>(&app, orc), None);
}

#[test]
fn report_44_cleaning_up_an_entity_spares_the_one_that_took_its_index() {
    let mut app = app_with_threat();
    // Spawns in the middle of the despawn, so that the new entity may take the index at once.
    app.add_reaction(|moved: Moved<Threat>, mut commands: Commands| {
        if moved.old == Some(&Threat(2)) && moved.new.is_none() {
            commands.spawn(Health(50));
        }
    });
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    app.world_mut().despawn(orc);
    app.update();
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 2", "t 2 -> -", "t - -> 100"]);
    let threat = app
        .world_mut()
        .query::<&Threat>()
        .single(app.world())
        .expect("one is left");
    assert_eq!(*threat, Threat(100));
}

#[test]
fn an_entity_despawned_between_collecting_and_publishing_is_let_go() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.world_mut().spawn(Health(2));
    let kill = move |mut commands: Commands| {
        if let Ok(mut orc) = commands.get_entity(orc) {
            orc.despawn();
        }
    };
    app.add_systems(CogFrame, kill.in_set(CogSystems::Settle));
    app.update();
    assert_eq!(value::<Threat>(&app, orc), None);
    // Its value never showed, so nobody is told that it went.
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 4"]);
}

#[test]
fn a_disabled_entity_keeps_its_values_right() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn((Health(1), Disabled)).id();
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(2)));
    app.world_mut().entity_mut(orc).insert(Health(4));
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(8)));
    app.world_mut().entity_mut(orc).remove::<Disabled>();
    app.update();
    assert_eq!((value(&app, orc), runs(&app)), (Some(Threat(8)), 0));
}

#[test]
fn a_disabling_component_of_the_users_hides_nothing_from_the_cogs() {
    #[derive(Component)]
    #[component(storage = "SparseSet")]
    struct Asleep;
    let mut app = app();
    app.world_mut().register_disabling_component::<Asleep>();
    app.add_derived(threat).add_reaction(say("t"));
    let orc = app.world_mut().spawn((Health(1), Asleep)).id();
    app.update();
    app.world_mut().entity_mut(orc).insert(Health(4));
    app.update();
    app.world_mut().entity_mut(orc).remove::<Asleep>();
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 2", "t 2 -> 8"]);
}

#[test]
fn a_row_taken_off_by_hand_comes_back_with_its_values() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    app.world_mut().entity_mut(orc).remove::<CogRow>();
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(2)));
    app.world_mut().entity_mut(orc).insert(Health(3));
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(6)));
}

#[test]
fn a_clone_of_an_entity_gets_a_row_of_its_own() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    let twin = app.world_mut().entity_mut(orc).clone_and_spawn();
    assert!(!app.world().entity(twin).contains::<CogRow>());
    app.world_mut().entity_mut(twin).insert(Health(5));
    app.update();
    assert_eq!(
        (value(&app, orc), value(&app, twin)),
        (Some(Threat(2)), Some(Threat(10)))
    );
}

#[test]
fn a_row_taken_off_by_a_system_of_any_set_comes_back_with_its_values() {
    for step in [
        CogSystems::Receive,
        CogSystems::Collect,
        CogSystems::Settle,
        CogSystems::Publish,
        CogSystems::React,
        CogSystems::Release,
    ] {
        let mut app = app_with_threat();
        app.insert_resource(Loosen(None));
        app.add_systems(CogFrame, loosen.in_set(step));
        let orc = app.world_mut().spawn(Health(1)).id();
        app.update();
        app.world_mut().resource_mut::<Loosen>().0 = Some(orc);
        set(&mut app, orc, 3);
        app.update();
        set(&mut app, orc, 4);
        app.update();
        set(&mut app, orc, 5);
        app.update();
        assert_eq!(value(&app, orc), Some(Threat(10)), "{step:?}");
        let said = take_log(&mut app);
        let last = said.last().map(String::as_str);
        assert_eq!(last, Some("t 8 -> 10"), "{step:?}");
    }
}

/// Whose row [`loosen`] takes off next.
#[derive(Resource)]
struct Loosen(Option<Entity>);

fn loosen(mut whose: ResMut<Loosen>, mut commands: Commands) {
    if let Some(entity) = whose.0.take() {
        commands.entity(entity).remove::<CogRow>();
    }
}
