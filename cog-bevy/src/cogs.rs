//! The resource that owns the arena, and what is remembered between the steps of a turn.
//!
//! Takes: handles, as functions are declared. Leaves: typed handles for whoever asks by type.
//! Never: reads or writes a component.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bevy_ecs::change_detection::{DetectChangesMut, ResMut};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::SystemParam;
use cog_arena::{
    Arena, Derived, DerivedFamily, KeySpace, Source, SourceFamily, TurnCounts, Warning, Writer,
};

/// The cogs of one world: the resource that owns its [`Arena`].
///
/// [`CogPlugin`](crate::CogPlugin) inserts it; there is no other way to make one. Systems rarely
/// need it: derived values are ordinary components and resources. It is the door to the arena
/// itself, for cogs that belong to no entity, and to the figures of the last turn.
///
/// It does *not* give handles by which the values of components could be written: a source
/// component is written as a component.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use cog_bevy::{CogPlugin, Cogs};
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default());
///
/// let mut cogs = app.world_mut().resource_mut::<Cogs>();
/// let price = cogs.arena_mut().source(3);
/// let double = cogs.arena_mut().derived(move |r| r.get(price) * 2);
/// cogs.arena_mut().turn(|w| w.set(price, 4));
/// assert_eq!(*cogs.arena_mut().read(double), 8);
/// ```
#[derive(Resource)]
pub struct Cogs {
    arena: Arena,
    space: KeySpace<Entity>,
    families: BTreeMap<TypeId, Box<dyn Any + Send + Sync>>,
    shared: BTreeMap<TypeId, Box<dyn Any + Send + Sync>>,
    pub(crate) turn: Turn,
    /// What the turns of the last frame did.
    counts: TurnCounts,
    /// The arena's totals when that frame began.
    totals: TurnCounts,
    /// How many rows had run when the last frame ended, if something failed in it.
    failed_at: Option<u64>,
    /// What maps the entities in a value of a type, as a snapshot is restored.
    #[cfg(feature = "serialize")]
    pub(crate) mapped: BTreeMap<TypeId, MapsEntities>,
}

/// Maps the entities in a part of a snapshot.
#[cfg(feature = "serialize")]
pub(crate) type MapsEntities = fn(&mut dyn Any, &mut dyn bevy_ecs::entity::EntityMapper);

/// The family that holds a component's values.
#[derive(Debug)]
pub(crate) enum Family<C> {
    Source(SourceFamily<Entity, C>),
    Derived(DerivedFamily<Entity, C>),
}

/// The keyless cog that holds a resource's value.
#[derive(Debug)]
pub(crate) enum Shared<R> {
    Source(Source<R>),
    Derived(Derived<R>),
}

/// What one step of a turn tells the later ones.
#[derive(Default)]
pub(crate) struct Turn {
    /// The frame's loop is running: a turn asked for now is one more pass of it.
    pub(crate) looping: bool,
    /// This pass has something to settle, or is the frame's first.
    pub(crate) worked: bool,
    /// Another pass is wanted once this one is over.
    pub(crate) again: bool,
    /// Published since reactions ran last: there may be news for them.
    pub(crate) has_news: bool,
    /// Rows that entities carry may be gone from the arena.
    pub(crate) has_lost_rows: bool,
    /// What caused the latest passes, for the warning about a long chain.
    pub(crate) causes: Vec<&'static str>,
    /// The first panic of user code, to be raised when everything is whole again.
    panic: Mutex<Option<Panic>>,
    /// The first that came after the turn had settled. The arena gives its own, which is earlier,
    /// only when the turn is released.
    late: Mutex<Option<Panic>>,
}

/// What a panic of user code carries.
pub(crate) type Panic = Box<dyn Any + Send>;

impl Turn {
    /// Keeps the first panic; a later one of the same frame is a consequence or a repetition.
    pub(crate) fn remember(&mut self, outcome: Result<(), Panic>) {
        if let Err(panic) = outcome {
            inside(&mut self.panic).get_or_insert(panic);
        }
    }

    /// Keeps the first panic of a step that came after the turn had settled.
    pub(crate) fn remember_late(&mut self, outcome: Result<(), Panic>) {
        if let Err(panic) = outcome {
            inside(&mut self.late).get_or_insert(panic);
        }
    }

    /// The panic to raise, if there was one.
    pub(crate) fn take_panic(&mut self) -> Option<Panic> {
        let late = inside(&mut self.late).take();
        inside(&mut self.panic).take().or(late)
    }
}

/// What a mutex holds; it is there only to make a panic `Sync`, and nobody ever locks it.
fn inside<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

impl Cogs {
    /// An arena with the key space of the world's entities, and its warnings sent to the log.
    pub(crate) fn new(turns_max: u32) -> Self {
        let mut arena = Arena::new();
        // The index alone finds the row; the key's own equality then tells generations apart.
        let space = arena.key_space_indexed(|entity: &Entity| entity.index_u32());
        arena.set_turns_max(turns_max);
        arena.on_warning(|warning: &Warning| log::warn!("{warning:?}"));
        Self {
            arena,
            space,
            families: BTreeMap::new(),
            shared: BTreeMap::new(),
            turn: Turn::default(),
            counts: TurnCounts::default(),
            totals: TurnCounts::default(),
            failed_at: None,
            #[cfg(feature = "serialize")]
            mapped: BTreeMap::new(),
        }
    }

    /// The arena, for reading settled values and names.
    ///
    /// # Examples
    ///
    /// ```
    /// # use bevy_app::App;
    /// # use cog_bevy::{CogPlugin, Cogs};
    /// # let mut app = App::new();
    /// # app.add_plugins(CogPlugin::default());
    /// assert_eq!(app.world().resource::<Cogs>().arena().queued(), 0);
    /// ```
    #[must_use]
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// The arena, for declaring cogs that belong to no entity, and for turns of their own.
    ///
    /// Inside a reaction or a system of [`CogFrame`](crate::CogFrame) a turn is open: queue another with
    /// [`Arena::queue`] there, or through [`CogWriter`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use bevy_app::App;
    /// # use cog_bevy::{CogPlugin, Cogs};
    /// # let mut app = App::new();
    /// # app.add_plugins(CogPlugin::default());
    /// let mut cogs = app.world_mut().resource_mut::<Cogs>();
    /// let lives = cogs.arena_mut().source(3);
    /// assert_eq!(*cogs.arena_mut().read(lives), 3);
    /// ```
    #[must_use]
    pub fn arena_mut(&mut self) -> &mut Arena {
        &mut self.arena
    }

    /// What the turns of the last frame did, taken together.
    ///
    /// A turn that [`settle_cogs`](crate::CogWorldExt::settle_cogs) ran counts as a frame here.
    ///
    /// # Examples
    ///
    /// ```
    /// # use bevy_app::App;
    /// # use cog_bevy::{CogPlugin, Cogs};
    /// # let mut app = App::new();
    /// # app.add_plugins(CogPlugin::default());
    /// app.update();
    /// assert_eq!(app.world().resource::<Cogs>().counts().run, 0);
    /// ```
    #[must_use]
    pub fn counts(&self) -> TurnCounts {
        self.counts
    }

    /// Starts to count for a new frame.
    pub(crate) fn begin_counting(&mut self) {
        self.totals = self.arena.totals();
    }

    /// Keeps what was counted since.
    pub(crate) fn end_counting(&mut self) {
        let (before, mut counts) = (self.totals, self.arena.totals());
        counts.written -= before.written;
        counts.reached -= before.reached;
        counts.run -= before.run;
        counts.cut -= before.cut;
        counts.published -= before.published;
        self.counts = counts;
    }

    /// Remembers whether something failed in the frame that ends.
    pub(crate) fn note_failure(&mut self, has_failed: bool) {
        self.failed_at = has_failed.then(|| self.arena.totals().run);
    }

    /// Whether something ran since a frame in which something failed: in a turn that somebody took of the arena's own,
    /// which tried it again. Nobody has published what came out of it.
    pub(crate) fn has_missed_a_recovery(&self) -> bool {
        self.failed_at
            .is_some_and(|run| run != self.arena.totals().run)
    }

    /// The family behind the derived component `C`, if some function derives it.
    ///
    /// Declared functions become cogs at the start of the next frame; before that, this is `None`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use bevy_app::App;
    /// # use bevy_ecs::prelude::*;
    /// # use cog_bevy::{CogAppExt, CogPlugin, Cogs, Input};
    /// #[derive(Component, Clone, PartialEq)]
    /// struct Health(f32);
    /// #[derive(Component, Clone, PartialEq, Debug)]
    /// struct Threat(f32);
    ///
    /// # let mut app = App::new();
    /// app.add_plugins(CogPlugin::default())
    ///     .add_derived(|health: Input<Health>| Threat(health.0 * 2.0));
    /// let orc = app.world_mut().spawn(Health(4.0)).id();
    /// app.update();
    /// let cogs = app.world().resource::<Cogs>();
    /// let threat = cogs.derived::<Threat>().expect("it is derived");
    /// assert_eq!(cogs.arena().settled(threat.at(orc)), Some(&Threat(8.0)));
    /// ```
    #[must_use]
    pub fn derived<C: Component>(&self) -> Option<DerivedFamily<Entity, C>> {
        match self.family::<C>()? {
            Family::Derived(family) => Some(*family),
            Family::Source(_) => None,
        }
    }

    /// The cog behind the derived resource `R`, if some function derives it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use bevy_app::App;
    /// # use bevy_ecs::prelude::*;
    /// # use cog_bevy::{CogAppExt, CogPlugin, Cogs, InputRes};
    /// #[derive(Resource, Clone, PartialEq)]
    /// struct Level(u32);
    /// #[derive(Resource, Clone, PartialEq, Debug)]
    /// struct Difficulty(u32);
    ///
    /// # let mut app = App::new();
    /// app.add_plugins(CogPlugin::default())
    ///     .insert_resource(Level(2))
    ///     .add_derived_resource(|level: InputRes<Level>| Difficulty(level.0 * 10));
    /// app.update();
    /// let cogs = app.world().resource::<Cogs>();
    /// let difficulty = cogs.derived_resource::<Difficulty>().expect("it is derived");
    /// assert_eq!(cogs.arena().settled(difficulty), Some(&Difficulty(20)));
    /// ```
    #[must_use]
    pub fn derived_resource<R: Resource>(&self) -> Option<Derived<R>> {
        match self.shared::<R>()? {
            Shared::Derived(cog) => Some(*cog),
            Shared::Source(_) => None,
        }
    }

    /// The key space whose keys are the world's entities.
    pub(crate) fn space(&self) -> KeySpace<Entity> {
        self.space
    }

    pub(crate) fn family<C: Component>(&self) -> Option<&Family<C>> {
        self.families.get(&TypeId::of::<C>())?.downcast_ref()
    }

    pub(crate) fn shared<R: Resource>(&self) -> Option<&Shared<R>> {
        self.shared.get(&TypeId::of::<R>())?.downcast_ref()
    }

    /// Keeps one per type.
    ///
    /// # Panics
    ///
    /// If the component has a family already: declarations make one.
    pub(crate) fn insert_family<C: Component>(&mut self, family: Family<C>) {
        let earlier = self.families.insert(TypeId::of::<C>(), Box::new(family));
        assert!(earlier.is_none(), "a component has one family");
    }

    /// Keeps one per type.
    ///
    /// # Panics
    ///
    /// If the resource has a cog already: declarations make one.
    pub(crate) fn insert_shared<R: Resource>(&mut self, shared: Shared<R>) {
        let earlier = self.shared.insert(TypeId::of::<R>(), Box::new(shared));
        assert!(earlier.is_none(), "a resource has one cog");
    }
}

/// Queues turns of their own from a system: each is settled, published and reacted to by itself.
///
/// Writes to components and resources need none of this; they become one turn at the end of the
/// frame. This is for the cogs you declared in [`Cogs::arena_mut`].
///
/// # Examples
///
/// ```
/// use bevy_app::{App, Update};
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogPlugin, CogWriter, Cogs, arena::Source};
///
/// #[derive(Resource)]
/// struct Clicks(Source<u32>);
///
/// fn click(mut writer: CogWriter, clicks: Res<Clicks>) {
///     let clicks = clicks.0;
///     writer.turn(move |w| w.update(clicks, |n| *n += 1));
/// }
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default());
/// let clicks = app.world_mut().resource_mut::<Cogs>().arena_mut().source(0);
/// app.insert_resource(Clicks(clicks)).add_systems(Update, click);
/// app.update();
/// app.update();
/// assert_eq!(*app.world_mut().resource_mut::<Cogs>().arena_mut().read(clicks), 2);
/// ```
#[derive(SystemParam)]
pub struct CogWriter<'w> {
    cogs: ResMut<'w, Cogs>,
}

impl CogWriter<'_> {
    /// Queues `body` as a turn of its own, in this frame if its turns are not over yet.
    ///
    /// Turns run first in, first out, each complete before the next. From a reaction it is a later
    /// turn of the same frame.
    ///
    /// # Examples
    ///
    /// See [`CogWriter`].
    pub fn turn(&mut self, body: impl FnOnce(&mut Writer<'_>) + Send + Sync + 'static) {
        self.cogs.bypass_change_detection().arena.queue(body);
    }
}
