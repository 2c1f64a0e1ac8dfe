//! Declarations: in any order, at any time, and what wrong ones say.

#![expect(clippy::type_complexity, reason = "nested tuples are tested")]

mod common;

use bevy_app::{App, Plugin, SubApp};
use bevy_ecs::component::Component;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use cog_bevy::{
    AsDeclared, CogAppExt, CogPlugin, CogWorldExt, Cogs, Input, InputRes, Lookup, Moved, Own,
    Previous,
};

use common::{Alarm, Armor, Difficulty, Health, Target, Threat, app, panics, runs, value};

fn threat(health: Input<Health>) -> Threat {
    Threat(health.0 * 2)
}

fn another_threat(armor: Input<Armor>) -> Threat {
    Threat(armor.0)
}

/// What declaring on a fresh app says when it panics.
#[track_caller]
fn refusal(declare: impl FnOnce(&mut App)) -> String {
    let mut app = app();
    panics(|| declare(&mut app))
}

/// Ends a chain of declarations.
fn ignore(_: &mut App) {}

#[track_caller]
fn assert_says(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "{said:?} says {part:?}");
    }
}

#[test]
fn one_02_a_second_plugin_is_refused() {
    let said = refusal(|app| {
        app.add_plugins(CogPlugin::default());
    });
    assert_says(&said, &["CogPlugin was added twice", "is_plugin_added"]);
}

#[test]
fn a_missing_plugin_is_named_with_what_to_do() {
    let said = [
        panics(|| ignore(App::new().add_derived(threat))),
        panics(|| ignore(App::new().add_reaction(|_: Moved<Threat>| {}))),
        panics(|| ignore(App::new().source_with::<Health>(|a, b| a == b))),
        panics(|| World::new().settle_cogs()),
    ];
    for said in said {
        assert_says(&said, &["add_plugins(CogPlugin::default())"]);
    }
}

#[test]
fn two_functions_for_one_component_are_refused_with_both_names() {
    let said = refusal(|app| {
        app.add_derived(threat).add_derived(another_threat);
    });
    assert_says(
        &said,
        &[
            "declare::threat",
            "declare::another_threat",
            "derive `Threat`",
            "declare.rs:",
        ],
    );
}

#[test]
fn two_functions_for_one_resource_are_refused() {
    let said = refusal(|app| {
        app.add_derived_resource(|_: InputRes<Level>| Difficulty(1))
            .add_derived_resource(|_: InputRes<Level>| Difficulty(2));
    });
    assert_says(&said, &["derive `Difficulty`", "keep one"]);
}

#[test]
fn a_cycle_of_declared_inputs_is_refused_with_its_path() {
    let said = refusal(|app| {
        app.add_derived(|alarm: Input<Alarm>| Threat(i32::from(alarm.0)))
            .add_derived(|armor: Input<Armor>| Alarm(armor.0 > 0))
            .add_derived(|health: Input<Health>, threat: Option<Input<Threat>>| {
                Armor(health.0 + threat.map_or(0, |t| t.0))
            });
    });
    assert_says(
        &said,
        &[
            "cycle",
            "`Armor`",
            "`Threat`",
            "`Alarm`",
            "declare.rs:",
            "Lookup<C>",
        ],
    );
}

#[test]
fn a_function_that_reads_its_own_result_as_an_input_is_refused() {
    let said = refusal(|app| {
        app.add_derived(|before: Input<Threat>| Threat(before.0 + 1));
    });
    assert_says(&said, &["cycle", "`Threat`", "Previous<C>"]);
}

#[test]
fn a_cycle_through_resources_is_refused() {
    let said = refusal(|app| {
        app.add_derived_resource(|difficulty: InputRes<Difficulty>| Level(difficulty.0))
            .add_derived_resource(|level: InputRes<Level>| Difficulty(level.0));
    });
    assert_says(&said, &["cycle", "`Level`", "`Difficulty`"]);
}

#[test]
fn a_component_without_a_required_input_is_refused() {
    let said = refusal(|app| {
        app.add_derived(|own: Own, healths: Lookup<Health>| {
            Threat(healths.get(*own).map_or(0, |health| health.0))
        });
    });
    assert_says(&said, &["`Threat`", "no `Input<C>`", "which entities"]);
}

#[test]
fn a_resource_with_an_input_of_an_entity_is_refused() {
    let said = refusal(|app| {
        app.add_derived_resource(|health: Input<Health>| Difficulty(health.0));
    });
    assert_says(&said, &["`Difficulty`", "belongs to no entity"]);
}

#[test]
fn the_previous_value_of_something_else_is_refused() {
    let said = refusal(|app| {
        app.add_derived(|health: Input<Health>, _: Previous<Armor>| Threat(health.0));
    });
    assert_says(&said, &["`Previous<Armor>`", "`Previous<Threat>`"]);
}

#[test]
fn a_reaction_to_what_nobody_derives_is_refused_when_the_frame_begins() {
    let said = refusal(|app| {
        app.add_reaction(|_: Moved<Threat>| {});
        app.update();
    });
    assert_says(
        &said,
        &[
            "`Threat`",
            "no function derives as a component",
            "declare.rs:",
            "Changed<Threat>",
        ],
    );
}

#[test]
fn deriving_what_a_running_app_reads_as_a_source_is_too_late() {
    let said = refusal(|app| {
        app.add_derived(|threat: Input<Threat>| Alarm(threat.0 > 1));
        app.update();
        app.add_derived(threat);
    });
    assert_says(&said, &["`Threat` too late", "as a source"]);
}

#[derive(Component, Clone, Debug)]
struct Foreign(f32);

#[test]
fn a_source_without_an_equality_is_refused_with_what_to_declare() {
    let said = refusal(|app| {
        app.add_derived(|foreign: Input<Foreign, AsDeclared>| Alarm(foreign.0 > 1.0));
        app.update();
    });
    assert_says(&said, &["`Foreign`", "source_with::<Foreign>"]);
}

#[test]
fn a_source_is_declared_once_in_time_and_not_derived() {
    let equal = |a: &Health, b: &Health| a == b;
    let twice = refusal(|app| ignore(app.source_with(equal).source_with(equal)));
    assert_says(&twice, &["`Health`", "twice"]);
    let late = refusal(|app| {
        app.add_derived(threat).update();
        app.source_with(equal);
    });
    assert_says(&late, &["already a source", "declare::threat"]);
    let derived = refusal(|app| ignore(app.add_derived(threat).source_with::<Threat>(|_, _| true)));
    assert_says(&derived, &["`Threat` is derived by"]);
    let both = refusal(|app| ignore(app.source_with::<Threat>(|_, _| true).add_derived(threat)));
    assert_says(&both, &["`Threat`", "source_with"]);
}

#[test]
fn a_custom_equality_decides_what_is_a_change() {
    let mut app = app();
    app.source_with::<Foreign>(|a, b| (a.0 - b.0).abs() < 1.0)
        .add_derived(|foreign: Input<Foreign, AsDeclared>| Alarm(foreign.0 > 10.0));
    let orc = app.world_mut().spawn(Foreign(9.5)).id();
    app.update();
    app.world_mut().entity_mut(orc).insert(Foreign(10.3));
    app.update();
    assert_eq!((value(&app, orc), runs(&app)), (Some(Alarm(false)), 0));
    app.world_mut().entity_mut(orc).insert(Foreign(10.6));
    app.update();
    assert_eq!((value(&app, orc), runs(&app)), (Some(Alarm(true)), 1));
}

#[derive(Resource, Clone, PartialEq, Debug)]
struct Level(i32);

#[test]
fn parameters_nest_and_come_up_to_twelve() {
    let mut app = app();
    app.insert_resource(Level(1));
    app.add_derived(
        |(a, (b, c)): (Input<Health>, (Option<Input<Armor>>, InputRes<Level>)),
         d: Option<InputRes<Difficulty>>,
         own: Own,
         healths: Lookup<Health>,
         before: Previous<Threat>,
         e: Input<Health>,
         f: Input<Health>,
         g: Input<Health>,
         h: Input<Health>,
         i: Input<Health>,
         j: Input<Health>,
         (): ()| {
            let seen = healths.get(*own).map_or(0, |health| health.0);
            let inputs = a.0 + b.map_or(0, |b| b.0) + c.0 + d.map_or(0, |d| d.0) + seen;
            let rest = e.0 + f.0 + g.0 + h.0 + i.0 + j.0;
            Threat(inputs + rest + before.map_or(0, |before| before.0))
        },
    );
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(9)));
    app.insert_resource(Difficulty(100));
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(118)));
}

#[test]
fn a_value_may_follow_from_the_same_value_of_another_entity() {
    #[derive(Component, Clone, PartialEq, Debug)]
    struct Depth(u32);
    let mut app = app();
    app.add_derived(|parent: Input<Target>, own: Own, depths: Lookup<Depth>| {
        let parent = Some(parent.0).filter(|parent| *parent != *own);
        Depth(parent.map_or(0, |parent| {
            depths.get(parent).map_or(0, |depth| depth.0) + 1
        }))
    });
    let world = app.world_mut();
    let root = world.spawn_empty().id();
    world.entity_mut(root).insert(Target(root));
    let mut last = root;
    for _ in 0..50 {
        last = world.spawn(Target(last)).id();
    }
    app.update();
    assert_eq!((value(&app, last), runs(&app)), (Some(Depth(50)), 51));
    // A new root further down.
    let middle = app.world().get::<Target>(last).expect("it has a parent").0;
    app.world_mut().entity_mut(middle).insert(Target(middle));
    app.update();
    assert_eq!((value(&app, last), runs(&app)), (Some(Depth(1)), 2));
}

#[test]
fn two_functions_may_look_each_other_up_on_different_entities() {
    #[derive(Component, Clone, PartialEq, Debug)]
    struct Ask(i32);
    let mut app = app();
    app.add_derived(
        |health: Input<Health>, target: Option<Input<Target>>, asks: Lookup<Ask>| {
            Threat(health.0 + target.and_then(|t| asks.get(t.0)).map_or(0, |ask| ask.0))
        },
    )
    .add_derived(
        |armor: Input<Armor>, target: Option<Input<Target>>, threats: Lookup<Threat>| {
            Ask(armor.0
                + target
                    .and_then(|t| threats.get(t.0))
                    .map_or(0, |threat| threat.0))
        },
    );
    let a = app.world_mut().spawn((Health(1), Armor(10))).id();
    let b = app
        .world_mut()
        .spawn((Health(2), Armor(20), Target(a)))
        .id();
    let c = app
        .world_mut()
        .spawn((Health(3), Armor(30), Target(b)))
        .id();
    app.update();
    assert_eq!(
        (value(&app, c), value(&app, c)),
        (Some(Threat(3 + 21)), Some(Ask(30 + 12)))
    );
}

#[test]
fn rows_that_look_each_other_up_in_a_circle_are_named_and_the_next_frame_is_normal() {
    const ROWS: usize = 50;
    let mut app = app();
    app.add_derived(|target: Input<Target>, threats: Lookup<Threat>| {
        Threat(threats.get(target.0).map_or(0, |threat| threat.0) + 1)
    });
    let world = app.world_mut();
    let end = world.spawn_empty().id();
    let beside = world.spawn(Target(end)).id();
    let ring: Vec<_> = (0..ROWS).map(|_| world.spawn_empty().id()).collect();
    let leads: Vec<_> = ring
        .iter()
        .map(|&at| world.spawn(Target(at)).id())
        .collect();
    for at in 0..ROWS {
        world
            .entity_mut(ring[at])
            .insert(Target(ring[(at + 1) % ROWS]));
    }
    let shown = |app: &App| {
        let values = |all: &[_]| all.iter().map(|&at| value(app, at)).collect::<Vec<_>>();
        (values(&ring), values(&leads))
    };
    let mut before = (vec![None; ROWS], vec![None; ROWS]);
    for open in 0..ROWS {
        let said = panics(|| app.world_mut().settle_cogs());
        assert_says(&said, &["cycle"]);
        let named = |at: &&_| said.contains(&format!("Threat[{at}]"));
        assert!(2 <= ring.iter().filter(named).count(), "{said}");
        assert_eq!(leads.iter().filter(named).count(), 0, "{said}");
        assert_eq!(shown(&app), before, "what is not known stays as it was");
        assert_eq!(value(&app, beside), Some(Threat(1)));

        app.world_mut().entity_mut(ring[open]).insert(Target(end));
        app.update();
        let steps = |at: usize| i32::try_from((open + ROWS - at) % ROWS).expect("it is small");
        let right = |add| (0..ROWS).map(|at| Some(Threat(steps(at) + add))).collect();
        before = (right(1), right(2));
        assert_eq!(shown(&app), before, "opened at {open}");
        let next = ring[(open + 1) % ROWS];
        app.world_mut().entity_mut(ring[open]).insert(Target(next));
    }
}

#[test]
fn one_01_a_plugin_inserts_the_cogs_that_systems_share() {
    struct Rules;
    impl Plugin for Rules {
        fn build(&self, app: &mut App) {
            if !app.is_plugin_added::<CogPlugin>() {
                app.add_plugins(CogPlugin::default());
            }
            app.add_derived(threat);
        }
    }
    let mut app = App::new();
    app.add_plugins(Rules);
    let orc = app.world_mut().spawn(Health(2)).id();
    app.update();
    let cogs = app.world().resource::<Cogs>();
    let family = cogs.derived::<Threat>().expect("it is derived");
    assert_eq!(cogs.arena().settled(family.at(orc)), Some(&Threat(4)));
}

#[test]
fn a_sub_app_declares_on_its_own_world() {
    let mut app = app();
    let mut sub = SubApp::new();
    std::mem::swap(app.main_mut(), &mut sub);
    sub.add_derived(threat);
    let orc = sub.world_mut().spawn(Health(3)).id();
    sub.world_mut().settle_cogs();
    assert_eq!(sub.world().get::<Threat>(orc), Some(&Threat(6)));
    assert!(!app.world().contains_resource::<Cogs>());
}
