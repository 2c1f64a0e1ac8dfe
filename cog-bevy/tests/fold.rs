//! Resources that follow from all entities that have a component.

mod common;

use std::cmp::Reverse;

use bevy_ecs::change_detection::DetectChanges;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Res, ResMut};
use cog_bevy::arena::{Over, Sorted};
use cog_bevy::{CogAppExt, Input, InputRes};

use common::{Alarm, Difficulty, Health, Level, Log, Runs, Threat, app, runs, take_log};

#[derive(Resource, Clone, Copy, Debug, PartialEq)]
struct Total(i64);

#[derive(Resource, Clone, Debug, PartialEq)]
struct Podium(Vec<Entity>);

#[test]
fn a_total_follows_entities_that_come_move_and_go() {
    let mut app = app();
    let looked = Runs::default();
    let count = looked.clone();
    app.add_derived(|health: Input<Health>| Threat(health.0 * 2))
        .add_fold(
            move |threats: Over<'_, Entity, Threat>| {
                threats.sum_by(move |_, threat| {
                    count.count();
                    i64::from(threat.0)
                })
            },
            |sum| Total(*sum),
        );
    let all: Vec<Entity> = (0..1000)
        .map(|health| app.world_mut().spawn(Health(health)).id())
        .collect();
    app.update();
    assert_eq!(app.world().resource::<Total>(), &Total(999_000));
    assert_eq!(looked.take(), 1000);

    app.world_mut()
        .get_mut::<Health>(all[3])
        .expect("it lives")
        .0 = 13;
    app.world_mut().despawn(all[999]);
    app.world_mut().entity_mut(all[10]).remove::<Health>();
    app.world_mut().spawn(Health(1));
    app.update();
    assert_eq!(
        app.world().resource::<Total>(),
        &Total(999_000 + 20 - 2 * 999 - 20 + 2)
    );
    assert_eq!(
        looked.take(),
        2,
        "one moved, one came; two that went cost no call"
    );
    app.update();
    assert_eq!((runs(&app), looked.take()), (0, 0));
}

#[test]
fn an_equal_fold_moves_no_change_tick_and_runs_nothing_beyond() {
    let mut app = app();
    app.add_fold(
        |healths: Over<'_, Entity, Health>| healths.count_by(|_, health| 0 < health.0),
        |alive| Level(i32::try_from(*alive).expect("few")),
    )
    .add_derived_resource(|level: InputRes<Level>| Difficulty(level.0 * 10))
    .add_derived(|health: Input<Health>, level: InputRes<Level>| Alarm(health.0 < level.0))
    .add_systems(
        bevy_app::PostUpdate,
        |level: Res<Level>, mut log: ResMut<Log>| {
            if level.is_changed() {
                log.0.push(level.0.to_string());
            }
        },
    );
    let all: Vec<Entity> = (0..4)
        .map(|health| app.world_mut().spawn(Health(health)).id())
        .collect();
    app.update();
    assert_eq!(take_log(&mut app), ["3"]);
    assert_eq!(app.world().resource::<Difficulty>(), &Difficulty(30));
    assert_eq!(app.world().get::<Alarm>(all[3]), Some(&Alarm(false)));

    app.world_mut()
        .get_mut::<Health>(all[1])
        .expect("it lives")
        .0 = 7;
    app.update();
    assert!(take_log(&mut app).is_empty());
    assert_eq!(runs(&app), 2, "the count, and the one alarm");

    app.world_mut()
        .get_mut::<Health>(all[1])
        .expect("it lives")
        .0 = 0;
    app.update();
    assert_eq!(take_log(&mut app), ["2"]);
    assert_eq!(app.world().get::<Alarm>(all[3]), Some(&Alarm(false)));
    assert_eq!(app.world().get::<Alarm>(all[1]), Some(&Alarm(true)));
}

#[test]
fn a_resource_may_show_the_top_of_a_ranking_and_go_when_there_is_none() {
    let mut app = app();
    app.add_fold(
        |healths: Over<'_, Entity, Health>| healths.sorted_by(|_, health| Reverse(health.0)),
        |ranking: &Sorted<Entity, Reverse<i32>>| {
            let top: Vec<Entity> = ranking.keys().take(2).copied().collect();
            (!top.is_empty()).then_some(Podium(top))
        },
    );
    app.update();
    assert!(!app.world().contains_resource::<Podium>());
    let all: Vec<Entity> = [5, 9, 7]
        .map(|health| app.world_mut().spawn(Health(health)).id())
        .to_vec();
    app.update();
    assert_eq!(app.world().resource::<Podium>().0, [all[1], all[2]]);
    app.world_mut().despawn(all[1]);
    app.update();
    assert_eq!(app.world().resource::<Podium>().0, [all[2], all[0]]);
    app.world_mut().despawn(all[0]);
    app.world_mut().despawn(all[2]);
    app.update();
    assert!(!app.world().contains_resource::<Podium>());
}

#[test]
fn a_fold_may_be_declared_when_entities_are_there_and_in_any_order() {
    let mut app = app();
    let orc = app.world_mut().spawn(Health(5)).id();
    app.update();
    app.add_derived(|health: Input<Health>, total: InputRes<Total>| {
        Alarm(i64::from(health.0) < total.0)
    })
    .add_fold(
        |threats: Over<'_, Entity, Threat>| threats.max_by(|_, threat| threat.0),
        |max| Total(i64::from(max.unwrap_or(0))),
    )
    .add_derived(|health: Input<Health>| Threat(health.0 * 2));
    app.update();
    assert_eq!(app.world().resource::<Total>(), &Total(10));
    assert_eq!(app.world().get::<Alarm>(orc), Some(&Alarm(true)));
}

#[test]
#[should_panic(expected = "declared inputs form a cycle")]
fn a_fold_over_what_follows_from_it_is_refused() {
    let mut app = app();
    app.add_fold(
        |threats: Over<'_, Entity, Threat>| threats.count(),
        |count| Level(i32::try_from(*count).expect("few")),
    )
    .add_derived(|health: Input<Health>, level: InputRes<Level>| Threat(health.0 + level.0));
}
