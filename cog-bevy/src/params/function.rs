//! Which functions derive something, and what their results may be.
//!
//! Takes: ordinary functions and closures. Leaves: one call shape for all of them, and the arena's
//! family or keyless cog that runs them. Never: runs one itself.

use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::entity::Entity;
use cog_arena::{Declare, Derived, DerivedFamily, Inputs, KeySpace};
use variadics_please::all_tuples;

use crate::params::param::CogParam;

/// A function that derives a value from its parameters.
///
/// Every `Fn` of up to twelve [`CogParam`]s is one. It must be pure: it may read nothing but its
/// parameters, or it will not run when it should. It can't write: nothing it is given allows it.
///
/// # Examples
///
/// ```
/// use bevy_ecs::component::Component;
/// use cog_bevy::{DerivedFn, Input};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Health(f32);
/// #[derive(Component, Clone, PartialEq)]
/// struct Threat(f32);
///
/// fn threat(health: Input<Health>) -> Threat { Threat(health.0 * 2.0) }
/// fn is_derived<M>(_: impl DerivedFn<M>) {}
/// is_derived(threat);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a derived function",
    label = "not a derived function",
    note = "its parameters must be Input<C>, Option<Input<C>>, InputRes<R>, Lookup<C>, Previous<C>, Own, or tuples of these, at most twelve",
    note = "a source component or resource must be `Clone + PartialEq`; for one that isn't `PartialEq`, write Input<C, AsDeclared> and say `app.source_with::<C>(equality)`",
    note = "it must be `Fn + Send + Sync + 'static`: it may not change what it captured"
)]
pub trait DerivedFn<M>: Send + Sync + 'static {
    /// The parameters, as one tuple.
    #[doc(hidden)]
    type Params: CogParam;
    /// What it returns.
    #[doc(hidden)]
    type Out;
    /// Calls it.
    #[doc(hidden)]
    fn call(&self, params: <Self::Params as CogParam>::Item<'_>) -> Self::Out;
}

macro_rules! function_of_params {
    ($(($P:ident, $p:ident)),*) => {
        impl<Out, Function, $($P: CogParam),*> DerivedFn<fn($($P),*) -> Out> for Function
        where
            Out: 'static,
            Function: Send + Sync + 'static,
            for<'f> &'f Function: Fn($($P),*) -> Out + Fn($($P::Item<'_>),*) -> Out,
        {
            type Params = ($($P,)*);
            type Out = Out;

            #[inline(always)]
            fn call(&self, params: <Self::Params as CogParam>::Item<'_>) -> Out {
                // The function is known to take the parameters in two guises. This inner one is
                // called with a single choice of types, so the compiler need not guess which.
                #[inline(always)]
                #[expect(clippy::allow_attributes, reason = "only the long tuples need it")]
                #[allow(clippy::too_many_arguments, reason = "as many as the function has")]
                fn call<Out, $($P),*>(function: impl Fn($($P),*) -> Out, $($p: $P),*) -> Out {
                    function($($p),*)
                }
                let ($($p,)*) = params;
                call(self, $($p),*)
            }
        }
    };
}

all_tuples!(function_of_params, 1, 12, P, p);

/// What a derived function may return: a component or resource that is `Clone + PartialEq`, or an
/// `Option` of one.
///
/// `None` means that there is no value: the component or resource is removed.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, Input};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Health(i32);
/// #[derive(Component, Clone, PartialEq)]
/// struct Dying;
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .add_derived(|health: Input<Health>| (health.0 < 10).then_some(Dying));
/// let orc = app.world_mut().spawn(Health(5)).id();
/// app.update();
/// assert!(app.world().entity(orc).contains::<Dying>());
/// app.world_mut().entity_mut(orc).insert(Health(50));
/// app.update();
/// assert!(!app.world().entity(orc).contains::<Dying>());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be derived",
    note = "a derived function returns a mutable component or a resource that is `Clone + PartialEq`, or an `Option` of one"
)]
pub trait DerivedOut<M>: Sized + 'static {
    /// The component or resource.
    #[doc(hidden)]
    type Value: Component<Mutability = Mutable> + Clone + PartialEq;
    /// A family of such values, one per entity.
    #[doc(hidden)]
    fn family<I: Inputs>(
        declare: Declare<'_>,
        space: KeySpace<Entity>,
        inputs: I,
        function: impl for<'a> Fn(I::Items<'a>) -> Self + Send + Sync + 'static,
    ) -> DerivedFamily<Entity, Self::Value>;
    /// The function of a family that was reserved.
    #[doc(hidden)]
    fn define<I: Inputs>(
        declare: Declare<'_>,
        family: DerivedFamily<Entity, Self::Value>,
        inputs: I,
        function: impl for<'a> Fn(I::Items<'a>) -> Self + Send + Sync + 'static,
    );
    /// One such value.
    #[doc(hidden)]
    fn keyless<I: Inputs>(
        declare: Declare<'_>,
        inputs: I,
        function: impl for<'a> Fn(I::Items<'a>) -> Self + Send + Sync + 'static,
    ) -> Derived<Self::Value>;
}

/// Says that a function returns its value as it is. It is inferred, never written.
#[derive(Debug)]
pub struct IsPlain;

/// Says that a function returns an `Option` of its value. It is inferred, never written.
#[derive(Debug)]
pub struct IsOptional;

impl<C: Component<Mutability = Mutable> + Clone + PartialEq> DerivedOut<IsPlain> for C {
    type Value = C;

    fn family<I: Inputs>(
        declare: Declare<'_>,
        space: KeySpace<Entity>,
        inputs: I,
        function: impl for<'a> Fn(I::Items<'a>) -> Self + Send + Sync + 'static,
    ) -> DerivedFamily<Entity, C> {
        declare.derived_family_from(space, inputs, function)
    }

    fn define<I: Inputs>(
        declare: Declare<'_>,
        family: DerivedFamily<Entity, C>,
        inputs: I,
        function: impl for<'a> Fn(I::Items<'a>) -> Self + Send + Sync + 'static,
    ) {
        declare.define_family(family, inputs, function);
    }

    fn keyless<I: Inputs>(
        declare: Declare<'_>,
        inputs: I,
        function: impl for<'a> Fn(I::Items<'a>) -> Self + Send + Sync + 'static,
    ) -> Derived<C> {
        declare.derived_from(inputs, function)
    }
}

impl<C: Component<Mutability = Mutable> + Clone + PartialEq> DerivedOut<IsOptional> for Option<C> {
    type Value = C;

    fn family<I: Inputs>(
        declare: Declare<'_>,
        space: KeySpace<Entity>,
        inputs: I,
        function: impl for<'a> Fn(I::Items<'a>) -> Self + Send + Sync + 'static,
    ) -> DerivedFamily<Entity, C> {
        declare.partial_family_from(space, inputs, function)
    }

    fn define<I: Inputs>(
        declare: Declare<'_>,
        family: DerivedFamily<Entity, C>,
        inputs: I,
        function: impl for<'a> Fn(I::Items<'a>) -> Self + Send + Sync + 'static,
    ) {
        declare.define_partial_family(family, inputs, function);
    }

    fn keyless<I: Inputs>(
        declare: Declare<'_>,
        inputs: I,
        function: impl for<'a> Fn(I::Items<'a>) -> Self + Send + Sync + 'static,
    ) -> Derived<C> {
        declare.partial_from(inputs, function)
    }
}
