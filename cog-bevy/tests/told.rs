//! What reactions are told: each value that came, changed or went, once, whatever happened beside it.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy_app::App;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::observer::On;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Commands, Local, ResMut};
use bevy_ecs::world::World;
use cog_bevy::{CogAppExt, CogFrame, CogRow, CogSystems, CogWorldExt, Input, Moved};

use common::{
    Alarm, Armor, Health, Log, Threat, app, app_with_threat, panics, say, set, take_log, value,
};

/// Whom [`kill`] despawns next.
#[derive(Resource, Default)]
struct Victim(Option<Entity>);

fn kill(mut victim: ResMut<Victim>, mut commands: Commands) {
    if let Some(entity) = victim.0.take() {
        commands.entity(entity).despawn();
    }
}

#[test]
fn a_despawn_by_a_system_of_any_set_is_told_once_with_the_last_value() {
    for step in [
        CogSystems::Receive,
        CogSystems::Collect,
        CogSystems::Settle,
        CogSystems::Publish,
        CogSystems::React,
        CogSystems::Release,
    ] {
        for changes_too in [false, true] {
            let mut app = app_with_threat();
            app.init_resource::<Victim>()
                .add_systems(CogFrame, kill.in_set(step));
            let orc = app.world_mut().spawn(Health(1)).id();
            app.update();
            app.world_mut().resource_mut::<Victim>().0 = Some(orc);
            if changes_too {
                set(&mut app, orc, 5);
            }
            app.update();
            app.update();
            let said = take_log(&mut app);
            // Where the new value was published before the entity went, it is told of; the reaction of
            // the same turn that runs after the despawn skips what is gone.
            let shown = changes_too && matches!(step, CogSystems::React | CogSystems::Release);
            let expected: &[&str] = match (shown, changes_too && step == CogSystems::Publish) {
                (true, _) => &["t - -> 2", "t 2 -> 10", "t 10 -> -"],
                (_, true) => &["t - -> 2", "t 10 -> -"],
                _ => &["t - -> 2", "t 2 -> -"],
            };
            assert_eq!(said, expected, "{step:?} {changes_too}");
        }
    }
}

#[test]
fn a_despawn_by_an_observer_of_a_published_removal_is_told() {
    let mut app = app_with_threat();
    let [orc, elf] = [1, 10].map(|health| app.world_mut().spawn(Health(health)).id());
    app.update();
    take_log(&mut app);
    app.add_observer(move |removed: On<Remove<Threat>>, mut commands: Commands| {
        if removed.entity == orc {
            commands.entity(elf).despawn();
        }
    });
    app.world_mut().entity_mut(orc).remove::<Health>();
    app.update();
    app.update();
    assert_eq!(take_log(&mut app), ["t 2 -> -", "t 20 -> -"]);
}

#[test]
fn a_clone_of_an_entity_is_told_of_though_its_value_is_equal() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    let twin = app.world_mut().entity_mut(orc).clone_and_spawn();
    app.update();
    app.world_mut().despawn(twin);
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 2", "t - -> 2", "t 2 -> -"]);
}

#[test]
fn a_foreign_write_in_the_frame_of_a_move_changes_nothing_of_what_is_told() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    take_log(&mut app);
    app.world_mut()
        .get_mut::<Threat>(orc)
        .expect("it is shown")
        .0 = 77;
    set(&mut app, orc, 2);
    app.update();
    assert_eq!(take_log(&mut app), ["t 2 -> 4"]);

    app.world_mut().entity_mut(orc).remove::<Threat>();
    set(&mut app, orc, 3);
    app.update();
    assert_eq!(take_log(&mut app), ["t 4 -> 6"]);
    assert_eq!(value(&app, orc), Some(Threat(6)));

    app.world_mut()
        .get_mut::<Threat>(orc)
        .expect("it is shown")
        .0 = 8;
    set(&mut app, orc, 4);
    app.update();
    assert_eq!(
        take_log(&mut app),
        ["t 6 -> 8"],
        "the foreign value is the right one"
    );
}

#[test]
fn a_row_taken_off_by_hand_is_no_news() {
    let mut app = app_with_threat();
    let orc = app.world_mut().spawn(Health(1)).id();
    app.update();
    app.world_mut().entity_mut(orc).remove::<CogRow>();
    app.update();
    app.world_mut().entity_mut(orc).remove::<CogRow>();
    set(&mut app, orc, 3);
    app.update();
    assert_eq!(take_log(&mut app), ["t - -> 2", "t 2 -> 6"]);
}

#[test]
fn an_observer_that_panics_while_removals_are_published_costs_no_news_and_makes_none() {
    let mut app = app_with_threat();
    let all = [1, 2, 3].map(|health| app.world_mut().spawn(Health(health)).id());
    app.update();
    take_log(&mut app);
    let armed = Arc::new(AtomicBool::new(true));
    let trips = armed.clone();
    app.add_observer(move |_: On<Remove<Threat>>| {
        assert!(!trips.load(Ordering::Relaxed), "tripped");
    });
    for entity in all {
        app.world_mut().entity_mut(entity).remove::<Health>();
    }
    assert_eq!(panics(|| app.world_mut().settle_cogs()), "tripped");
    armed.store(false, Ordering::Relaxed);
    app.update();
    app.update();
    assert_eq!(take_log(&mut app), ["t 2 -> -", "t 4 -> -", "t 6 -> -"]);
    for entity in all {
        assert_eq!(value::<Threat>(&app, entity), None);
    }
}

/// Panics at the given use of one value, once it is armed.
#[derive(Component, Debug)]
struct Brittle {
    value: i32,
    bomb: Arc<Bomb>,
}

/// What trips, and after how many uses.
#[derive(Debug, Default)]
struct Bomb(std::sync::Mutex<Option<(&'static str, i32, u32)>>);

impl Bomb {
    fn arm(&self, what: &'static str, value: i32, after: u32) {
        *self.0.lock().expect("nobody panics with it") = Some((what, value, after));
    }

    fn disarm(&self) {
        *self.0.lock().expect("nobody panics with it") = None;
    }

    fn trip(&self, what: &str, value: i32) {
        let is_over = match &mut *self.0.lock().expect("nobody panics with it") {
            Some((on, of, after)) if *on == what && *of == value => {
                let is_over = *after == 0;
                *after = after.saturating_sub(1);
                is_over
            }
            _ => false,
        };
        assert!(!is_over, "brittle {what}");
    }
}

impl PartialEq for Brittle {
    fn eq(&self, other: &Self) -> bool {
        self.bomb.trip("equal", self.value.max(other.value));
        self.value == other.value
    }
}

impl Clone for Brittle {
    fn clone(&self) -> Self {
        self.bomb.trip("clone", self.value);
        Self {
            value: self.value,
            bomb: self.bomb.clone(),
        }
    }
}

/// An app that derives a [`Brittle`] of each health, and logs its moves.
fn brittle_app() -> (App, Arc<Bomb>) {
    let bomb = Arc::new(Bomb::default());
    let made = bomb.clone();
    let mut app = app();
    app.add_derived(move |health: Input<Health>| Brittle {
        value: health.0,
        bomb: made.clone(),
    })
    .add_reaction(|moved: Moved<Brittle>, mut log: ResMut<Log>| {
        let show = |brittle: Option<&Brittle>| brittle.map(|brittle| brittle.value);
        log.0
            .push(format!("{:?} -> {:?}", show(moved.old), show(moved.new)));
    });
    (app, bomb)
}

#[test]
fn a_value_that_panics_at_any_of_its_clones_or_comparisons_is_told_in_the_end() {
    for what in ["clone", "equal"] {
        for after in 0..4 {
            let (mut app, bomb) = brittle_app();
            let [a, b] = [1, 2].map(|health| app.world_mut().spawn(Health(health)).id());
            let c = app.world_mut().spawn(Health(3)).id();
            app.update();
            take_log(&mut app);
            bomb.arm(what, 10, after);
            set(&mut app, a, 10);
            app.world_mut().despawn(b);
            set(&mut app, c, 30);
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                app.world_mut().settle_cogs();
            }));
            bomb.disarm();
            app.update();
            app.update();
            let mut said = take_log(&mut app);
            said.sort();
            assert_eq!(
                said,
                [
                    "Some(1) -> Some(10)",
                    "Some(2) -> None",
                    "Some(3) -> Some(30)"
                ],
                "{what} {after}, tripped {}",
                outcome.is_err()
            );
            assert_eq!(value::<Brittle>(&app, a).map(|b| b.value), Some(10));
        }
    }
}

#[test]
fn a_reaction_is_told_of_a_value_that_its_entity_brought_along() {
    #[derive(Component, Clone, PartialEq, Default)]
    struct Brought(i32);
    #[derive(Component, Clone, PartialEq)]
    #[require(Brought)]
    struct Bringer(i32);

    let mut app = app();
    app.add_derived(|bringer: Input<Bringer>| Brought(bringer.0))
        .add_reaction(|moved: Moved<Brought>, mut log: ResMut<Log>| {
            let show = |brought: Option<&Brought>| brought.map(|brought| brought.0);
            log.0
                .push(format!("{:?} -> {:?}", show(moved.old), show(moved.new)));
        });
    app.world_mut().spawn(Bringer(0));
    app.world_mut().spawn(Bringer(5));
    app.update();
    assert_eq!(take_log(&mut app), ["None -> Some(0)", "None -> Some(5)"]);
}

#[test]
fn a_first_reaction_that_a_reaction_adds_is_told_of_all_and_then_of_moves() {
    let mut app = app();
    app.add_derived(|health: Input<Health>| Threat(health.0 * 2))
        .add_derived(|armor: Input<Armor>| Alarm(armor.0 > 0))
        .add_reaction(
            |_: Moved<Alarm>, world: &mut World, mut done: Local<bool>| {
                if !std::mem::replace(&mut *done, true) {
                    world.add_reaction(say("late"));
                }
            },
        );
    let orc = app.world_mut().spawn((Health(1), Armor(1))).id();
    app.update();
    assert_eq!(take_log(&mut app), ["late - -> 2"]);
    set(&mut app, orc, 2);
    app.update();
    app.world_mut().despawn(orc);
    app.update();
    assert_eq!(take_log(&mut app), ["late 2 -> 4", "late 4 -> -"]);
}
