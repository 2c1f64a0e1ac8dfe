//! `Moved`: what a reaction is told.
//!
//! Takes: one entity's old and new value. Leaves: the input of a reaction's system.
//! Never: tells of a value that came out equal.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
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
