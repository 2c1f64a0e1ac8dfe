//! Faults of the plugin that were found by trying, one test for each.

mod common;

use bevy_ecs::component::Component;
use bevy_ecs::lifecycle::{Add, Insert, Remove};
use bevy_ecs::observer::On;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Commands, Local, Query, Res, ResMut};
use bevy_ecs::world::World;
use cog_bevy::{
    AsDeclared, CogAppExt, CogFrame, CogSystems, CogWorldExt, CogWriter, Cogs, Input, InputRes,
    Moved,
};

use common::{
    Alarm, Armor, Health, Level, Log, Threat, app, app_with_threat, panics, say, set, take_log,
    threat, value,
};

#[derive(Component, Clone, PartialEq, Debug)]
struct A(i32);

#[derive(Component, Clone, PartialEq, Debug)]
struct B(i32);

#[derive(Resource, Clone, PartialEq, Debug)]
struct Rd(i32);

fn say_a(moved: Moved<A>, mut log: ResMut<Log>) {
    let show = |a: Option<&A>| a.map(|a| a.0);
    log.0
        .push(format!("A {:?} -> {:?}", show(moved.old), show(moved.new)));
}

#[test]
fn a_reaction_that_returns_an_error_keeps_no_other_from_running_then_or_later() {
    let mut app = app();
    app.add_derived(threat)
        .add_reaction(|moved: Moved<Threat>| -> bevy_ecs::error::Result {
            match moved.new {
                Some(Threat(4)) => Err("nobody answers".into()),
                _ => Ok(()),
            }
        })
        .add_reaction(say("b"));
    let [orc, elf] = [1, 10].map(|health| app.world_mut().spawn(Health(health)).id());
    app.update();
    assert_eq!(take_log(&mut app), ["b - -> 2", "b - -> 20"]);
    set(&mut app, orc, 2);
    set(&mut app, elf, 11);
    let said = panics(|| app.world_mut().settle_cogs());
    assert!(said.contains("nobody answers"), "{said}");
    assert_eq!(take_log(&mut app), ["b 2 -> 4", "b 20 -> 22"]);
    set(&mut app, orc, 5);
    app.update();
    assert_eq!(take_log(&mut app), ["b 4 -> 10"]);
}

#[test]
fn a_reaction_without_its_resource_hears_again_when_the_resource_is_back() {
    let mut app = app();
    app.insert_resource(Level(1));
    app.add_derived(threat).add_reaction(
        |moved: Moved<Threat>, level: Res<Level>, mut log: ResMut<Log>| {
            log.0
                .push(format!("{} {:?}", level.0, moved.new.map(|t| t.0)));
        },
    );
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    app.world_mut().remove_resource::<Level>();
    set(&mut app, orc, 2);
    panics(|| app.world_mut().settle_cogs());
    app.insert_resource(Level(2));
    set(&mut app, orc, 3);
    app.update();
    assert_eq!(take_log(&mut app), ["1 Some(2)", "2 Some(6)"]);
}

#[test]
fn a_reaction_may_be_declared_with_its_component_by_a_reaction_or_a_system_of_a_set() {
    let mut app = app();
    app.add_derived(threat).add_reaction(
        |_: Moved<Threat>, world: &mut World, mut done: Local<bool>| {
            if !std::mem::replace(&mut *done, true) {
                world.add_derived(|threat: Input<Threat>| A(threat.0));
                world.add_reaction(say_a);
            }
        },
    );
    let orc = app.world_mut().spawn(Health(3)).id();
    app.update();
    set(&mut app, orc, 5);
    app.update();
    assert_eq!(
        take_log(&mut app),
        ["A None -> Some(6)", "A Some(6) -> Some(10)"]
    );
    for step in [CogSystems::Receive, CogSystems::Settle, CogSystems::Publish] {
        let mut app = app_with_threat();
        let declare = |world: &mut World, mut done: Local<bool>| {
            if !std::mem::replace(&mut *done, true) {
                world.add_derived(|threat: Input<Threat>| A(threat.0));
                world.add_reaction(say_a);
            }
        };
        app.add_systems(CogFrame, declare.in_set(step));
        let orc = app.world_mut().spawn(Health(3)).id();
        app.update();
        app.update();
        take_log(&mut app);
        set(&mut app, orc, 5);
        app.update();
        assert_eq!(
            take_log(&mut app),
            ["t 6 -> 10", "A Some(6) -> Some(10)"],
            "{step:?}"
        );
    }
}

#[test]
fn reactions_to_nothing_are_refused_one_by_one_and_hear_once_there_is_something() {
    let mut app = app();
    app.add_reaction(|_: Moved<B>| {}).add_reaction(say_a);
    let orc = app.world_mut().spawn(Health(3)).id();
    for name in ["`B`", "`A`"] {
        let said = panics(|| app.world_mut().settle_cogs());
        assert!(said.contains(name), "{said}");
    }
    app.add_derived(|health: Input<Health>| A(health.0));
    app.update();
    set(&mut app, orc, 4);
    app.update();
    assert_eq!(
        take_log(&mut app),
        ["A None -> Some(3)", "A Some(3) -> Some(4)"]
    );
}

#[test]
fn a_missing_equality_makes_no_reaction_deaf() {
    #[derive(Component, Clone)]
    struct Odd(i32);
    let mut app = app_with_threat();
    app.add_derived(|_: Input<Armor>, odd: Input<Odd, AsDeclared>| A(odd.0));
    let orc = app.world_mut().spawn((Health(3), Armor(0), Odd(7))).id();
    panics(|| app.world_mut().settle_cogs());
    app.source_with::<Odd>(|a, b| a.0 == b.0);
    app.update();
    set(&mut app, orc, 4);
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 6", "t 6 -> 8"]);
    assert_eq!(value(&app, orc), Some(A(7)));
}

#[cfg(debug_assertions)]
#[test]
fn what_an_observer_writes_while_a_component_is_published_is_put_right() {
    let mut app = app();
    app.add_derived(|health: Input<Health>| Alarm(health.0 > 1))
        .add_derived(threat);
    app.add_observer(|added: On<Add<Threat>>, mut all: Query<&mut Threat>| {
        all.get_mut(added.entity).expect("it was just added").0 = 99;
    });
    app.add_observer(|_: On<Add<Alarm>>, mut all: Query<&mut Threat>| {
        all.iter_mut().for_each(|mut threat| threat.0 = 98);
    });
    app.add_observer(
        |removed: On<Remove<Threat>>, mut commands: Commands, mut done: Local<bool>| {
            if !std::mem::replace(&mut *done, true) {
                commands.entity(removed.entity).insert(Threat(77));
            }
        },
    );
    let orc = app.world_mut().spawn((Health(1), Armor(1))).id();
    app.update();
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(1)));
    app.world_mut().spawn(Health(2));
    app.update();
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(1)));
    app.world_mut().entity_mut(orc).remove::<Health>();
    app.update();
    app.update();
    assert_eq!(value::<Threat>(&app, orc), None);
}

#[cfg(debug_assertions)]
#[test]
fn a_foreign_resource_is_put_right_whoever_wrote_it_and_when() {
    let mut app = app();
    app.add_derived_resource(|level: InputRes<Level>| Rd(level.0));
    app.update();
    app.insert_resource(Rd(99));
    app.update();
    assert_eq!(app.world().get_resource::<Rd>(), None, "it has no value");
    app.add_observer(
        |_: On<Insert<Rd>>, mut rd: ResMut<Rd>, mut done: Local<bool>| {
            if !std::mem::replace(&mut *done, true) {
                rd.0 = 98;
            }
        },
    );
    app.insert_resource(Level(3));
    app.update();
    app.update();
    assert_eq!(app.world().get_resource::<Rd>(), Some(&Rd(3)));
    app.add_observer(
        |_: On<Remove<Rd>>, mut commands: Commands, mut done: Local<bool>| {
            if !std::mem::replace(&mut *done, true) {
                commands.insert_resource(Rd(97));
            }
        },
    );
    app.world_mut().remove_resource::<Level>();
    app.update();
    app.update();
    assert_eq!(app.world().get_resource::<Rd>(), None);
}

#[test]
fn what_a_system_of_a_set_writes_is_settled_in_the_same_frame() {
    for step in [
        CogSystems::Collect,
        CogSystems::Settle,
        CogSystems::Publish,
        CogSystems::React,
        CogSystems::Release,
    ] {
        let mut app = app();
        app.add_derived(threat);
        let heal = |mut all: Query<&mut Health>| {
            for mut health in all.iter_mut().filter(|health| health.0 == 1) {
                health.0 = 5;
            }
        };
        app.add_systems(CogFrame, heal.in_set(step));
        let orc = app.world_mut().spawn(Health(1)).id();
        app.update();
        assert_eq!(value(&app, orc), Some(Threat(10)), "{step:?}");
    }
}

#[test]
fn a_source_that_a_derived_component_brings_along_is_settled_in_the_same_frame() {
    #[derive(Component, Clone, PartialEq, Default)]
    struct Marker(i32);
    #[derive(Component, Clone, PartialEq, Debug)]
    #[require(Marker)]
    struct Requiring(i32);
    let mut app = app();
    app.add_derived(|health: Input<Health>| Requiring(health.0))
        .add_derived(|marker: Input<Marker>| Alarm(marker.0 == 0));
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    assert_eq!(value(&app, orc), Some(Alarm(true)));
}

#[test]
fn a_turn_queued_by_a_system_of_the_last_set_is_taken_in_the_same_frame() {
    let mut app = app();
    let clicks = app.world_mut().resource_mut::<Cogs>().arena_mut().source(0);
    let click = move |mut writer: CogWriter, mut done: Local<bool>| {
        if !std::mem::replace(&mut *done, true) {
            writer.turn(move |w| w.set(clicks, 1));
        }
    };
    app.add_systems(CogFrame, click.in_set(CogSystems::Release));
    app.update();
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    assert_eq!(*cogs.arena_mut().read(clicks), 1);
}
