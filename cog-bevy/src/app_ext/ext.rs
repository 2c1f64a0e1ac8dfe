//! The extension trait for declaring.
//!
//! Takes: an `App`, a `SubApp` or a `World`. Leaves: declarations.
//! Never: a meaning of its own; each verb is a line into a lower room.

use bevy_app::{App, SubApp};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::IntoSystem;
use bevy_ecs::world::World;
use cog_arena::{Derived, Over};

use crate::app_ext::{declare, fold, moved};
use crate::params::{DerivedFn, DerivedOut, Moved};

/// Declares derived values and reactions, on an [`App`], a [`SubApp`] or a [`World`].
///
/// Declarations may come in any order, before entities exist or after, and in a running app: they
/// take effect when the next turn begins. Wrong ones panic where they are made.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, Input};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Health(f32);
/// #[derive(Component, Clone, PartialEq)]
/// struct Threat(f32);
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Alarm(bool);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .add_derived(|threat: Input<Threat>| Alarm(threat.0 > 10.0)) // reads what comes next
///     .add_derived(|health: Input<Health>| Threat(health.0 * 2.0));
/// let orc = app.world_mut().spawn(Health(6.0)).id();
/// app.update();
/// assert_eq!(app.world().get::<Alarm>(orc), Some(&Alarm(true)));
/// ```
pub trait CogAppExt {
    #[doc(hidden)]
    fn cog_world(&mut self) -> &mut World;

    /// Declares that `function` derives the component it returns.
    ///
    /// Each entity that has all the function's [`Input`](crate::Input)s has the component, always
    /// settled when [`CogLoop`](crate::CogLoop) is over. A function that returns an `Option` takes the component away by
    /// `None`. Whatever it reads and no function derives is a source: write to it as usual.
    ///
    /// It does not run anything yet.
    ///
    /// # Cost
    ///
    /// When the next turn begins, one run for each entity that has the inputs.
    ///
    /// # Panics
    ///
    /// If [`CogPlugin`](crate::CogPlugin) is missing; if another function derives the same component; if declared
    /// inputs form a cycle; if the function has no required `Input`; if it asks for the `Previous`
    /// of something else than it returns; if the component is already read as a source by an app
    /// that has run.
    ///
    /// # Examples
    ///
    /// See [`CogAppExt`].
    #[track_caller]
    fn add_derived<M, O, F>(&mut self, function: F) -> &mut Self
    where
        F: DerivedFn<M>,
        F::Out: DerivedOut<O>,
    {
        declare::component(self.cog_world(), function);
        self
    }

    /// Declares that `function` derives the resource it returns.
    ///
    /// The resource is there when all the function's [`InputRes`](crate::InputRes)s are, and a
    /// function that returns an `Option` didn't say `None`. It may look up components of entities.
    ///
    /// # Panics
    ///
    /// As [`add_derived`](Self::add_derived) does, and if the function takes `Input` or `Own`.
    ///
    /// # Examples
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::*;
    /// use cog_bevy::{CogAppExt, CogPlugin, InputRes};
    ///
    /// #[derive(Resource, Clone, PartialEq)]
    /// struct Level(u32);
    /// #[derive(Resource, Clone, PartialEq, Debug)]
    /// struct Difficulty(u32);
    ///
    /// let mut app = App::new();
    /// app.add_plugins(CogPlugin::default())
    ///     .insert_resource(Level(3))
    ///     .add_derived_resource(|level: InputRes<Level>| Difficulty(level.0 * 10));
    /// app.update();
    /// assert_eq!(app.world().resource::<Difficulty>(), &Difficulty(30));
    /// ```
    #[track_caller]
    fn add_derived_resource<M, O, F>(&mut self, function: F) -> &mut Self
    where
        F: DerivedFn<M>,
        F::Out: DerivedOut<O, Value: Resource>,
    {
        declare::resource(self.cog_world(), function);
        self
    }

    /// Adds a reaction: a system that runs for each entity whose derived `C` really moved.
    ///
    /// Its first parameter is a [`Moved<C>`](crate::Moved); any others are those of a Bevy system.
    /// Reactions run in the order in which they were added, when every value of the turn is settled
    /// and published. A reaction's commands apply right after it, before the next one runs, and
    /// what it writes to sources becomes a later turn of the same frame. One that is added late is told of
    /// every value that is there, with no old one.
    ///
    /// An entity that is gone by then is skipped, unless its going is the news.
    ///
    /// # Cost
    ///
    /// One run, a clone and a hash for each move; what was told last is kept: one `C` for each entity.
    ///
    /// # Panics
    ///
    /// If [`CogPlugin`](crate::CogPlugin) is missing. The next frame panics if nothing derives `C`.
    ///
    /// # Examples
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::*;
    /// use cog_bevy::{CogAppExt, CogPlugin, Input, Moved};
    ///
    /// #[derive(Component, Clone, PartialEq)]
    /// struct Health(i32);
    /// #[derive(Component, Clone, PartialEq)]
    /// struct Dead(bool);
    ///
    /// fn bury(moved: Moved<Dead>, mut commands: Commands) {
    ///     if moved.new == Some(&Dead(true)) {
    ///         commands.entity(moved.entity).despawn();
    ///     }
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins(CogPlugin::default())
    ///     .add_derived(|health: Input<Health>| Dead(health.0 <= 0))
    ///     .add_reaction(bury);
    /// let orc = app.world_mut().spawn(Health(0)).id();
    /// app.update();
    /// assert!(app.world().get_entity(orc).is_err());
    /// ```
    #[track_caller]
    fn add_reaction<C, M, S>(&mut self, system: S) -> &mut Self
    where
        C: Component + Clone,
        S: IntoSystem<Moved<'static, C>, (), M>,
    {
        declare::reaction(self.cog_world(), system);
        self
    }

    /// Triggers a [`CogMoved<C>`](crate::CogMoved) for each entity whose derived `C` really moved, exactly once.
    ///
    /// It takes its place among the reactions, in the order in which they are added, and does what
    /// [`add_reaction`](Self::add_reaction) says of them: observers run when everything is settled and published,
    /// their commands apply right after them, and what they write to sources becomes a later turn of the same frame.
    /// Asked for again, it changes nothing.
    ///
    /// # Cost
    ///
    /// That of a reaction, and a clone of each value before and after. An entity's own observer is found by one hash.
    ///
    /// # Panics
    ///
    /// As [`add_reaction`](Self::add_reaction). A panic of an observer keeps the others of that entity from running,
    /// and nobody else.
    ///
    /// # Examples
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::*;
    /// use cog_bevy::{CogAppExt, CogMoved, CogPlugin, Input};
    ///
    /// #[derive(Component, Clone, PartialEq)] struct Health(i32);
    /// #[derive(Component, Clone, PartialEq)] struct Dead(bool);
    ///
    /// let mut app = App::new();
    /// app.add_plugins(CogPlugin::default())
    ///     .add_derived(|health: Input<Health>| Dead(health.0 <= 0))
    ///     .add_moved_events::<Dead>();
    /// let boss = app.world_mut().spawn(Health(9)).id();
    /// app.world_mut().entity_mut(boss).observe(|moved: On<CogMoved<Dead>>, mut commands: Commands| {
    ///     if moved.new == Some(Dead(true)) {
    ///         commands.entity(moved.entity).despawn();
    ///     }
    /// });
    /// app.update();
    /// app.world_mut().entity_mut(boss).insert(Health(0));
    /// app.update();
    /// assert!(app.world().get_entity(boss).is_err());
    /// ```
    #[track_caller]
    fn add_moved_events<C: Component + Clone>(&mut self) -> &mut Self {
        moved::events::<C>(self.cog_world());
        self
    }

    /// Writes a [`CogMoved<C>`](crate::CogMoved) to `Messages<CogMoved<C>>` for each entity whose derived `C` really
    /// moved, exactly once.
    ///
    /// A `MessageReader<CogMoved<C>>` gets each once, in the order in which turns moved them, whenever its system
    /// runs: where `Time` runs fixed steps, Bevy keeps messages until a step could read them, so that none is lost in
    /// a frame without steps, and none comes twice in one with several. Whoever runs steps of their own says so with
    /// `signal_message_update_system`, and in a bare `World` updates the messages, as for any other message.
    /// Asked for again, it changes nothing.
    ///
    /// # Cost
    ///
    /// That of a reaction, and a clone of each value before and after. No further turn follows from it.
    ///
    /// # Panics
    ///
    /// As [`add_reaction`](Self::add_reaction).
    ///
    /// # Examples
    ///
    /// See [`CogMoved`](crate::CogMoved).
    #[track_caller]
    fn add_moved_messages<C: Component + Clone>(&mut self) -> &mut Self {
        moved::messages::<C>(self.cog_world());
        self
    }

    /// As [`add_moved_events`](Self::add_moved_events), for a derived resource: triggers a
    /// [`CogResourceMoved<R>`](crate::CogResourceMoved) each time it really moved.
    ///
    /// # Cost
    ///
    /// A comparison and three clones for each move.
    ///
    /// # Panics
    ///
    /// If [`CogPlugin`](crate::CogPlugin) is missing. The next frame panics if nothing derives `R` as a resource.
    ///
    /// # Examples
    ///
    /// See [`CogResourceMoved`](crate::CogResourceMoved).
    #[track_caller]
    fn add_moved_resource_events<R: Resource + Clone>(&mut self) -> &mut Self {
        moved::resource_events::<R>(self.cog_world());
        self
    }

    /// As [`add_moved_messages`](Self::add_moved_messages), for a derived resource: writes a
    /// [`CogResourceMoved<R>`](crate::CogResourceMoved) each time it really moved.
    ///
    /// # Cost
    ///
    /// A comparison and three clones for each move. No further turn follows from it.
    ///
    /// # Panics
    ///
    /// As [`add_moved_resource_events`](Self::add_moved_resource_events).
    ///
    /// # Examples
    ///
    /// See [`CogResourceMoved`](crate::CogResourceMoved).
    #[track_caller]
    fn add_moved_resource_messages<R: Resource + Clone>(&mut self) -> &mut Self {
        moved::resource_messages::<R>(self.cog_world());
        self
    }

    /// Declares that the resource which `make` returns follows from *all* entities that have `C`, taken together: their
    /// number, a sum, the least or greatest, a ranking. Which, says `fold`: [`Over`] lists what there is.
    ///
    /// A frame looks at the entities whose `C` moved, came or went, and at no others. `make` runs only if the fold's value
    /// really changed. `C` may be derived; if it is a source, it is `Clone + PartialEq`.
    ///
    /// # Cost
    ///
    /// O(entities whose `C` moved), or O(log n) each where an order is kept. When the next turn begins, all of them once.
    ///
    /// # Panics
    ///
    /// If [`CogPlugin`](crate::CogPlugin) is missing; if another function derives the same resource; if declared inputs
    /// form a cycle; if the resource is already read as a source by an app that has run.
    ///
    /// # Examples
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::*;
    /// use cog_bevy::{CogAppExt, CogPlugin, Input, arena::Over};
    ///
    /// #[derive(Component, Clone, PartialEq)]
    /// struct Health(u32);
    /// #[derive(Component, Clone, PartialEq)]
    /// struct Threat(u32);
    /// #[derive(Resource, Clone, PartialEq, Debug)]
    /// struct Danger(u64);
    ///
    /// let mut app = App::new();
    /// app.add_plugins(CogPlugin::default())
    ///     .add_derived(|health: Input<Health>| Threat(health.0 * 2))
    ///     .add_fold(
    ///         |threats: Over<Entity, Threat>| threats.sum_by(|_, threat| u64::from(threat.0)),
    ///         |sum| Danger(*sum),
    ///     );
    /// let orcs: Vec<_> = (1..=3).map(|health| app.world_mut().spawn(Health(health)).id()).collect();
    /// app.update();
    /// assert_eq!(app.world().resource::<Danger>(), &Danger(12));
    /// app.world_mut().despawn(orcs[2]);
    /// app.update();
    /// assert_eq!(app.world().resource::<Danger>(), &Danger(6));
    /// ```
    #[track_caller]
    fn add_fold<C, N, O, R>(
        &mut self,
        fold: impl FnOnce(Over<'_, Entity, C>) -> Derived<N> + Send + Sync + 'static,
        make: impl Fn(&N) -> R + Send + Sync + 'static,
    ) -> &mut Self
    where
        C: Component + Clone + PartialEq,
        N: Send + Sync + 'static,
        R: DerivedOut<O>,
        R::Value: Resource,
    {
        fold::fold(self.cog_world(), fold, make);
        self
    }

    /// Declares how the source component or resource `C` is compared, instead of by `PartialEq`.
    ///
    /// A write that the equality calls equal is no change. A type that isn't `PartialEq` is read as
    /// `Input<C, AsDeclared>`.
    ///
    /// # Panics
    ///
    /// If [`CogPlugin`](crate::CogPlugin) is missing; if `C` is derived; if it was declared before; if the app has run with `C` as a
    /// source.
    ///
    /// # Examples
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::*;
    /// use cog_bevy::{CogAppExt, CogPlugin, Cogs, Input};
    ///
    /// #[derive(Component, Clone, PartialEq)]
    /// struct Heat(f32);
    /// #[derive(Component, Clone, PartialEq)]
    /// struct Glow(f32);
    ///
    /// let mut app = App::new();
    /// app.add_plugins(CogPlugin::default())
    ///     .source_with::<Heat>(|a, b| (a.0 - b.0).abs() < 0.5)
    ///     .add_derived(|heat: Input<Heat>| Glow(heat.0));
    /// let iron = app.world_mut().spawn(Heat(10.0)).id();
    /// app.update();
    /// app.world_mut().entity_mut(iron).insert(Heat(10.1));
    /// app.update();
    /// assert_eq!(app.world().resource::<Cogs>().counts().run, 0);
    /// ```
    #[track_caller]
    fn source_with<C: Component>(&mut self, equality: fn(&C, &C) -> bool) -> &mut Self {
        declare::source_with(self.cog_world(), equality);
        self
    }
}

impl CogAppExt for App {
    fn cog_world(&mut self) -> &mut World {
        self.world_mut()
    }
}

impl CogAppExt for SubApp {
    fn cog_world(&mut self) -> &mut World {
        self.world_mut()
    }
}

impl CogAppExt for World {
    fn cog_world(&mut self) -> &mut World {
        self
    }
}
