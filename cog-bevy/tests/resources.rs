//! Resources, as sources and as derived values.

mod common;

use bevy_app::PostUpdate;
use bevy_ecs::change_detection::DetectChanges;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::common_conditions::resource_changed;
use bevy_ecs::schedule::{IntoScheduleConfigs, SystemCondition};
use bevy_ecs::system::{Res, ResMut};
use cog_bevy::{CogAppExt, Input, InputRes};

use common::{Difficulty, Health, Level, Log, Threat, app, runs, take_log, value};

#[test]
fn a_derived_resource_comes_moves_and_goes_with_its_inputs() {
    let mut app = app();
    app.add_derived_resource(|level: InputRes<Level>| {
        (level.0 < 100).then_some(Difficulty(level.0 / 10))
    });
    app.add_systems(
        PostUpdate,
        (|difficulty: Res<Difficulty>, mut log: ResMut<Log>| log.0.push(difficulty.0.to_string()))
            .run_if(|difficulty: Option<Res<Difficulty>>| {
                difficulty.is_some_and(|d| d.is_changed())
            }),
    );
    app.update();
    assert!(!app.world().contains_resource::<Difficulty>());
    for level in [10, 11, 25, 250, 30] {
        app.insert_resource(Level(level));
        app.update();
        let expected = (level < 100).then_some(Difficulty(level / 10));
        assert_eq!(app.world().get_resource::<Difficulty>(), expected.as_ref());
    }
    app.world_mut().remove_resource::<Level>();
    app.update();
    assert!(!app.world().contains_resource::<Difficulty>());
    assert_eq!(take_log(&mut app), ["1", "2", "3"]);
}

#[test]
fn case_v07_a_resource_removed_and_inserted_again_within_a_frame_counts_by_its_value() {
    let mut app = app();
    app.insert_resource(Level(20))
        .add_derived(|health: Input<Health>, level: InputRes<Level>| Threat(health.0 + level.0));
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    assert_eq!((value(&app, orc), runs(&app)), (Some(Threat(21)), 1));
    app.world_mut().remove_resource::<Level>();
    app.insert_resource(Level(20));
    app.update();
    assert_eq!((value(&app, orc), runs(&app)), (Some(Threat(21)), 0));
    app.insert_resource(Level(5));
    app.world_mut().remove_resource::<Level>();
    app.insert_resource(Level(30));
    app.update();
    assert_eq!((value(&app, orc), runs(&app)), (Some(Threat(31)), 1));
    app.world_mut().remove_resource::<Level>();
    app.update();
    assert_eq!(value::<Threat>(&app, orc), None);
}

#[test]
fn an_optional_resource_may_come_late_and_go() {
    let mut app = app();
    app.add_derived(|health: Input<Health>, level: Option<InputRes<Level>>| {
        Threat(health.0 + level.map_or(1000, |level| level.0))
    });
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(1001)));
    app.insert_resource(Level(2));
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(3)));
    app.world_mut().remove_resource::<Level>();
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(1001)));
}

#[test]
fn case_v10_a_condition_that_was_not_asked_for_many_frames_tells_of_the_change_once() {
    #[derive(Resource)]
    struct Open(bool);
    fn is_open(open: Res<Open>) -> bool {
        open.0
    }

    let mut app = app();
    app.insert_resource(Level(10))
        .insert_resource(Open(false))
        .add_derived_resource(|level: InputRes<Level>| Difficulty(level.0 / 10));
    app.add_systems(
        PostUpdate,
        (|mut log: ResMut<Log>| log.0.push("changed".into()))
            .run_if(is_open.and_then(resource_changed::<Difficulty>)),
    );
    app.update();
    app.insert_resource(Level(20));
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(take_log(&mut app), Vec::<String>::new());
    app.insert_resource(Open(true));
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(take_log(&mut app), ["changed"]);
}
