//! That change ticks tell the truth where a value panics, and when the world's tick has come round.

mod common;

use std::sync::atomic::{AtomicI32, Ordering};

use bevy_app::PostUpdate;
use bevy_ecs::change_detection::{ContiguousRef, DetectChanges, Ref};
use bevy_ecs::component::Component;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, ResMut};
use cog_bevy::{CogAppExt, CogWorldExt, Input, InputRes};

use common::{Health, Level, Log, app, listen, panics, set, take_log, value, warnings};

/// The value that can't be cloned just now.
static UNLUCKY: AtomicI32 = AtomicI32::new(i32::MIN);

#[derive(Component, PartialEq, Debug)]
#[component(summary_tick)]
struct Ember(i32);

impl Clone for Ember {
    fn clone(&self) -> Self {
        assert_ne!(self.0, UNLUCKY.load(Ordering::Relaxed), "it burns");
        Self(self.0)
    }
}

#[test]
fn a_clone_that_panics_among_many_leaves_the_summary_tick_as_new_as_the_rows_that_were_written() {
    let mut app = app();
    app.add_derived(|health: Input<Health>| Ember(health.0));
    let all: Vec<_> = (0..10)
        .map(|i| app.world_mut().spawn(Health(i)).id())
        .collect();
    let note = |embers: Query<Ref<Ember>>, mut log: ResMut<Log>| {
        for ember in embers.contiguous_iter().expect("it lies in a table") {
            let ticks = ContiguousRef::split(ember).1;
            let changed = ticks.is_changed_iter().filter(|changed| *changed).count();
            log.0
                .push(format!("{:?} {changed}", ticks.summary_tick_is_changed()));
        }
    };
    app.add_systems(PostUpdate, note);
    app.update();
    app.update();
    take_log(&mut app);

    UNLUCKY.store(105, Ordering::Relaxed);
    for (i, entity) in (100..).zip(&all) {
        set(&mut app, *entity, i);
    }
    panics(|| app.world_mut().settle_cogs());
    UNLUCKY.store(i32::MIN, Ordering::Relaxed);
    // The rows that missed their value are put back, so that the next turn has nothing to write.
    for (i, entity) in (0..).zip(&all).skip(5) {
        set(&mut app, *entity, i);
    }
    app.update();
    assert_eq!(take_log(&mut app), ["Some(true) 5"]);
    assert_eq!(value(&app, all[4]), Some(Ember(104)));
    assert_eq!(value(&app, all[5]), Some(Ember(5)));
}

#[derive(Resource, Clone, PartialEq, Debug)]
struct Cap(i32);

#[test]
fn a_derived_resource_is_not_taken_for_a_foreign_write_when_the_worlds_tick_comes_round() {
    listen();
    let mut app = app();
    app.insert_resource(Level(1))
        .add_derived_resource(|level: InputRes<Level>| Cap(level.0 * 10));
    app.update();
    // More than all ticks there are, in strides after each of which Bevy looks for old ones.
    for _ in 0..12 {
        let world = app.world_mut();
        for _ in 0..520_000_000_u32 {
            world.increment_change_tick();
        }
        app.update();
        let is_changed = app.world().resource_ref::<Cap>().is_changed();
        assert!(!is_changed, "nobody wrote to it");
    }
    assert_eq!(warnings("Cap"), <[String; 0]>::default());
    app.insert_resource(Level(2));
    app.update();
    assert_eq!(app.world().resource::<Cap>(), &Cap(20));
}
