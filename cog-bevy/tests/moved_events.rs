//! What observers and readers of messages are told: each real move, once, wherever and whenever they run.

mod common;

use bevy_app::{
    App, FixedMain, FixedPostUpdate, FixedUpdate, PostUpdate, PreUpdate, RunFixedMainLoop,
};
use bevy_ecs::component::Component;
use bevy_ecs::message::{Message, MessageReader, MessageWriter, signal_message_update_system};
use bevy_ecs::observer::On;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Commands, Query, ResMut};
use bevy_ecs::world::World;
use cog_bevy::{
    CogAppExt, CogMoved, CogPlugin, CogResourceMoved, CogWorldExt, Cogs, Input, InputRes,
};

use common::{Alarm, Health, Level, Log, Threat, app, line, panics, say, set, take_log, threat};

/// An observer that logs.
fn hear(
    who: &'static str,
) -> impl FnMut(On<CogMoved<Threat>>, ResMut<Log>) + Send + Sync + 'static {
    move |moved: On<CogMoved<Threat>>, mut log: ResMut<Log>| {
        log.0
            .push(line(who, moved.old, moved.new, |threat| threat.0));
    }
}

/// A reader that logs.
fn read(
    who: &'static str,
) -> impl FnMut(MessageReader<CogMoved<Threat>>, ResMut<Log>) + Send + Sync + 'static {
    move |mut messages: MessageReader<CogMoved<Threat>>, mut log: ResMut<Log>| {
        for moved in messages.read() {
            log.0
                .push(line(who, moved.old, moved.new, |threat| threat.0));
        }
    }
}

/// How many fixed steps the next frame makes.
#[derive(Resource, Default)]
struct Steps(u32);

/// An app whose frames make as many fixed steps as they are told to, in the way of Bevy's `Time<Fixed>`.
fn app_with_steps(plugin: CogPlugin) -> App {
    let mut app = App::new();
    app.add_plugins(plugin)
        .init_resource::<Log>()
        .init_resource::<Steps>()
        .add_systems(FixedPostUpdate, signal_message_update_system)
        .add_systems(RunFixedMainLoop, |world: &mut World| {
            for _ in 0..world.resource::<Steps>().0 {
                world.run_schedule(FixedMain);
            }
        });
    app
}

fn frame(app: &mut App, steps: u32) {
    app.world_mut().resource_mut::<Steps>().0 = steps;
    app.update();
}

#[test]
fn an_observer_is_told_of_each_move_once_with_the_value_before() {
    let mut app = app();
    app.add_derived(threat)
        .add_moved_events::<Threat>()
        .add_observer(hear("o"));
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    app.update();
    set(&mut app, orc, 2);
    app.update();
    set(&mut app, orc, 2);
    app.update();
    app.world_mut().despawn(orc);
    app.update();
    assert_eq!(take_log(&mut app), ["o - -> 2", "o 2 -> 4", "o 4 -> -"]);
}

#[test]
fn an_entity_s_own_observer_hears_of_that_entity_alone() {
    let mut app = app();
    app.add_derived(threat).add_moved_events::<Threat>();
    let [orc, elf] = [1, 2].map(|health| app.world_mut().spawn(Health(health)).id());
    app.world_mut().entity_mut(elf).observe(hear("elf"));
    app.update();
    for entity in [orc, elf] {
        set(&mut app, entity, 5);
    }
    app.update();
    assert_eq!(take_log(&mut app), ["elf - -> 4", "elf 4 -> 10"]);
}

#[test]
fn events_have_their_place_among_the_reactions_and_see_what_is_published() {
    let mut app = app();
    app.add_derived(threat)
        .add_derived(|threat: Input<Threat>| Alarm(threat.0 > 10))
        .add_reaction(say("before"))
        .add_moved_events::<Threat>()
        .add_reaction(say("after"));
    app.add_observer(
        |moved: On<CogMoved<Threat>>, all: Query<(&Threat, &Alarm)>, mut log: ResMut<Log>| {
            let (threat, alarm) = all.get(moved.entity).expect("both are there");
            assert_eq!(Some(*threat), moved.new);
            log.0.push(format!("event {} {}", threat.0, alarm.0));
        },
    );
    app.world_mut().spawn(Health(9));
    app.update();
    assert_eq!(
        take_log(&mut app),
        ["before - -> 18", "event 18 true", "after - -> 18"]
    );
}

#[test]
fn what_an_observer_writes_is_a_later_turn_of_the_same_frame() {
    let mut app = app();
    app.add_derived(threat)
        .add_moved_events::<Threat>()
        .add_observer(hear("o"))
        .add_observer(|moved: On<CogMoved<Threat>>, mut all: Query<&mut Health>| {
            let mut health = all.get_mut(moved.entity).expect("it lives");
            if health.0 < 4 {
                health.0 += 1;
            }
        });
    app.world_mut().spawn(Health(2));
    app.update();
    assert_eq!(take_log(&mut app), ["o - -> 4", "o 4 -> 6", "o 6 -> 8"]);
}

#[test]
fn commands_of_an_observer_apply_before_the_next_move_is_told() {
    #[derive(Component)]
    struct Seen;
    let mut app = app();
    app.add_derived(threat)
        .add_moved_events::<Threat>()
        .add_observer(
            |moved: On<CogMoved<Threat>>,
             seen: Query<&Seen>,
             mut log: ResMut<Log>,
             mut commands: Commands| {
                log.0.push(seen.iter().count().to_string());
                commands.entity(moved.entity).insert(Seen);
            },
        );
    app.world_mut()
        .spawn_batch([Health(1), Health(2), Health(3)]);
    app.update();
    assert_eq!(take_log(&mut app), ["0", "1", "2"]);
}

#[test]
fn asked_for_twice_and_late_events_tell_once_of_what_is_there() {
    let mut app = app();
    app.add_derived(threat).add_observer(hear("o"));
    app.world_mut().spawn(Health(1));
    app.update();
    app.add_moved_events::<Threat>()
        .add_moved_events::<Threat>();
    app.add_moved_messages::<Threat>()
        .add_moved_messages::<Threat>();
    app.add_systems(PostUpdate, read("m"));
    app.update();
    app.update();
    assert_eq!(take_log(&mut app), ["o - -> 2", "m - -> 2"]);
}

#[test]
fn an_observer_that_panics_keeps_no_other_entity_from_being_told() {
    let mut app = app();
    app.add_derived(threat)
        .add_moved_events::<Threat>()
        .add_observer(hear("o"))
        .add_observer(|moved: On<CogMoved<Threat>>| {
            assert_ne!(moved.new, Some(Threat(2)), "two is too much");
        });
    let orc = app.world_mut().spawn(Health(1)).id();
    app.world_mut().spawn(Health(2));
    let text = panics(|| app.world_mut().settle_cogs());
    assert!(text.contains("two is too much"), "{text}");
    assert_eq!(take_log(&mut app), ["o - -> 2", "o - -> 4"]);
    set(&mut app, orc, 3);
    app.world_mut().settle_cogs();
    assert_eq!(take_log(&mut app), ["o 2 -> 6"]);
}

#[test]
fn events_of_what_nothing_derives_are_refused() {
    let mut app = app();
    app.add_moved_events::<Health>();
    let text = panics(|| app.world_mut().settle_cogs());
    assert!(
        text.contains("no function derives as a component"),
        "{text}"
    );

    let mut app = common::app();
    app.add_moved_resource_messages::<Level>();
    let text = panics(|| app.world_mut().settle_cogs());
    assert!(
        text.contains("no function derives it as a resource"),
        "{text}"
    );
    let text = panics(|| {
        App::new().add_moved_messages::<Threat>();
    });
    assert!(text.contains("without the plugin"), "{text}");
}

#[test]
fn a_message_is_read_once_in_whatever_schedule_and_causes_no_further_turn() {
    let mut app = app();
    app.add_derived(threat)
        .add_moved_messages::<Threat>()
        .add_systems(PreUpdate, read("pre"))
        .add_systems(PostUpdate, read("post"));
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    assert_eq!(take_log(&mut app), ["post - -> 2"]);
    let turns = |app: &App| app.world().resource::<Cogs>().arena().totals().revision;
    let before = turns(&app);
    set(&mut app, orc, 2);
    app.update();
    assert_eq!(turns(&app), before + 1);
    assert_eq!(take_log(&mut app), ["pre - -> 2", "post 2 -> 4"]);
    app.world_mut().despawn(orc);
    app.update();
    app.update();
    app.update();
    assert_eq!(
        take_log(&mut app),
        ["pre 2 -> 4", "post 4 -> -", "pre 4 -> -"]
    );
}

#[test]
fn fixed_steps_read_each_move_once_however_many_there_are_in_a_frame() {
    for pattern in [[0, 1, 3], [3, 0, 1], [1, 3, 0], [0, 0, 0]] {
        let mut app = app_with_steps(CogPlugin::default());
        app.add_derived(threat)
            .add_moved_messages::<Threat>()
            .add_systems(FixedUpdate, read("f"))
            .add_systems(PostUpdate, read("p"));
        let orc = app.world_mut().spawn(Health(0)).id();
        let mut moves = vec!["- -> 0".to_owned()];
        frame(&mut app, 1);
        for (at, steps) in (1..).zip(pattern.into_iter().cycle().take(12)) {
            set(&mut app, orc, at);
            moves.push(format!("{} -> {}", 2 * (at - 1), 2 * at));
            frame(&mut app, steps);
        }
        frame(&mut app, 1);
        let log = take_log(&mut app);
        for who in ["f", "p"] {
            let of = |line: &String| {
                line.strip_prefix(who)
                    .map(|line| line.trim_start().to_owned())
            };
            let read: Vec<_> = log.iter().filter_map(of).collect();
            assert_eq!(read, moves, "{who} {pattern:?}");
        }
    }
}

#[test]
fn cogs_that_turn_in_the_fixed_steps_are_told_of_alike() {
    let mut app = app_with_steps(CogPlugin::in_schedule(FixedPostUpdate));
    app.add_derived(threat)
        .add_moved_messages::<Threat>()
        .add_systems(FixedUpdate, |mut all: Query<&mut Health>| {
            all.iter_mut().for_each(|mut health| health.0 += 1);
        })
        .add_systems(FixedUpdate, read("f"))
        .add_systems(PostUpdate, read("p"));
    app.world_mut().spawn(Health(0));
    for steps in [1, 0, 3, 0, 0, 1] {
        frame(&mut app, steps);
    }
    frame(&mut app, 1);
    let log = take_log(&mut app);
    let moves = ["- -> 2", "2 -> 4", "4 -> 6", "6 -> 8", "8 -> 10"];
    for who in ["f", "p"] {
        let read: Vec<_> = log
            .iter()
            .filter_map(|line| line.strip_prefix(who))
            .collect();
        let read: Vec<_> = read.iter().map(|line| line.trim_start()).collect();
        // The last step's move has been published after the fixed reader ran.
        let of = if who == "f" {
            read.as_slice()
        } else {
            &read[..read.len() - 1]
        };
        assert_eq!(of, moves, "{who}");
    }
}

#[test]
fn report_06_messages_that_fixed_steps_count_into_a_source_are_counted_once_each() {
    #[derive(Message)]
    struct Click;
    #[derive(Resource, Clone, PartialEq)]
    struct Count(u32);
    #[derive(Resource, Clone, PartialEq)]
    struct Total(u32);

    let mut app = app_with_steps(CogPlugin::default());
    app.add_message::<Click>()
        .insert_resource(Count(0))
        .add_derived_resource(|count: InputRes<Count>| Total(count.0))
        .add_moved_resource_messages::<Total>()
        .add_systems(PreUpdate, |mut clicks: MessageWriter<Click>| {
            clicks.write(Click);
        })
        .add_systems(
            FixedUpdate,
            |mut clicks: MessageReader<Click>, mut count: ResMut<Count>| {
                let new = clicks.read().count();
                count.0 += u32::try_from(new).expect("a few");
            },
        )
        .add_systems(
            PostUpdate,
            |mut moved: MessageReader<CogResourceMoved<Total>>, mut log: ResMut<Log>| {
                for moved in moved.read() {
                    log.0
                        .push(format!("{}", moved.new.as_ref().map_or(0, |total| total.0)));
                }
            },
        );
    for steps in [0, 1, 3] {
        frame(&mut app, steps);
    }
    assert_eq!(take_log(&mut app), ["0", "2", "3"]);
    assert_eq!(app.world().resource::<Total>().0, 3);
}
