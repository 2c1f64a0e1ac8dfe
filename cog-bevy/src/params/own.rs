//! `Own` and `Previous`: the row itself, and what it was.
//!
//! Takes: the key and the last value of the row that runs. Leaves: both, by value or reference.
//! Never: a dependency; neither makes a row run.

use std::fmt;
use std::ops::Deref;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use cog_arena::{Inputs, OwnKey, Previous as PreviousInput};

use crate::cogs::Cogs;
use crate::params::param::{CogParam, Declarer};

/// The entity whose value is being computed.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, Input, Own};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Leader(Entity);
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Leads(bool);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default())
///     .add_derived(|own: Own, leader: Input<Leader>| Leads(leader.0 == *own));
/// let mut orc = app.world_mut().spawn_empty();
/// let id = orc.id();
/// orc.insert(Leader(id));
/// app.update();
/// assert_eq!(app.world().get::<Leads>(id), Some(&Leads(true)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Own {
    entity: Entity,
}

impl Deref for Own {
    type Target = Entity;

    fn deref(&self) -> &Entity {
        &self.entity
    }
}

impl CogParam for Own {
    type Inputs = OwnKey<Entity>;
    type Item<'a> = Self;

    fn declare(declarer: &mut impl Declarer) {
        declarer.own();
    }

    fn inputs(_: &Cogs) -> Self::Inputs {
        OwnKey::new()
    }

    #[inline(always)]
    fn item<'a>(key: <Self::Inputs as Inputs>::Items<'a>) -> Self::Item<'a> {
        Self { entity: *key }
    }
}

/// The function's own last value: `None` on the first run of a row.
///
/// `C` must be what the function derives. It reads like an `Option<&C>`.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, Input, Previous};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Score(u32);
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Best(u32);
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default()).add_derived(|score: Input<Score>, best: Previous<Best>| {
///     Best(best.map_or(score.0, |best| best.0.max(score.0)))
/// });
/// let player = app.world_mut().spawn(Score(7)).id();
/// app.update();
/// app.world_mut().entity_mut(player).insert(Score(3));
/// app.update();
/// assert_eq!(app.world().get::<Best>(player), Some(&Best(7)));
/// ```
pub struct Previous<'a, C> {
    value: Option<&'a C>,
}

impl<C> Clone for Previous<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Previous<'_, C> {}

impl<'a, C> Deref for Previous<'a, C> {
    type Target = Option<&'a C>;

    fn deref(&self) -> &Option<&'a C> {
        &self.value
    }
}

impl<C: fmt::Debug> fmt::Debug for Previous<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<C: Component> CogParam for Previous<'_, C> {
    type Inputs = PreviousInput<C>;
    type Item<'a> = Previous<'a, C>;

    fn declare(declarer: &mut impl Declarer) {
        declarer.previous::<C>();
    }

    fn inputs(_: &Cogs) -> Self::Inputs {
        PreviousInput::new()
    }

    #[inline(always)]
    fn item<'a>(value: <Self::Inputs as Inputs>::Items<'a>) -> Self::Item<'a> {
        Previous { value }
    }
}
