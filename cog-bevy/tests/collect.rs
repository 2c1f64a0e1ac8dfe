//! Which writes to components count, and that none is lost or seen twice.

mod common;

use bevy_app::{PostUpdate, Update};
use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::component::Component;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::query::With;
use bevy_ecs::system::{Commands, Local, Query};
use bevy_ecs::world::DeferredWorld;
use cog_bevy::{CogAppExt, CogWorldExt, Cogs, Input};

use common::{Alarm, Armor, Health, Log, Threat, app, app_with_threat, runs, take_log, value};

#[test]
fn a_spawned_entity_is_found_in_the_same_frame() {
    let mut app = app_with_threat();
    app.add_systems(
        Update,
        |mut commands: Commands, all: Query<(), With<Health>>| {
            if all.is_empty() {
                commands.spawn((Health(5), Armor(1)));
            }
        },
    );
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 9"]);
    app.update();
    assert_eq!(take_log(&mut app), Vec::<String>::new());
}

#[test]
fn only_the_rows_that_were_written_run() {
    let mut app = app_with_threat();
    let all: Vec<_> = (0..100)
        .map(|i| app.world_mut().spawn(Health(i)).id())
        .collect();
    app.update();
    assert_eq!(runs(&app), 100);
    take_log(&mut app);
    for i in [3, 64, 99] {
        app.world_mut()
            .get_mut::<Health>(all[i])
            .expect("it lives")
            .0 += 1;
    }
    app.update();
    assert_eq!(runs(&app), 3);
    assert_eq!(
        take_log(&mut app),
        ["t 6 -> 8", "t 128 -> 130", "t 198 -> 200"]
    );
}

#[test]
fn case_v01_a_mutable_access_that_left_the_value_equal_is_no_change() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(5)).id();
    app.update();
    take_log(&mut app);
    app.world_mut()
        .get_mut::<Health>(orc)
        .expect("it lives")
        .set_changed();
    app.update();
    assert_eq!((runs(&app), take_log(&mut app).len()), (0, 0));
}

#[test]
fn report_27_a_system_that_writes_the_same_value_every_frame_wakes_nobody() {
    let mut app = app_with_threat();
    app.add_systems(Update, |mut all: Query<&mut Health>| {
        for mut health in &mut all {
            health.0 = 7;
        }
    });
    app.world_mut().spawn(Health(7));
    app.update();
    take_log(&mut app);
    for _ in 0..100 {
        app.update();
        assert_eq!(runs(&app), 0);
    }
    assert_eq!(take_log(&mut app), Vec::<String>::new());
}

#[test]
fn case_v02_a_component_written_twice_in_a_frame_moves_once_to_the_last_value() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(5)).id();
    app.update();
    take_log(&mut app);
    app.world_mut().entity_mut(orc).insert(Health(6));
    app.world_mut().entity_mut(orc).insert(Health(8));
    app.update();
    assert_eq!(take_log(&mut app), ["t 10 -> 16"]);
    assert_eq!(runs(&app), 1);
}

#[test]
fn a_change_and_its_revert_within_a_frame_are_no_change() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(5)).id();
    app.update();
    take_log(&mut app);
    app.world_mut().entity_mut(orc).insert(Health(6));
    app.world_mut().entity_mut(orc).insert(Health(5));
    app.update();
    assert_eq!((runs(&app), take_log(&mut app).len()), (0, 0));
}

#[test]
fn case_v03_a_change_made_after_the_cogs_turned_is_seen_in_the_next_frame_once() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(5)).id();
    app.update();
    take_log(&mut app);
    let once = |mut all: Query<&mut Health>, mut done: Local<bool>| {
        if !std::mem::replace(&mut *done, true) {
            all.single_mut().expect("one orc").0 = 6;
        }
    };
    app.add_systems(PostUpdate, once);
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(10)));
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(12)));
    app.update();
    assert_eq!(take_log(&mut app), ["t 10 -> 12"]);
}

#[test]
fn report_40_the_order_of_writer_and_cogs_decides_only_the_frame() {
    for early in [true, false] {
        let mut app = app_with_threat();
        let orc = app.world_mut().spawn(Health(0)).id();
        app.update();
        take_log(&mut app);
        let count = |mut all: Query<&mut Health>| all.single_mut().expect("one orc").0 += 1;
        if early {
            app.add_systems(Update, count);
        } else {
            app.add_systems(PostUpdate, count);
        }
        for _ in 0..3 {
            app.update();
        }
        let seen = if early { 6 } else { 4 };
        assert_eq!(value(&app, orc), Some(Threat(seen)));
        // Each value came by exactly once.
        assert_eq!(
            take_log(&mut app).len(),
            usize::try_from(seen / 2).expect("few")
        );
    }
}

#[test]
fn report_46_a_hand_driven_world_sees_a_change_once() {
    let mut app = app_with_threat();
    let world = app.world_mut();
    let orc = world.spawn(Health(1)).id();
    world.settle_cogs();
    world.entity_mut(orc).insert(Health(2));
    world.settle_cogs();
    assert_eq!(world.resource::<Cogs>().counts().run, 1);
    world.settle_cogs();
    assert_eq!(world.resource::<Cogs>().counts().run, 0);
    assert_eq!(take_log(&mut app), ["t - -> 2", "t 2 -> 4"]);
}

#[test]
fn case_v14_a_bulk_of_new_entities_tells_of_each_once() {
    let mut app = app_with_threat();
    app.world_mut()
        .spawn_batch((0..1000).map(|i| (Health(i), Armor(i))));
    app.update();
    assert_eq!((runs(&app), take_log(&mut app).len()), (1000, 1000));
    app.update();
    assert_eq!((runs(&app), take_log(&mut app).len()), (0, 0));
}

#[test]
fn an_optional_input_comes_and_goes_with_its_component() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(5)).id();
    app.update();
    app.world_mut().entity_mut(orc).insert(Armor(3));
    app.update();
    app.world_mut().entity_mut(orc).remove::<Armor>();
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 10", "t 10 -> 7", "t 7 -> 10"]);
}

#[derive(Component, Clone, PartialEq)]
#[component(summary_tick)]
struct Heat(i32);

#[derive(Component, Clone, PartialEq)]
#[component(storage = "SparseSet")]
struct Stun(i32);

#[derive(Component, Clone, PartialEq)]
#[component(immutable)]
struct Race(i32);

#[derive(Component, Clone, PartialEq)]
#[component(on_insert = mark, on_remove = mark)]
struct Hooked(i32);

fn mark(mut world: DeferredWorld<'_>, context: HookContext) {
    world
        .resource_mut::<Log>()
        .0
        .push(format!("hook {}", context.entity.index()));
}

/// A source of any kind, from first value to removal, with the runs each step takes.
fn follow<C: Component + Clone + PartialEq>(make: fn(i32) -> C, read: fn(&C) -> i32) {
    let mut app = app();
    app.add_derived(move |source: Input<C>| Threat(read(&source)));
    let all: Vec<_> = (0..200)
        .map(|i| app.world_mut().spawn(make(i)).id())
        .collect();
    app.update();
    assert_eq!((value(&app, all[7]), runs(&app)), (Some(Threat(7)), 200));
    app.world_mut().entity_mut(all[7]).insert(make(700));
    app.world_mut().entity_mut(all[8]).insert(make(8));
    app.update();
    assert_eq!((value(&app, all[7]), runs(&app)), (Some(Threat(700)), 1));
    app.update();
    assert_eq!(runs(&app), 0);
    app.world_mut().entity_mut(all[7]).remove::<C>();
    app.update();
    assert_eq!(value::<Threat>(&app, all[7]), None);
    // Another table: ticks move along with their rows.
    app.world_mut().entity_mut(all[9]).insert(Alarm(true));
    app.update();
    assert_eq!((value(&app, all[9]), runs(&app)), (Some(Threat(9)), 0));
    app.world_mut().entity_mut(all[9]).insert(make(90));
    app.update();
    assert_eq!((value(&app, all[9]), runs(&app)), (Some(Threat(90)), 1));
}

#[test]
fn a_source_in_tables_is_followed() {
    follow(Health, |health| health.0);
}

#[test]
fn a_source_with_a_summary_tick_is_followed() {
    follow(Heat, |heat| heat.0);
}

#[test]
fn a_sparse_source_is_followed() {
    follow(Stun, |stun| stun.0);
}

#[test]
fn an_immutable_source_is_followed() {
    follow(Race, |race| race.0);
}

#[test]
fn a_source_with_hooks_of_its_own_keeps_them_and_is_followed() {
    follow(Hooked, |hooked| hooked.0);
    let mut app = app();
    app.add_derived(|hooked: Input<Hooked>| Threat(hooked.0));
    let orc = app.world_mut().spawn(Hooked(1)).id();
    app.update();
    app.world_mut().despawn(orc);
    app.update();
    assert_eq!(take_log(&mut app).len(), 2, "both hooks ran");
    assert_eq!(value::<Threat>(&app, orc), None);
}
