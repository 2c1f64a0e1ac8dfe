//! Who decides whether a source really changed: its own `PartialEq`, or a function given by name.
//!
//! Takes: a type parameter of `Input` and its kin. Leaves: the equality, if the type decides it.
//! Never: compares anything itself.

/// How the values of a source are compared.
///
/// It is the second parameter of [`Input`](crate::Input), [`InputRes`](crate::InputRes) and
/// [`Lookup`](crate::Lookup), and rarely written: the default, [`ByEq`], is right for every type that
/// is `PartialEq`.
///
/// # Examples
///
/// See [`AsDeclared`].
pub trait Compare<C>: Send + Sync + 'static {
    /// The equality that the type itself brings, if it brings one.
    #[doc(hidden)]
    fn equality() -> Option<fn(&C, &C) -> bool>;
}

/// Compares by `PartialEq`. Note that a float which is `NaN` is unequal to itself, so writing it
/// again is a change.
///
/// # Examples
///
/// ```
/// use bevy_ecs::component::Component;
/// use cog_bevy::{ByEq, Input};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Health(f32);
/// // The two signatures are the same.
/// fn twice(health: Input<Health>) -> f32 { health.0 * 2.0 }
/// fn thrice(health: Input<Health, ByEq>) -> f32 { health.0 * 3.0 }
/// # let _: (fn(Input<'_, Health>) -> f32, fn(Input<'_, Health>) -> f32) = (twice, thrice);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ByEq;

/// Compares by the function given to
/// [`source_with`](crate::CogAppExt::source_with), for a type that isn't `PartialEq`, such as a
/// component of somebody else's crate.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{AsDeclared, CogAppExt, CogPlugin, Input};
///
/// // Not `PartialEq`, and not ours to change.
/// #[derive(Component, Clone)]
/// struct Mesh { id: u32 }
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Detail(u32);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .source_with::<Mesh>(|a, b| a.id == b.id)
///     .add_derived(|mesh: Input<Mesh, AsDeclared>| Detail(mesh.id / 10));
/// let rock = app.world_mut().spawn(Mesh { id: 70 }).id();
/// app.update();
/// assert_eq!(app.world().get::<Detail>(rock), Some(&Detail(7)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AsDeclared;

impl<C: PartialEq> Compare<C> for ByEq {
    fn equality() -> Option<fn(&C, &C) -> bool> {
        Some(C::eq)
    }
}

impl<C> Compare<C> for AsDeclared {
    fn equality() -> Option<fn(&C, &C) -> bool> {
        None
    }
}
