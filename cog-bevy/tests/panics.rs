//! Panics of user code: raised again when everything is whole, nothing lost, the next frame normal.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy_app::App;
use bevy_ecs::component::Component;
use bevy_ecs::error::{FallbackErrorHandler, warn};
use bevy_ecs::lifecycle::Add;
use bevy_ecs::observer::On as Observed;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::Res;
use cog_bevy::{CogAppExt, CogFrame, CogSystems, CogWorldExt, Cogs, Input, Moved};

use common::{
    Alarm, Health, Threat, app, app_with_threat, listen, panics, runs, say, set, take_log, value,
    warnings,
};

/// Settles, which must panic, and gives the message.
#[track_caller]
fn settle_panics(app: &mut App) -> String {
    panics(|| app.world_mut().settle_cogs())
}

/// Derives a threat; panics for the health 13.
fn unlucky(health: Input<Health>) -> Threat {
    assert!(health.0 != 13, "thirteen");
    Threat(health.0)
}

#[test]
fn a_function_that_panics_for_one_row_leaves_the_others_right_and_is_asked_again() {
    let mut app = app();
    app.add_derived(unlucky)
        .add_derived(|threat: Input<Threat>| Alarm(threat.0 > 10))
        .add_reaction(say("t"));
    let all: Vec<_> = (12..=14)
        .map(|i| app.world_mut().spawn(Health(i)).id())
        .collect();
    assert_eq!(settle_panics(&mut app), "thirteen");
    assert_eq!(take_log(&mut app), ["t - -> 12", "t - -> 14"]);
    assert_eq!(value(&app, all[2]), Some(Alarm(true)));
    assert_eq!(value::<Threat>(&app, all[1]), None);
    set(&mut app, all[1], 5);
    set(&mut app, all[0], 6);
    app.update();
    assert_eq!(take_log(&mut app), ["t 12 -> 6", "t - -> 5"]);
    app.update();
    assert_eq!((runs(&app), take_log(&mut app).len()), (0, 0));
}

#[test]
fn a_row_that_had_a_value_keeps_it_while_its_function_panics() {
    let mut app = app();
    app.add_derived(unlucky);
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    set(&mut app, orc, 13);
    assert_eq!(settle_panics(&mut app), "thirteen");
    assert_eq!(value(&app, orc), Some(Threat(1)));
    set(&mut app, orc, 2);
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(2)));
}

#[test]
fn with_bevys_forgiving_error_handler_the_frame_goes_on() {
    listen();
    let mut app = app();
    app.insert_resource(FallbackErrorHandler(warn));
    app.add_derived(|health: Input<Health>| {
        assert!(health.0 != 13, "thirteen of the forgiving");
        Threat(health.0)
    });
    let orc = app.world_mut().spawn(Health(13)).id();
    let elf = app.world_mut().spawn(Health(1)).id();
    app.update();
    assert_eq!(
        (value::<Threat>(&app, orc), value(&app, elf)),
        (None, Some(Threat(1)))
    );
    assert!(!warnings("panicked").is_empty() || !warnings("forgiving").is_empty());
    set(&mut app, orc, 3);
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(3)));
}

/// Panics on demand, wherever it is compared or cloned.
#[derive(Component, Debug)]
struct Fragile {
    value: i32,
    armed: Arc<AtomicBool>,
    on: On,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum On {
    Compare,
    Clone,
}

impl Fragile {
    fn trip(&self, on: On) {
        assert!(
            self.on != on || !self.armed.load(Ordering::Relaxed),
            "fragile: {on:?}"
        );
    }
}

impl PartialEq for Fragile {
    fn eq(&self, other: &Self) -> bool {
        self.trip(On::Compare);
        self.value == other.value
    }
}

impl Clone for Fragile {
    fn clone(&self) -> Self {
        self.trip(On::Clone);
        Self {
            value: self.value,
            armed: self.armed.clone(),
            on: self.on,
        }
    }
}

#[test]
fn a_source_that_panics_while_it_is_compared_or_cloned_is_not_lost() {
    for on in [On::Compare, On::Clone] {
        let armed = Arc::new(AtomicBool::new(false));
        let make = |value| Fragile {
            value,
            armed: armed.clone(),
            on,
        };
        let mut app = app();
        app.add_derived(|source: Input<Fragile>| Threat(source.value))
            .add_derived(|health: Input<Health>| Alarm(health.0 > 1));
        let orc = app.world_mut().spawn((make(1), Health(1))).id();
        let elf = app.world_mut().spawn((make(5), Health(1))).id();
        app.update();
        armed.store(true, Ordering::Relaxed);
        app.world_mut().entity_mut(orc).insert((make(2), Health(2)));
        app.world_mut().entity_mut(elf).remove::<Fragile>();
        assert_eq!(settle_panics(&mut app), format!("fragile: {on:?}"));
        assert_eq!(value(&app, orc), Some(Threat(1)));
        armed.store(false, Ordering::Relaxed);
        app.update();
        assert_eq!(value(&app, orc), Some(Threat(2)), "{on:?}");
        assert_eq!(value(&app, orc), Some(Alarm(true)));
        assert_eq!(value::<Threat>(&app, elf), None);
    }
}

#[test]
fn a_derived_value_that_panics_while_it_is_published_is_published_in_the_next_frame() {
    let armed = Arc::new(AtomicBool::new(false));
    let make = armed.clone();
    let mut app = app();
    app.add_derived(move |health: Input<Health>| Fragile {
        value: health.0,
        armed: make.clone(),
        on: On::Clone,
    })
    .add_derived(|health: Input<Health>| Threat(health.0));
    let all: Vec<_> = (0..20)
        .map(|i| app.world_mut().spawn(Health(i)).id())
        .collect();
    app.update();
    armed.store(true, Ordering::Relaxed);
    for i in [3, 4] {
        set(&mut app, all[i], 100);
    }
    let gone = all[5];
    app.world_mut().entity_mut(gone).remove::<Health>();
    assert_eq!(settle_panics(&mut app), "fragile: Clone");
    assert_eq!(
        value(&app, all[4]),
        Some(Threat(100)),
        "others are published"
    );
    armed.store(false, Ordering::Relaxed);
    app.update();
    for i in [3, 4] {
        let shown = app
            .world()
            .get::<Fragile>(all[i])
            .map(|fragile| fragile.value);
        assert_eq!(shown, Some(100));
    }
    assert!(!app.world().entity(gone).contains::<Fragile>());
}

#[derive(Resource)]
struct Armed(bool);

#[test]
fn a_panic_of_a_system_in_a_set_leaves_a_closed_turn() {
    for step in [
        CogSystems::Receive,
        CogSystems::Collect,
        CogSystems::Settle,
        CogSystems::Publish,
    ] {
        let mut app = app_with_threat();
        app.insert_resource(Armed(false));
        let trip = |armed: Res<Armed>| assert!(!armed.0, "tripped");
        app.add_systems(CogFrame, trip.in_set(step));
        let orc = app.world_mut().spawn(Health(1)).id();
        app.update();
        app.insert_resource(Armed(true));
        set(&mut app, orc, 2);
        assert_eq!(settle_panics(&mut app), "tripped");
        app.insert_resource(Armed(false));
        app.update();
        set(&mut app, orc, 3);
        app.update();
        assert_eq!(value(&app, orc), Some(Threat(6)), "{step:?}");
        let said = take_log(&mut app);
        assert_eq!(said, ["t - -> 2", "t 2 -> 4", "t 4 -> 6"], "{step:?}");
    }
}

#[test]
fn a_queued_turn_that_panics_takes_nothing_of_the_frame_with_it() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    let source = cogs.arena_mut().source(1);
    cogs.arena_mut().queue(move |w| {
        w.set(source, 2);
        panic!("queued");
    });
    cogs.arena_mut().queue(move |w| w.set(source, 3));
    set(&mut app, orc, 4);
    assert_eq!(settle_panics(&mut app), "queued");
    assert_eq!(value(&app, orc), Some(Threat(8)));
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    assert_eq!(*cogs.arena_mut().read(source), 3);
    app.update();
}

#[test]
fn a_reaction_of_the_arena_that_panics_keeps_no_reaction_from_running() {
    let mut app = app_with_threat();
    let source = app.world_mut().resource_mut::<Cogs>().arena_mut().source(1);
    let mut cogs = app.world_mut().resource_mut::<Cogs>();
    cogs.arena_mut()
        .react(move |r, _| assert!(*r.get(source) == 1, "arena"));
    cogs.arena_mut().queue(move |w| w.set(source, 2));
    app.world_mut().spawn(Health(1));
    assert_eq!(settle_panics(&mut app), "arena");
    assert_eq!(take_log(&mut app), ["t - -> 2"]);
    app.update();
}

#[test]
fn of_several_panics_in_a_frame_the_first_is_raised() {
    let mut app = app();
    app.add_derived(unlucky)
        .add_reaction(|moved: Moved<Threat>| assert!(moved.new.is_none(), "reaction"));
    let [orc, elf] = [13, 1].map(|i| app.world_mut().spawn(Health(i)).id());
    assert_eq!(settle_panics(&mut app), "thirteen");
    set(&mut app, orc, 12);
    assert_eq!(settle_panics(&mut app), "reaction");
    app.world_mut().despawn(elf);
    app.update();
}

#[test]
fn a_removal_that_a_panic_kept_from_being_published_is_not_published_later() {
    let armed = Arc::new(AtomicBool::new(true));
    let trips = armed.clone();
    let mut app = app();
    app.add_derived(|health: Input<Health>| Threat(health.0 * 2));
    let elf = app.world_mut().spawn(Health(1)).id();
    app.update();
    app.add_observer(move |_: Observed<Add<Threat>>| {
        assert!(!trips.load(Ordering::Relaxed), "tripped");
    });
    app.world_mut().spawn(Health(2));
    app.world_mut().entity_mut(elf).remove::<Health>();
    assert_eq!(settle_panics(&mut app), "tripped");
    armed.store(false, Ordering::Relaxed);
    app.world_mut().entity_mut(elf).insert(Health(3));
    app.update();
    assert_eq!(value(&app, elf), Some(Threat(6)));
}

#[test]
fn a_value_that_panics_in_every_frame_keeps_no_other_from_being_published() {
    let armed = Arc::new(AtomicBool::new(false));
    let make = armed.clone();
    let mut app = app();
    app.add_derived(move |health: Input<Health>| Fragile {
        value: health.0,
        armed: if health.0 == 13 {
            make.clone()
        } else {
            Arc::default()
        },
        on: On::Clone,
    });
    let all = [13, 1, 2].map(|health| app.world_mut().spawn(Health(health)).id());
    armed.store(true, Ordering::Relaxed);
    for _ in 0..3 {
        assert_eq!(settle_panics(&mut app), "fragile: Clone");
    }
    let shown = all.map(|entity| app.world().get::<Fragile>(entity).map(|f| f.value));
    assert_eq!(shown, [None, Some(1), Some(2)]);
}
