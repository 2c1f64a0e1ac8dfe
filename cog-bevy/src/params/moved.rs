//! `Moved`: what a reaction is told; and what observers and readers of messages are.
//!
//! Takes: an old and a new value, of one entity or of a resource. Leaves: the input of a reaction's system, an event,
//! a message. Never: tells of a value that came out equal.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::event::{EntityEvent, Event};
use bevy_ecs::message::Message;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::SystemInput;

/// One entity's derived `C` that really moved in this turn: the first parameter of a reaction.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, Input, Moved};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Health(f32);
/// #[derive(Component, Clone, PartialEq)]
/// struct Threat(f32);
/// #[derive(Resource, Default)]
/// struct Log(Vec<String>);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .init_resource::<Log>()
///     .add_derived(|health: Input<Health>| Threat(health.0 * 2.0))
///     .add_reaction(|moved: Moved<Threat>, mut log: ResMut<Log>| {
///         log.0.push(format!("{:?} -> {:?}", moved.old.map(|t| t.0), moved.new.map(|t| t.0)));
///     });
/// let orc = app.world_mut().spawn(Health(1.0)).id();
/// app.update();
/// app.world_mut().despawn(orc);
/// app.update();
/// assert_eq!(app.world().resource::<Log>().0, ["None -> Some(2.0)", "Some(2.0) -> None"]);
/// ```
#[derive(Debug)]
pub struct Moved<'a, C> {
    /// The entity. It may be gone if `new` is `None`.
    pub entity: Entity,
    /// The value before the turn; `None` if there was none.
    pub old: Option<&'a C>,
    /// The value now; `None` if there is none any more.
    pub new: Option<&'a C>,
}

impl<C> Clone for Moved<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Moved<'_, C> {}

impl<C: Component> SystemInput for Moved<'_, C> {
    type Param<'i> = Moved<'i, C>;
    type Inner<'i> = Moved<'i, C>;

    fn wrap(this: Self::Inner<'_>) -> Self::Param<'_> {
        this
    }
}

/// One entity's derived `C` really moved: an event for observers, and a message.
///
/// [`add_moved_events`](crate::CogAppExt::add_moved_events) triggers it for the entity, so that
/// `world.entity_mut(orc).observe(..)` sees one entity's and `app.add_observer(..)` everybody's.
/// [`add_moved_messages`](crate::CogAppExt::add_moved_messages) writes it to `Messages<CogMoved<C>>`.
///
/// # Examples
///
/// ```
/// use bevy_app::{App, PostUpdate};
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogMoved, CogPlugin, Input};
///
/// #[derive(Component, Clone, PartialEq)] struct Health(i32);
/// #[derive(Component, Clone, PartialEq)] struct Dead(bool);
/// #[derive(Resource, Default)] struct Deaths(usize);
///
/// fn count(mut moved: MessageReader<CogMoved<Dead>>, mut deaths: ResMut<Deaths>) {
///     deaths.0 += moved.read().filter(|moved| moved.new == Some(Dead(true))).count();
/// }
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .init_resource::<Deaths>()
///     .add_derived(|health: Input<Health>| Dead(health.0 <= 0))
///     .add_moved_messages::<Dead>()
///     .add_systems(PostUpdate, count);
/// app.world_mut().spawn_batch([Health(0), Health(1), Health(-1)]);
/// app.update();
/// app.update();
/// assert_eq!(app.world().resource::<Deaths>().0, 2);
/// ```
#[derive(Clone, Debug, EntityEvent, Message, PartialEq)]
pub struct CogMoved<C: Component> {
    /// The entity. It may be gone if `new` is `None`; its own observers are gone with it then.
    pub entity: Entity,
    /// The value before the turn; `None` if there was none.
    pub old: Option<C>,
    /// The value now; `None` if there is none any more.
    pub new: Option<C>,
}

impl<C: Component + Clone> From<Moved<'_, C>> for CogMoved<C> {
    fn from(moved: Moved<'_, C>) -> Self {
        Self {
            entity: moved.entity,
            old: moved.old.cloned(),
            new: moved.new.cloned(),
        }
    }
}

/// The derived resource `R` really moved: an event for observers, and a message.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, CogResourceMoved, InputRes};
///
/// #[derive(Resource, Clone, PartialEq)] struct Score(u32);
/// #[derive(Resource, Clone, PartialEq)] struct Rank(u32);
/// #[derive(Resource, Default)] struct Fanfares(u32);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .insert_resource(Score(0))
///     .init_resource::<Fanfares>()
///     .add_derived_resource(|score: InputRes<Score>| Rank(score.0 / 100))
///     .add_moved_resource_events::<Rank>()
///     .add_observer(|_: On<CogResourceMoved<Rank>>, mut fanfares: ResMut<Fanfares>| fanfares.0 += 1);
/// for score in [50, 150, 170] {
///     app.insert_resource(Score(score));
///     app.update();
/// }
/// assert_eq!(app.world().resource::<Fanfares>().0, 2); // the first rank, and the next one
/// ```
///
/// As messages:
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::message::Messages;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, CogResourceMoved, InputRes};
///
/// #[derive(Resource, Clone, PartialEq)] struct Score(u32);
/// #[derive(Resource, Clone, PartialEq)] struct Rank(u32);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .insert_resource(Score(120))
///     .add_derived_resource(|score: InputRes<Score>| Rank(score.0 / 100))
///     .add_moved_resource_messages::<Rank>();
/// app.update();
/// assert_eq!(app.world().resource::<Messages<CogResourceMoved<Rank>>>().len(), 1);
/// ```
#[derive(Clone, Debug, Event, Message, PartialEq)]
pub struct CogResourceMoved<R: Resource> {
    /// The value before the turn; `None` if there was none.
    pub old: Option<R>,
    /// The value now; `None` if there is none any more.
    pub new: Option<R>,
}
