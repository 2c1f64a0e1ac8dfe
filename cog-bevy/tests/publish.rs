//! That exactly the values that moved are written, and that change detection tells the truth.

mod common;

use bevy_app::PostUpdate;
use bevy_ecs::change_detection::{ContiguousRef, Ref};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::{Add, Insert, Remove};
use bevy_ecs::observer::On;
use bevy_ecs::query::Added;
use bevy_ecs::system::{Query, ResMut};
use cog_bevy::{CogAppExt, Input, InputRes, Lookup, Own};

use common::{
    Alarm, Armor, Health, Level, Log, Seen, Threat, app, app_that_sees, listen, runs, seen, set,
    take_log, value, warnings,
};

#[test]
fn change_ticks_move_only_with_values() {
    let mut app = app_that_sees::<Threat>();
    app.add_derived(|health: Input<Health>| Threat(health.0 / 10));
    let all: Vec<_> = (0..100)
        .map(|i| app.world_mut().spawn(Health(i * 10)).id())
        .collect();
    app.update();
    assert_eq!(seen(&app), all);
    app.update();
    assert_eq!(seen(&app), []);
    set(&mut app, all[3], 31); // comes out equal
    set(&mut app, all[5], 99);
    app.update();
    assert_eq!((seen(&app), runs(&app)), (&[all[5]][..], 2));
}

#[test]
fn when_many_values_move_the_ticks_of_the_others_stay() {
    let mut app = app_that_sees::<Threat>();
    app.add_derived(|health: Input<Health>| Threat(health.0 / 10));
    let all: Vec<_> = (0..1000)
        .map(|i| app.world_mut().spawn(Health(i * 10)).id())
        .collect();
    // Several tables, one of them in another order than the rows.
    for entity in all.iter().rev().step_by(3) {
        app.world_mut().entity_mut(*entity).insert(Armor(0));
    }
    app.update();
    app.update();
    let written: Vec<_> = all.iter().copied().step_by(2).collect();
    for (entity, i) in written.iter().zip((0..).step_by(2)) {
        set(&mut app, *entity, i * 10 + if i % 4 == 0 { 1 } else { 10 });
    }
    app.update();
    let moved: Vec<_> = all.iter().copied().skip(2).step_by(4).collect();
    assert_eq!(seen(&app), moved);
    for (entity, i) in all.iter().zip(0..) {
        let up = if i % 4 == 2 { 1 } else { 0 };
        assert_eq!(value(&app, *entity), Some(Threat(i + up)));
    }
}

#[test]
fn values_that_move_come_and_go_in_one_turn_end_right() {
    let mut app = app();
    app.add_derived(|health: Input<Health>| (health.0 >= 0).then_some(Threat(health.0)));
    let all: Vec<_> = (0..300)
        .map(|i| app.world_mut().spawn(Health(i)).id())
        .collect();
    app.update();
    let next = |i: i32| match i % 3 {
        0 => i + 1,
        1 => -1,
        _ => i,
    };
    for (entity, i) in all.iter().zip(0..) {
        set(&mut app, *entity, next(i));
    }
    let late: Vec<_> = (0..300)
        .map(|i| app.world_mut().spawn(Health(i)).id())
        .collect();
    app.world_mut().despawn(all[6]);
    app.update();
    for (entity, i) in all.iter().zip(0..) {
        let expected = (i % 3 != 1 && i != 6).then(|| Threat(next(i)));
        assert_eq!(value(&app, *entity), expected, "{i}");
    }
    for (entity, i) in late.iter().zip(0..) {
        assert_eq!(value(&app, *entity), Some(Threat(i)));
    }
}

#[test]
fn a_chain_declared_backwards_settles_in_one_frame() {
    let mut app = app_that_sees::<Alarm>();
    app.add_derived(|threat: Input<Threat>| Alarm(threat.0 > 10))
        .add_derived(|health: Input<Health>, armor: Input<Armor>| Threat(health.0 - armor.0))
        .add_derived(|health: Input<Health>| Armor(health.0 / 2));
    let orc = app.world_mut().spawn(Health(10)).id();
    app.update();
    assert_eq!(value(&app, orc), Some(Alarm(false)));
    set(&mut app, orc, 40);
    app.update();
    assert_eq!(
        (value(&app, orc), seen(&app)),
        (Some(Alarm(true)), &[orc][..])
    );
    set(&mut app, orc, 60);
    app.update();
    assert_eq!((value(&app, orc), seen(&app)), (Some(Threat(30)), &[][..]));
}

#[test]
fn a_first_value_is_added_once_and_observers_see_every_other_value_in_place() {
    let mut app = app();
    app.init_resource::<Seen>()
        .add_derived(|health: Input<Health>| Threat(health.0))
        .add_derived(|health: Input<Health>, target: Lookup<Threat>, own: Own| {
            Alarm(health.0 > 0 && target.get(*own).is_some())
        });
    let old = app.world_mut().spawn(Health(1)).id();
    app.update();
    app.world_mut().add_observer(
        move |on: On<Insert<Threat>>, threats: Query<&Threat>, mut log: ResMut<Log>| {
            let old = threats.get(old).expect("it is there").0;
            log.0.push(format!(
                "{} while the other has {old}",
                threats.get(on.entity).expect("it is there").0
            ));
        },
    );
    app.add_systems(
        PostUpdate,
        |added: Query<Entity, Added<Threat>>, mut seen: ResMut<Seen>| {
            seen.0 = added.iter().collect();
        },
    );
    set(&mut app, old, 5);
    let new = app.world_mut().spawn(Health(2)).id();
    app.update();
    assert_eq!(take_log(&mut app), ["2 while the other has 5"]);
    assert!(seen(&app).contains(&new));
    app.update();
    assert_eq!((take_log(&mut app).len(), seen(&app).len()), (0, 0));
}

#[test]
fn none_removes_the_component_and_tells_observers() {
    let mut app = app();
    app.add_derived(|health: Input<Health>| (health.0 > 5).then_some(Alarm(true)));
    app.add_observer(|_: On<Add<Alarm>>, mut log: ResMut<Log>| log.0.push("add".into()));
    app.add_observer(|_: On<Remove<Alarm>>, mut log: ResMut<Log>| log.0.push("remove".into()));
    let orc = app.world_mut().spawn(Health(9)).id();
    for health in [9, 3, 2, 8] {
        set(&mut app, orc, health);
        app.update();
        assert_eq!(value(&app, orc), (health > 5).then_some(Alarm(true)));
    }
    assert_eq!(take_log(&mut app), ["add", "remove", "add"]);
}

#[derive(Component, Clone, PartialEq, Debug)]
#[component(summary_tick)]
struct Glow(i32);

#[derive(Component, Clone, PartialEq, Debug)]
#[component(storage = "SparseSet")]
struct Stagger(i32);

#[test]
fn the_summary_tick_of_a_derived_type_moves_with_its_values_few_or_many() {
    let mut app = app();
    app.init_resource::<Seen>()
        .add_derived(|health: Input<Health>| Glow(health.0 / 10));
    let all: Vec<_> = (0..100)
        .map(|i| app.world_mut().spawn(Health(i * 10)).id())
        .collect();
    let summary = |glows: Query<(Entity, Ref<Glow>)>, mut log: ResMut<Log>| {
        for (_, glow) in glows.contiguous_iter().expect("it lies in tables") {
            let ticks = ContiguousRef::split(glow).1;
            let changed = ticks.is_changed_iter().filter(|changed| *changed).count();
            log.0
                .push(format!("{:?} {changed}", ticks.summary_tick_is_changed()));
        }
    };
    app.add_systems(PostUpdate, summary);
    app.update();
    for written in [0, 1, 60, 100, 0] {
        for (entity, i) in all.iter().zip(0..).take(written) {
            let health = app.world().get::<Health>(*entity).expect("it lives").0;
            set(&mut app, *entity, health + 10);
            assert!(i < 100);
        }
        app.update();
    }
    assert_eq!(
        take_log(&mut app)[1..],
        [
            "Some(false) 0",
            "Some(true) 1",
            "Some(true) 60",
            "Some(true) 100",
            "Some(false) 0"
        ]
    );
}

#[test]
fn a_sparse_derived_component_is_published_exactly() {
    let mut app = app_that_sees::<Stagger>();
    app.add_derived(|health: Input<Health>| (health.0 >= 0).then_some(Stagger(health.0 / 10)));
    let all: Vec<_> = (0..50)
        .map(|i| app.world_mut().spawn(Health(i * 10)).id())
        .collect();
    app.update();
    for entity in &all {
        let health = app.world().get::<Health>(*entity).expect("it lives").0;
        set(
            &mut app,
            *entity,
            health + if health < 250 { 10 } else { 1 },
        );
    }
    app.update();
    assert_eq!(seen(&app), &all[..25]);
    set(&mut app, all[0], -1);
    app.update();
    assert_eq!(value::<Stagger>(&app, all[0]), None);
}

#[test]
fn what_a_clone_brought_along_and_has_no_value_for_is_taken_away_without_a_word() {
    #[derive(Component, Clone, PartialEq, Debug)]
    struct ClonedThreat(i32);
    #[derive(Component, Clone, PartialEq, Debug)]
    struct ClonedAlarm(bool);

    listen();
    let mut app = app();
    app.add_derived(|health: Input<Health>| ClonedThreat(health.0 * 2))
        .add_derived(|threat: Input<ClonedThreat>, level: InputRes<Level>| {
            ClonedAlarm(threat.0 > level.0)
        })
        .insert_resource(Level(1));
    let orc = app.world_mut().spawn(Health(5)).id();
    app.update();
    assert_eq!(value(&app, orc), Some(ClonedAlarm(true)));

    // In the frame of the clone the resource goes, and with it every alarm.
    app.world_mut().remove_resource::<Level>();
    let with_row = app.world_mut().entity_mut(orc).clone_and_spawn();
    app.update();
    assert_eq!(value(&app, with_row), Some(ClonedThreat(10)));
    assert_eq!(value::<ClonedAlarm>(&app, with_row), None);

    // Of one that lost its source nothing is derived; its clone doesn't even get a row.
    app.world_mut().entity_mut(orc).remove::<Health>();
    let without_row = app.world_mut().entity_mut(orc).clone_and_spawn();
    assert_eq!(value(&app, without_row), Some(ClonedThreat(10)), "a clone");
    app.update();
    assert_eq!(value::<ClonedThreat>(&app, orc), None);
    assert_eq!(value::<ClonedThreat>(&app, without_row), None);
    assert_eq!(warnings("Cloned"), Vec::<String>::new());
}
