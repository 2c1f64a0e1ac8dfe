//! What the plugin's tests share: a small world of components, and ways to count what happened.
//!
//! Takes: nothing. Leaves: apps, logs and counters that belong to one test alone.
//! Never: anything that two tests could share, save the logger that Bevy's `log` allows only once.

#![expect(
    dead_code,
    reason = "each test file uses its own part of what is shared"
)]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bevy_app::{App, PostUpdate};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::Changed;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, ResMut};
use cog_bevy::{CogAppExt, CogPlugin, Cogs, Input, Moved};

#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Health(pub(crate) i32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Armor(pub(crate) i32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Threat(pub(crate) i32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Alarm(pub(crate) bool);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Target(pub(crate) Entity);

#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Difficulty(pub(crate) i32);

#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level(pub(crate) i32);

/// Sentences, in the order in which they were said.
#[derive(Resource, Default, Debug)]
pub(crate) struct Log(pub(crate) Vec<String>);

/// Counts runs of a function.
#[derive(Clone, Default)]
pub(crate) struct Runs(Arc<AtomicU32>);

impl Runs {
    pub(crate) fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Runs since the last time this was asked.
    pub(crate) fn take(&self) -> u32 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// What most tests derive.
pub(crate) fn threat(health: Input<Health>, armor: Option<Input<Armor>>) -> Threat {
    Threat(health.0 * 2 - armor.map_or(0, |armor| armor.0))
}

/// A reaction that logs what moves, as `who old -> new`.
pub(crate) fn say(
    who: &'static str,
) -> impl FnMut(Moved<Threat>, ResMut<Log>) + Send + Sync + 'static {
    move |moved: Moved<Threat>, mut log: ResMut<Log>| {
        let show = |threat: Option<&Threat>| threat.map_or("-".to_owned(), |t| t.0.to_string());
        log.0
            .push(format!("{who} {} -> {}", show(moved.old), show(moved.new)));
    }
}

/// One move, as `who old -> new`.
pub(crate) fn line<T: Copy>(
    who: &str,
    old: Option<T>,
    new: Option<T>,
    number: impl Fn(T) -> i32,
) -> String {
    let show = |value: Option<T>| value.map_or("-".to_owned(), |value| number(value).to_string());
    format!("{who} {} -> {}", show(old), show(new))
}

/// An app that derives [`threat`] and logs its moves as `t old -> new`.
pub(crate) fn app_with_threat() -> App {
    let mut app = app();
    app.add_derived(threat).add_reaction(say("t"));
    app
}

/// Which entities Bevy calls changed, by index, as a system after the cogs sees it.
#[derive(Resource, Default)]
pub(crate) struct Seen(pub(crate) Vec<Entity>);

/// An app that remembers which `C` are changed.
pub(crate) fn app_that_sees<C: Component>() -> App {
    let mut app = app();
    let see = |changed: Query<Entity, Changed<C>>, mut seen: ResMut<Seen>| {
        seen.0 = changed.iter().collect();
        seen.0.sort_by_key(|entity| entity.index_u32());
    };
    app.init_resource::<Seen>().add_systems(PostUpdate, see);
    app
}

pub(crate) fn seen(app: &App) -> &[Entity] {
    &app.world().resource::<Seen>().0
}

/// Writes in place, as a system does.
pub(crate) fn set(app: &mut App, entity: Entity, health: i32) {
    app.world_mut()
        .get_mut::<Health>(entity)
        .expect("it lives")
        .0 = health;
}

/// An app with the plugin and a log.
pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins(CogPlugin::default()).init_resource::<Log>();
    app
}

/// What was logged since the last time this was asked.
pub(crate) fn take_log(app: &mut App) -> Vec<String> {
    std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
}

/// How many rows the last turn ran.
pub(crate) fn runs(app: &App) -> u64 {
    app.world().resource::<Cogs>().counts().run
}

/// The component's value; `None` if the entity has none, or is gone.
pub(crate) fn value<C: Component + Clone>(app: &App, entity: Entity) -> Option<C> {
    app.world().get::<C>(entity).cloned()
}

/// The message of a panic, whatever it was raised with.
pub(crate) fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}

/// Runs `body`, which must panic, and gives the message.
#[track_caller]
pub(crate) fn panics(body: impl FnOnce()) -> String {
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
    message(&*outcome.expect_err("it panics"))
}

/// Warnings that name `word`, since the last time they were asked for.
///
/// The logger is the program's, so a test asks for a word of its own, such as a type only it uses.
pub(crate) fn warnings(word: &str) -> Vec<String> {
    let mut all = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let (mine, others) = all.drain(..).partition(|warning| warning.contains(word));
    *all = others;
    mine
}

/// Starts to keep warnings; a second call in the same program changes nothing.
pub(crate) fn listen() {
    if log::set_logger(&Listener).is_ok() {
        log::set_max_level(log::LevelFilter::Warn);
    }
}

static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Listener;

impl log::Log for Listener {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record<'_>) {
        let mut all = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(record.args().to_string());
    }

    fn flush(&self) {}
}
