//! Where in the frame the cogs turn, how often, and that worlds don't meet.

mod common;

use bevy_app::{
    App, FixedMain, FixedPostUpdate, FixedUpdate, PostUpdate, PreUpdate, ScheduleRunnerPlugin,
    Update,
};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::query::With;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{IntoScheduleConfigs, Schedules};
use bevy_ecs::system::{Query, Res, ResMut};
use bevy_ecs::world::World;
use cog_bevy::{
    CogAppExt, CogFrame, CogLoop, CogPlugin, CogSystems, CogWorldExt, Cogs, Input, InputRes, Moved,
};

use common::{
    Armor, Health, Level, Log, Threat, app, app_with_threat, panics, runs, say, set, take_log,
    threat, value,
};

#[test]
fn what_update_writes_post_update_sees_derived() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.add_systems(Update, |mut all: Query<&mut Health>| {
        all.single_mut().expect("one").0 += 1;
    });
    let note = |all: Query<&Threat>, mut log: ResMut<Log>| {
        log.0
            .push(format!("rendered {}", all.single().expect("one").0));
    };
    app.add_systems(PostUpdate, note);
    app.update();
    app.update();
    assert_eq!(
        take_log(&mut app),
        ["t - -> 4", "rendered 4", "t 4 -> 6", "rendered 6"]
    );
    assert_eq!(value(&app, orc), Some(Threat(6)));
}

#[test]
fn all_writes_of_a_frame_are_one_turn() {
    let mut app = app();
    app.insert_resource(Level(1));
    app.add_derived(
        |health: Input<Health>, armor: Input<Armor>, level: InputRes<Level>| {
            Threat(health.0 + armor.0 + level.0)
        },
    )
    .add_reaction(say("t"));
    app.world_mut().spawn((Health(1), Armor(1)));
    app.update();
    take_log(&mut app);
    app.add_systems(Update, |mut all: Query<&mut Health>| {
        all.single_mut().expect("one").0 = 10;
    });
    app.add_systems(PreUpdate, |mut all: Query<&mut Armor>| {
        all.single_mut().expect("one").0 = 10;
    });
    app.add_systems(PreUpdate, |mut level: ResMut<Level>| level.0 = 10);
    app.update();
    assert_eq!(take_log(&mut app), ["t 3 -> 30"]);
    assert_eq!(runs(&app), 1);
}

#[test]
fn a_system_in_a_set_comes_after_the_plugins_own_work_there() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    take_log(&mut app);
    let note = |step: &'static str| {
        move |all: Query<&Threat>, cogs: Res<Cogs>, mut log: ResMut<Log>| {
            let shown = all.single().expect("one").0;
            let family = cogs.derived::<Threat>().expect("it is derived");
            let settled = cogs.arena().settled(family.at(cog_entity(&all))).is_some();
            log.0.push(format!("{step} {shown} {settled}"));
        }
    };
    fn cog_entity(_: &Query<&Threat>) -> Entity {
        Entity::PLACEHOLDER
    }
    app.add_systems(
        CogFrame,
        (
            note("collect").in_set(CogSystems::Collect),
            note("settle").in_set(CogSystems::Settle),
            note("publish").in_set(CogSystems::Publish),
            note("react").in_set(CogSystems::React),
            note("between")
                .after(CogSystems::Settle)
                .before(CogSystems::Publish),
        ),
    );
    set(&mut app, orc, 2);
    app.update();
    let said = take_log(&mut app);
    let steps: Vec<_> = said
        .iter()
        .map(|line| line.trim_end_matches(" false"))
        .collect();
    assert_eq!(
        steps,
        [
            "collect 2",
            "settle 2",
            "between 2",
            "publish 4",
            "t 2 -> 4",
            "react 4",
            "collect 4",
            "between 4"
        ],
        "own work first; a second pass finds nothing, and only the sets before Settle run in it"
    );
}

#[test]
fn systems_of_a_set_that_conflict_without_an_order_are_an_error() {
    let mut app = app_with_threat();
    let write = |mut all: Query<&mut Health>| all.iter_mut().for_each(|mut health| health.0 += 1);
    let read = |all: Query<&Health>| assert!(all.is_empty());
    app.add_systems(CogFrame, (write, read).in_set(CogSystems::Collect));
    let said = panics(|| app.world_mut().settle_cogs());
    assert!(said.contains("indeterminate execution order"), "{said}");
}

/// An app whose cogs turn in `FixedPostUpdate`, or before `PostUpdate`, with `steps` fixed steps in
/// each frame: the first number for the first frame, and so on.
fn stepped(fixed: bool, steps: &'static [u32]) -> App {
    #[derive(Resource, Default)]
    struct Frame(usize);
    let mut app = App::new();
    app.add_plugins(ScheduleRunnerPlugin::run_once())
        .init_resource::<Log>();
    if fixed {
        app.add_plugins(CogPlugin::in_schedule(FixedPostUpdate));
    } else {
        app.add_plugins(CogPlugin::default());
    }
    app.init_resource::<Frame>()
        .add_derived(threat)
        .add_reaction(say("t"));
    app.add_systems(PreUpdate, |world: &mut World| {
        let frame = world.resource::<Frame>().0;
        for _ in 0..steps[frame] {
            world.run_schedule(FixedMain);
        }
        world.resource_mut::<Frame>().0 += 1;
    });
    app
}

#[test]
fn report_05_a_removal_is_told_once_whichever_schedule_hosts_the_cogs() {
    for fixed in [true, false] {
        let steps: &[u32] = &[1, 0, 0, 0, 1, 3, 0];
        let mut app = stepped(fixed, steps);
        let orc = app.world_mut().spawn(Health(1)).id();
        app.update();
        app.update();
        assert_eq!(take_log(&mut app), ["t - -> 2"]);
        app.world_mut().entity_mut(orc).remove::<Health>();
        // The frame in which the cogs turn next says so, and no other.
        let first = (2..7).find(|&frame| !fixed || 0 < steps[frame]);
        for frame in 2..7 {
            app.update();
            let is_gone = first <= Some(frame);
            let shown = value::<Threat>(&app, orc);
            assert_eq!(shown.is_none(), is_gone, "fixed: {fixed}, {frame}");
            let told: &[&str] = if first == Some(frame) {
                &["t 2 -> -"]
            } else {
                &[]
            };
            assert_eq!(take_log(&mut app), told, "fixed: {fixed}, {frame}");
        }
    }
}

#[test]
fn case_v04_no_removal_is_lost_or_doubled_by_cogs_that_turn_only_sometimes() {
    for fixed in [true, false] {
        let steps: &[u32] = &[1, 0, 3, 0, 0, 1, 2, 0, 1];
        let mut app = stepped(fixed, steps);
        let all: Vec<_> = (1..=8)
            .map(|i| app.world_mut().spawn(Health(i)).id())
            .collect();
        app.update();
        assert_eq!(take_log(&mut app).len(), 8);
        let mut waiting = Vec::new();
        for (at, entity) in all.iter().enumerate() {
            if at % 2 == 0 {
                app.world_mut().despawn(*entity);
            } else {
                app.world_mut().entity_mut(*entity).remove::<Health>();
            }
            waiting.push(format!("t {} -> -", (at + 1) * 2));
            app.update();
            let mut said = take_log(&mut app);
            said.sort();
            let mut expected = Vec::new();
            if !fixed || 0 < steps[at + 1] {
                expected.append(&mut waiting);
                expected.sort();
                assert_eq!(value::<Threat>(&app, *entity), None);
            }
            assert_eq!(said, expected, "fixed: {fixed}, frame {}", at + 1);
        }
        assert_eq!(waiting, Vec::<String>::new());
    }
}

#[test]
fn report_41_what_fixed_update_wrote_is_reflected_in_every_frame_with_a_step() {
    for fixed in [true, false] {
        let mut app = stepped(fixed, &[0, 1, 2, 0, 1]);
        app.add_systems(FixedUpdate, |mut all: Query<&mut Health>| {
            all.single_mut().expect("one").0 += 1;
        });
        let orc = app.world_mut().spawn(Health(0)).id();
        for steps in [0, 1, 3, 3, 4] {
            app.update();
            if steps > 0 || !fixed {
                assert_eq!(value(&app, orc), Some(Threat(steps * 2)), "fixed: {fixed}");
            }
        }
    }
}

#[test]
fn report_42_work_waits_while_a_condition_keeps_the_cogs_from_turning() {
    #[derive(Resource)]
    struct Open(bool);
    let mut app = App::new();
    app.add_plugins(CogPlugin::in_schedule(Update))
        .init_resource::<Log>();
    app.insert_resource(Open(false))
        .add_derived(threat)
        .add_reaction(say("t"));
    app.configure_sets(Update, CogLoop.run_if(|open: Res<Open>| open.0));
    let orc = app.world_mut().spawn(Health(1)).id();
    for i in 0..10 {
        app.world_mut().entity_mut(orc).insert(Health(i));
        app.update();
    }
    assert_eq!(take_log(&mut app), Vec::<String>::new());
    app.insert_resource(Open(true));
    app.update();
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 18"]);
    // Without its resource the loop has nothing to do, and says nothing.
    app.world_mut().remove_resource::<Cogs>();
    app.update();
}

#[test]
fn case_v13_apps_share_nothing() {
    let mut one = app_with_threat();
    let mut two = app();
    two.add_derived(|health: Input<Health>| Threat(-health.0))
        .add_reaction(say("two"));
    let a = one.world_mut().spawn(Health(1)).id();
    let b = two.world_mut().spawn(Health(1)).id();
    one.update();
    two.update();
    set(&mut one, a, 5);
    two.update();
    one.update();
    set(&mut two, b, 7);
    one.update();
    two.update();
    assert_eq!(take_log(&mut one), ["t - -> 2", "t 2 -> 10"]);
    assert_eq!(take_log(&mut two), ["two - -> -1", "two -1 -> -7"]);
}

#[test]
fn one_05_many_apps_side_by_side_trip_over_nothing() {
    let mut apps: Vec<_> = (0..50).map(|_| app_with_threat()).collect();
    for (app, i) in apps.iter_mut().zip(0..) {
        app.world_mut().spawn(Health(i));
    }
    for app in apps.iter_mut().rev() {
        app.update();
    }
    for (mut app, i) in apps.into_iter().zip(0..) {
        assert_eq!(take_log(&mut app), [format!("t - -> {}", i * 2)]);
    }
}

#[test]
fn one_06_a_source_keeps_its_state_while_what_shows_it_is_despawned_and_built_anew() {
    #[derive(Component, Clone, PartialEq)]
    struct Shows;
    #[derive(Component, Clone, PartialEq, Debug)]
    struct Label(String);
    let mut app = app();
    app.insert_resource(Level(1))
        .add_derived(|_: Input<Shows>, level: InputRes<Level>| Label(format!("level {}", level.0)));
    for level in 2..5 {
        let root = app.world_mut().spawn_empty().id();
        let label = app.world_mut().spawn((Shows, ChildOf(root))).id();
        app.update();
        let kept = format!("level {}", level - 1);
        assert_eq!(value(&app, label), Some(Label(kept)));
        app.world_mut().resource_mut::<Level>().0 = level;
        app.world_mut().despawn(root);
        app.update();
    }
}

/// Nothing, of what a closure captured.
fn unit(_: &std::sync::Arc<()>) -> i32 {
    0
}

#[test]
fn case_v15_a_world_may_be_dropped_at_any_time() {
    let mut app = app_with_threat();
    app.world_mut().spawn_batch((0..100).map(Health));
    drop(app);
    // What functions and reactions captured goes with it, once.
    let witness = std::sync::Arc::new(());
    let mut app = app_with_threat();
    let all: Vec<_> = (0..100)
        .map(|health| app.world_mut().spawn(Health(health)).id())
        .collect();
    let (function, reaction, inner) = (witness.clone(), witness.clone(), witness.clone());
    app.add_derived(move |health: Input<Health>| Armor(health.0 + unit(&function)))
        .add_reaction(move |moved: Moved<Armor>, query: Query<&Threat>| {
            assert!(query.contains(all[0]) && all.contains(&moved.entity));
            unit(&reaction);
        });
    app.update();
    let arena = app.world_mut().resource_mut::<Cogs>().into_inner();
    arena.arena_mut().queue(move |_| drop(inner));
    app.world_mut().despawn_all::<With<Health>>();
    assert_eq!(std::sync::Arc::strong_count(&witness), 4);
    drop(app);
    assert_eq!(std::sync::Arc::strong_count(&witness), 1);
}

#[test]
fn the_loop_lies_between_update_and_post_update_and_the_schedule_is_there_to_be_configured() {
    let app = app_with_threat();
    let order = app.world().resource::<bevy_app::MainScheduleOrder>();
    let names: Vec<_> = order
        .labels
        .iter()
        .map(|label| format!("{label:?}"))
        .collect();
    let at = |name: &str| {
        names
            .iter()
            .position(|label| label == name)
            .expect("it is there")
    };
    assert!(
        at("Update") < at("CogLoop") && at("CogLoop") + 1 == at("PostUpdate"),
        "{names:?}"
    );
    assert!(app.world().resource::<Schedules>().contains(CogFrame));
}
