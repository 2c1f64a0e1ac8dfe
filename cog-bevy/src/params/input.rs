//! `Input` and `Option<Input>`: the same entity's other components.
//!
//! Takes: a value of the same row. Leaves: something that reads like the component itself.
//! Never: records an edge; these dependencies are known from the signature.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use cog_arena::{Aligned, Inputs, Optional};

use crate::cogs::{Cogs, Family};
use crate::params::compare::{ByEq, Compare};
use crate::params::param::{CogParam, Declarer, Need};

/// The same entity's `C`, as it will be when the turn has settled.
///
/// The derived value exists exactly on the entities that have all the `Input`s of its function.
/// `Option<Input<C>>` gives `None` instead where the entity has no `C`. `C` may be derived itself.
///
/// It reads like the component: `health.now` is the component's field.
///
/// # Cost
///
/// A few nanoseconds per recomputed row; no edge, no hash.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, Input};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Health { now: f32 }
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Threat(f32);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .add_derived(|health: Input<Health>| Threat(health.now * 2.0));
/// let orc = app.world_mut().spawn(Health { now: 3.0 }).id();
/// app.update();
/// assert_eq!(app.world().get::<Threat>(orc), Some(&Threat(6.0)));
/// ```
pub struct Input<'a, C, E = ByEq> {
    cog_value: &'a C,
    cog_compared: PhantomData<fn() -> E>,
}

impl<'a, C, E> Input<'a, C, E> {
    /// The component, for as long as the function runs.
    ///
    /// An associated function, so that it can't hide a method of the component.
    ///
    /// # Examples
    ///
    /// ```
    /// use cog_bevy::Input;
    ///
    /// fn longer<'a>(a: Input<'a, String>, b: Input<'a, String>) -> &'a str {
    ///     let (a, b) = (Input::into_inner(a), Input::into_inner(b));
    ///     if a.len() < b.len() { b } else { a }
    /// }
    /// # let _ = longer;
    /// ```
    #[must_use]
    pub fn into_inner(this: Self) -> &'a C {
        this.cog_value
    }

    fn new(cog_value: &'a C) -> Self {
        Self {
            cog_value,
            cog_compared: PhantomData,
        }
    }
}

impl<C, E> Clone for Input<'_, C, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, E> Copy for Input<'_, C, E> {}

impl<C, E> Deref for Input<'_, C, E> {
    type Target = C;

    fn deref(&self) -> &C {
        self.cog_value
    }
}

impl<C: fmt::Debug, E> fmt::Debug for Input<'_, C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cog_value.fmt(f)
    }
}

impl<C: Component + Clone, E: Compare<C>> CogParam for Input<'_, C, E> {
    type Inputs = Aligned<Entity, C>;
    type Item<'a> = Input<'a, C, E>;

    fn declare(declarer: &mut impl Declarer) {
        declarer.component::<C, E>(Need::Required);
    }

    fn inputs(cogs: &Cogs) -> Self::Inputs {
        match cogs
            .family::<C>()
            .expect("an input's family is declared before its readers")
        {
            Family::Source(family) => family.aligned(),
            Family::Derived(family) => family.aligned(),
        }
    }

    #[inline(always)]
    fn item<'a>(value: <Self::Inputs as Inputs>::Items<'a>) -> Self::Item<'a> {
        Input::new(value)
    }
}

impl<C: Component + Clone, E: Compare<C>> CogParam for Option<Input<'_, C, E>> {
    type Inputs = Optional<Entity, C>;
    type Item<'a> = Option<Input<'a, C, E>>;

    fn declare(declarer: &mut impl Declarer) {
        declarer.component::<C, E>(Need::Optional);
    }

    fn inputs(cogs: &Cogs) -> Self::Inputs {
        match cogs
            .family::<C>()
            .expect("an input's family is declared before its readers")
        {
            Family::Source(family) => family.optional(),
            Family::Derived(family) => family.optional(),
        }
    }

    #[inline(always)]
    fn item<'a>(value: <Self::Inputs as Inputs>::Items<'a>) -> Self::Item<'a> {
        value.map(Input::new)
    }
}
