//! Where Bevy makes an ambiguity an error, the plugin's own systems and sets have none, under either executor.

mod common;

use bevy_app::{App, First, Last, PostUpdate, PreUpdate, Update};
use bevy_ecs::query::Changed;
use bevy_ecs::schedule::{
    InternedScheduleLabel, IntoScheduleConfigs, LogLevel, MultiThreadedExecutor,
    ScheduleBuildSettings, ScheduleLabel, Schedules, SingleThreadedExecutor,
};
use bevy_ecs::system::{Query, ResMut};
use cog_bevy::{CogAppExt, CogFrame, CogLoop, CogPlugin, CogSystems};

use common::{Health, Log, Threat, panics, say, set, take_log, threat, value};

/// The sets, in the order in which they run.
const ORDER: [CogSystems; 6] = [
    CogSystems::Receive,
    CogSystems::Collect,
    CogSystems::Settle,
    CogSystems::Publish,
    CogSystems::React,
    CogSystems::Release,
];

/// An app in which an ambiguity in any schedule is an error.
fn strict(plugin: CogPlugin, is_multi: bool) -> App {
    let mut app = App::new();
    app.add_plugins(plugin).init_resource::<Log>();
    let mut labels = vec![
        First.intern(),
        PreUpdate.intern(),
        Update.intern(),
        PostUpdate.intern(),
        Last.intern(),
        CogFrame.intern(),
    ];
    let is_there = |app: &App, label: InternedScheduleLabel| {
        app.world().resource::<Schedules>().contains(label)
    };
    labels.extend(Some(CogLoop.intern()).filter(|label| is_there(&app, *label)));
    for label in labels {
        app.edit_schedule(label, |schedule| {
            schedule.set_build_settings(ScheduleBuildSettings {
                ambiguity_detection: LogLevel::Error,
                ..ScheduleBuildSettings::default()
            });
            if is_multi {
                schedule.set_executor(MultiThreadedExecutor::new());
            } else {
                schedule.set_executor(SingleThreadedExecutor::new());
            }
        });
    }
    app
}

/// A reader of what is derived, which conflicts with whoever writes it.
fn read(threats: Query<&Threat, Changed<Threat>>, mut log: ResMut<Log>) {
    log.0
        .extend(threats.iter().map(|threat| format!("read {}", threat.0)));
}

#[test]
fn the_plugin_has_no_ambiguity_in_its_own_schedule_or_in_one_that_it_was_given() {
    let plugins = || [CogPlugin::default(), CogPlugin::in_schedule(PostUpdate)];
    for (plugin, is_multi) in plugins()
        .into_iter()
        .flat_map(|p| [(p.clone(), false), (p, true)])
    {
        let mut app = strict(plugin, is_multi);
        app.add_derived(threat)
            .add_reaction(say("t"))
            .add_systems(PostUpdate, read.after(CogLoop));
        let orc = app.world_mut().spawn(Health(1)).id();
        app.update();
        set(&mut app, orc, 4);
        app.update();
        assert_eq!(value(&app, orc), Some(Threat(8)));
        assert_eq!(
            take_log(&mut app),
            ["t - -> 2", "read 2", "t 2 -> 8", "read 8"]
        );
    }
}

#[test]
fn the_witness_a_reader_that_nothing_orders_against_the_cogs_is_an_error() {
    let mut app = strict(CogPlugin::in_schedule(PostUpdate), false);
    app.add_derived(threat).add_systems(PostUpdate, read);
    let said = panics(|| app.update());
    assert!(said.contains("indeterminate execution order"), "{said}");
}

#[test]
fn systems_in_different_sets_need_no_order_of_their_own() {
    for is_multi in [false, true] {
        let mut app = strict(CogPlugin::default(), is_multi);
        app.add_derived(threat);
        for set in ORDER.into_iter().rev() {
            let note = move |mut log: ResMut<Log>| log.0.push(format!("{set:?}"));
            app.add_systems(CogFrame, note.in_set(set));
        }
        app.update();
        let sets = ORDER.map(|set| format!("{set:?}"));
        let said = take_log(&mut app);
        assert_eq!(said[..6], sets);
        assert_eq!(said[6..], sets[..2], "one more look at the sources");
        let schedules = app.world().resource::<Schedules>();
        let graph = schedules.get(CogFrame).expect("it is there").graph();
        assert_eq!(graph.conflicting_systems().len(), 0);
        assert_eq!(
            graph.systems.len(),
            2 * sets.len(),
            "the plugin's, and ours"
        );
    }
}
