//! `InputRes` and `Option<InputRes>`: resources, read by all rows alike.
//!
//! Takes: the value of a keyless cog. Leaves: something that reads like the resource itself.
//! Never: records an edge.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use bevy_ecs::resource::Resource;
use cog_arena::{Inputs, Shared as SharedInput, SharedOptional};

use crate::cogs::{Cogs, Shared};
use crate::params::compare::{ByEq, Compare};
use crate::params::param::{CogParam, Declarer, Need};

/// The resource `R`, as it will be when the turn has settled.
///
/// While there is no such resource, the function gives no value: a derived component is gone from
/// every entity until the resource is inserted. `Option<InputRes<R>>` gives `None` instead.
///
/// # Cost
///
/// A change of the resource recomputes every row that reads it.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, Input, InputRes};
///
/// #[derive(Resource, Clone, PartialEq)]
/// struct Tax { percent: u32 }
/// #[derive(Component, Clone, PartialEq)]
/// struct Price(u32);
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Gross(u32);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .insert_resource(Tax { percent: 10 })
///     .add_derived(|price: Input<Price>, tax: InputRes<Tax>| {
///         Gross(price.0 + price.0 * tax.percent / 100)
///     });
/// let sword = app.world_mut().spawn(Price(50)).id();
/// app.update();
/// assert_eq!(app.world().get::<Gross>(sword), Some(&Gross(55)));
/// ```
pub struct InputRes<'a, R, E = ByEq> {
    cog_value: &'a R,
    cog_compared: PhantomData<fn() -> E>,
}

impl<'a, R, E> InputRes<'a, R, E> {
    /// The resource, for as long as the function runs.
    ///
    /// # Examples
    ///
    /// ```
    /// use cog_bevy::InputRes;
    ///
    /// fn title<'a>(title: InputRes<'a, String>) -> &'a String { InputRes::into_inner(title) }
    /// # let _ = title;
    /// ```
    #[must_use]
    pub fn into_inner(this: Self) -> &'a R {
        this.cog_value
    }

    fn new(cog_value: &'a R) -> Self {
        Self {
            cog_value,
            cog_compared: PhantomData,
        }
    }
}

impl<R, E> Clone for InputRes<'_, R, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, E> Copy for InputRes<'_, R, E> {}

impl<R, E> Deref for InputRes<'_, R, E> {
    type Target = R;

    fn deref(&self) -> &R {
        self.cog_value
    }
}

impl<R: fmt::Debug, E> fmt::Debug for InputRes<'_, R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cog_value.fmt(f)
    }
}

impl<R: Resource + Clone, E: Compare<R>> CogParam for InputRes<'_, R, E> {
    type Inputs = SharedInput<R>;
    type Item<'a> = InputRes<'a, R, E>;

    fn declare(declarer: &mut impl Declarer) {
        declarer.resource::<R, E>(Need::Required);
    }

    fn inputs(cogs: &Cogs) -> Self::Inputs {
        match cogs
            .shared::<R>()
            .expect("an input's cog is declared before its readers")
        {
            Shared::Source(cog) => cog.shared(),
            Shared::Derived(cog) => cog.shared(),
        }
    }

    #[inline(always)]
    fn item<'a>(value: <Self::Inputs as Inputs>::Items<'a>) -> Self::Item<'a> {
        InputRes::new(value)
    }
}

impl<R: Resource + Clone, E: Compare<R>> CogParam for Option<InputRes<'_, R, E>> {
    type Inputs = SharedOptional<R>;
    type Item<'a> = Option<InputRes<'a, R, E>>;

    fn declare(declarer: &mut impl Declarer) {
        declarer.resource::<R, E>(Need::Optional);
    }

    fn inputs(cogs: &Cogs) -> Self::Inputs {
        match cogs
            .shared::<R>()
            .expect("an input's cog is declared before its readers")
        {
            Shared::Source(cog) => cog.shared_optional(),
            Shared::Derived(cog) => cog.shared_optional(),
        }
    }

    #[inline(always)]
    fn item<'a>(value: <Self::Inputs as Inputs>::Items<'a>) -> Self::Item<'a> {
        value.map(InputRes::new)
    }
}
