//! Declaring in a running app: what is declared late begins as if it had always been there.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bevy_ecs::component::Component;
use bevy_ecs::resource::Resource;
use cog_bevy::{CogAppExt, CogWorldExt, Cogs, Input, InputRes, Lookup};

use common::{
    Alarm, Armor, Difficulty, Health, Level, Runs, Target, Threat, app, panics, runs, say, set,
    take_log, value,
};

/// What a function saw at each of its runs.
#[derive(Clone)]
struct Saw<T>(Arc<Mutex<Vec<T>>>);

impl<T> Saw<T> {
    fn new() -> Self {
        Self(Arc::default())
    }

    fn note(&self, what: T) {
        self.0.lock().expect("nobody panics with it").push(what);
    }

    fn take(&self) -> Vec<T> {
        std::mem::take(&mut self.0.lock().expect("nobody panics with it"))
    }
}

#[test]
fn declaring_runs_nothing_and_the_first_frame_runs_each_row_once() {
    let mut app = app();
    app.insert_resource(Level(3));
    let all = [1, 2, 3].map(|health| app.world_mut().spawn(Health(health)).id());
    app.world_mut().spawn(Armor(1));
    let (made, summed) = (Runs::default(), Runs::default());
    let (count, tally) = (made.clone(), summed.clone());
    app.add_derived(move |health: Input<Health>| {
        count.count();
        Threat(health.0)
    })
    .add_derived_resource(move |level: InputRes<Level>| {
        tally.count();
        Difficulty(level.0)
    })
    .add_reaction(say("t"));
    assert_eq!((made.take(), summed.take()), (0, 0));
    assert_eq!(all.map(|entity| value::<Threat>(&app, entity)), [None; 3]);
    assert!(!app.world().contains_resource::<Difficulty>());
    assert_eq!(take_log(&mut app), Vec::<String>::new());

    app.update();
    assert_eq!((made.take(), summed.take()), (3, 1));
    assert_eq!(
        take_log(&mut app),
        ["t - -> 1", "t - -> 2", "t - -> 3"],
        "each is told once"
    );
    app.update();
    assert_eq!((made.take(), summed.take()), (0, 0));

    // And in an app that runs already.
    let late = Runs::default();
    let count = late.clone();
    app.add_derived(move |threat: Input<Threat>| {
        count.count();
        Alarm(threat.0 > 2)
    });
    assert_eq!(late.take(), 0);
    set(&mut app, all[0], 4);
    app.update();
    assert_eq!((made.take(), late.take()), (1, 3));
}

#[test]
fn declaring_after_entities_exist_and_after_the_app_has_run_works() {
    let mut app = app();
    let orc = app.world_mut().spawn((Health(4), Armor(1))).id();
    app.update();
    app.add_derived(|health: Input<Health>| Threat(health.0 * 2));
    app.update();
    assert_eq!(value(&app, orc), Some(Threat(8)));
    for _ in 0..3 {
        app.update();
    }
    app.add_derived(|threat: Input<Threat>, armor: Input<Armor>| Alarm(threat.0 > armor.0));
    app.update();
    assert_eq!((value(&app, orc), runs(&app)), (Some(Alarm(true)), 1));
    app.world_mut().entity_mut(orc).insert(Armor(90));
    app.update();
    assert_eq!(value(&app, orc), Some(Alarm(false)));
}

#[test]
fn a_function_declared_late_runs_once_for_each_row_and_sees_all_its_inputs() {
    let mut app = app();
    app.add_derived(|health: Input<Health>| Threat(health.0));
    app.insert_resource(Level(3));
    for health in 0..100 {
        app.world_mut().spawn((Health(health), Armor(5)));
    }
    app.update();
    let saw = Saw::new();
    let note = saw.clone();
    app.add_derived(
        move |health: Input<Health>,
              armor: Option<Input<Armor>>,
              level: Option<InputRes<Level>>| {
            note.note((armor.map(|armor| armor.0), level.map(|level| level.0)));
            Alarm(health.0 > 1)
        },
    );
    app.update();
    assert_eq!(saw.take(), vec![(Some(5), Some(3)); 100]);
    assert_eq!(runs(&app), 100);
    app.update();
    assert_eq!(saw.take(), []);
}

#[test]
fn a_function_of_optional_inputs_runs_once_in_the_first_frame() {
    let mut app = app();
    app.insert_resource(Level(3));
    let (saw, seen) = (Saw::new(), Saw::new());
    let (note, notice) = (saw.clone(), seen.clone());
    app.add_derived_resource(move |level: Option<InputRes<Level>>| {
        note.note(level.map(|level| level.0));
        Difficulty(level.map_or(0, |level| level.0))
    })
    .add_derived(
        move |health: Input<Health>,
              armor: Option<Input<Armor>>,
              difficulty: InputRes<Difficulty>| {
            notice.note((armor.map(|armor| armor.0), difficulty.0));
            Threat(health.0)
        },
    );
    app.world_mut().spawn((Health(1), Armor(2)));
    app.update();
    assert_eq!(saw.take(), [Some(3)]);
    assert_eq!(seen.take(), [(Some(2), 3)]);
}

#[test]
fn a_function_declared_late_that_looks_up_sees_what_is_there() {
    let mut app = app();
    app.add_derived(|health: Input<Health>| Threat(health.0));
    let orc = app.world_mut().spawn((Health(1), Armor(7))).id();
    let elf = app.world_mut().spawn((Health(1), Target(orc))).id();
    app.update();
    let saw = Saw::new();
    let note = saw.clone();
    app.add_derived(
        move |target: Input<Target>, armors: Lookup<Armor>, threats: Lookup<Threat>| {
            let seen = (
                armors.get(target.0).map(|armor| armor.0),
                threats.get(target.0).map(|threat| threat.0),
            );
            note.note(seen);
            Alarm(seen.0 > seen.1)
        },
    );
    set(&mut app, orc, 2);
    app.update();
    assert_eq!(saw.take(), [(Some(7), Some(2))]);
    assert_eq!(value(&app, elf), Some(Alarm(true)));
}

#[test]
fn a_function_declared_late_that_panics_is_asked_again_and_those_after_it_are_declared() {
    let mut app = app();
    app.add_derived(|health: Input<Health>| Armor(health.0));
    let [orc, elf] = [1, 13].map(|health| app.world_mut().spawn(Health(health)).id());
    app.update();
    let armed = Arc::new(AtomicBool::new(true));
    let trips = armed.clone();
    app.add_derived(move |health: Input<Health>| {
        assert!(health.0 != 13 || !trips.load(Ordering::Relaxed), "thirteen");
        Threat(health.0)
    })
    .add_derived(|threat: Input<Threat>| Alarm(threat.0 > 10))
    .add_derived_resource(|level: Option<InputRes<Level>>| Difficulty(i32::from(level.is_none())))
    .add_reaction(say("t"));
    assert_eq!(panics(|| app.world_mut().settle_cogs()), "thirteen");
    assert_eq!(value(&app, orc), Some(Threat(1)));
    assert_eq!(value(&app, orc), Some(Alarm(false)));
    assert_eq!(value::<Threat>(&app, elf), None);
    assert_eq!(app.world().resource::<Difficulty>(), &Difficulty(1));
    assert_eq!(take_log(&mut app), ["t - -> 1"]);
    armed.store(false, Ordering::Relaxed);
    app.update();
    assert_eq!(
        (value(&app, elf), value(&app, elf)),
        (Some(Threat(13)), Some(Alarm(true)))
    );
    assert_eq!(take_log(&mut app), ["t - -> 13"]);
}

#[test]
fn a_resource_declared_late_that_panics_is_asked_again() {
    #[derive(Resource, Clone, PartialEq, Debug)]
    struct Sum(i32);
    let mut app = app();
    app.insert_resource(Level(1))
        .add_derived_resource(|level: InputRes<Level>| Difficulty(level.0));
    app.update();
    let armed = Arc::new(AtomicBool::new(true));
    let trips = armed.clone();
    app.add_derived_resource(move |level: InputRes<Level>| {
        assert!(!trips.load(Ordering::Relaxed), "not yet");
        Sum(level.0)
    });
    assert_eq!(panics(|| app.world_mut().settle_cogs()), "not yet");
    assert!(!app.world().contains_resource::<Sum>());
    armed.store(false, Ordering::Relaxed);
    app.update();
    assert_eq!(app.world().resource::<Sum>(), &Sum(1));
}

#[test]
fn what_the_arena_tries_again_by_itself_is_published_by_the_next_frame() {
    #[derive(Component, Clone, PartialEq, Debug)]
    struct Sight(i32);
    let mut app = app();
    let armed = Arc::new(AtomicBool::new(true));
    let trips = armed.clone();
    app.add_derived(move |health: Input<Health>| {
        assert!(health.0 != 13 || !trips.load(Ordering::Relaxed), "thirteen");
        Threat(health.0)
    })
    .add_derived(|target: Input<Target>, threats: Lookup<Threat>| {
        Sight(threats.get(target.0).map_or(0, |threat| threat.0))
    })
    .add_reaction(say("t"));
    let [orc, elf] = [13, 1].map(|health| app.world_mut().spawn(Health(health)).id());
    app.world_mut().entity_mut(elf).insert(Target(orc));
    assert_eq!(panics(|| app.world_mut().settle_cogs()), "thirteen");
    assert_eq!(take_log(&mut app), ["t - -> 1"]);
    armed.store(false, Ordering::Relaxed);
    // Somebody takes a turn of the arena's own, in which what failed comes out well.
    app.world_mut()
        .resource_mut::<Cogs>()
        .arena_mut()
        .turn(|_| {});
    app.update();
    assert_eq!(
        (value(&app, orc), value(&app, elf)),
        (Some(Threat(13)), Some(Sight(13)))
    );
    assert_eq!(take_log(&mut app), ["t - -> 13"]);
    // Once it is well, a turn of the arena's own is no reason to compare anything.
    app.world_mut()
        .resource_mut::<Cogs>()
        .arena_mut()
        .turn(|_| {});
    app.update();
    assert_eq!(take_log(&mut app), Vec::<String>::new());
}
