//! The trait of all parameters, and who listens when a signature is read.
//!
//! Takes: nothing. Leaves: the contract between a parameter, the declaration and the arena.
//! Never: names a parameter.

use bevy_ecs::component::Component;
use bevy_ecs::resource::Resource;
use cog_arena::Inputs;

use crate::cogs::Cogs;
use crate::params::compare::Compare;

/// A parameter of a derived function.
///
/// | parameter | gives | the row exists |
/// |---|---|---|
/// | [`Input<C>`](crate::Input) | the same entity's `C` | only where `C` does |
/// | `Option<Input<C>>` | the same entity's `C`, if it has one | either way |
/// | [`InputRes<R>`](crate::InputRes) | the resource `R` | only while `R` does |
/// | `Option<InputRes<R>>` | the resource `R`, if there is one | either way |
/// | [`Lookup<C>`](crate::Lookup) | the `C` of any entity you name | either way |
/// | [`Previous<C>`](crate::Previous) | the function's own last value | either way |
/// | [`Own`](crate::Own) | the entity itself | |
///
/// A tuple of up to twelve of these is one too. The trait can't be implemented elsewhere: what it
/// needs from the arena is not part of the public contract.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, Input, InputRes};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Health(f32);
/// #[derive(Component, Clone, PartialEq)]
/// struct Armor(f32);
/// #[derive(Resource, Clone, PartialEq)]
/// struct Difficulty(f32);
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Threat(f32);
///
/// fn threat(
///     (health, armor): (Input<Health>, Option<Input<Armor>>),
///     difficulty: InputRes<Difficulty>,
/// ) -> Threat {
///     Threat(health.0 * difficulty.0 - armor.map_or(0.0, |armor| armor.0))
/// }
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default()).insert_resource(Difficulty(2.0)).add_derived(threat);
/// let orc = app.world_mut().spawn((Health(5.0), Armor(1.0))).id();
/// app.update();
/// assert_eq!(app.world().get::<Threat>(orc), Some(&Threat(9.0)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a parameter of a derived function",
    note = "use Input<C>, Option<Input<C>>, InputRes<R>, Option<InputRes<R>>, Lookup<C>, Previous<C>, Own, or a tuple of these",
    note = "a source component or resource must be `Clone + PartialEq`; for one that isn't `PartialEq`, write Input<C, AsDeclared> and say `app.source_with::<C>(equality)`"
)]
pub trait CogParam {
    /// The arena's descriptor of this parameter.
    #[doc(hidden)]
    type Inputs: Inputs;
    /// The same parameter with the lifetime of one run.
    #[doc(hidden)]
    type Item<'a>: CogParam<Inputs = Self::Inputs>;
    /// Tells `declarer` what this parameter depends on.
    #[doc(hidden)]
    fn declare(declarer: &mut impl Declarer);
    /// The descriptor, once everything this parameter depends on has a cog.
    #[doc(hidden)]
    fn inputs(cogs: &Cogs) -> Self::Inputs;
    /// Wraps what the arena gives.
    #[doc(hidden)]
    fn item<'a>(items: <Self::Inputs as Inputs>::Items<'a>) -> Self::Item<'a>;
}

/// How a function depends on something.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Declared; without it the row doesn't exist.
    Required,
    /// Declared; may be missing.
    Optional,
    /// Tracked while the function runs.
    Tracked,
}

/// Who listens when a signature says what it depends on.
#[doc(hidden)]
pub trait Declarer {
    /// The component `C` of the same entity, or of any if tracked.
    fn component<C: Component + Clone, E: Compare<C>>(&mut self, need: Need);
    /// The resource `R`.
    fn resource<R: Resource + Clone, E: Compare<R>>(&mut self, need: Need);
    /// The entity itself.
    fn own(&mut self);
    /// The function's own last value, which must be a `C`.
    fn previous<C: 'static>(&mut self);
}
