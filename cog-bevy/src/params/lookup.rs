//! `Lookup`: the components of other entities.
//!
//! Takes: an entity, while the function runs. Leaves: its component, and an edge.
//! Never: reads an unsettled value; what is looked up settles first.

use std::fmt;
use std::marker::PhantomData;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use cog_arena::{Inputs, Lookup as TrackedLookup, Lookups};

use crate::cogs::{Cogs, Family};
use crate::params::compare::{ByEq, Compare};
use crate::params::param::{CogParam, Declarer, Need};

/// The `C` of any entity, recorded as it is read.
///
/// The function runs again when a value it looked up moved, when one it found missing appeared,
/// or when one it found went away, and for no other entity. `C` may be derived, even by the same
/// function: a child's value may follow from its parent's. Rows that look each other up in a circle
/// are an error that names them, found only while the circle is there.
///
/// # Cost
///
/// An array lookup by the entity's index, and one edge of 8 bytes per entity looked up. A run that
/// reads what it read before writes nothing.
///
/// # Examples
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use cog_bevy::{CogAppExt, CogPlugin, Input, Lookup};
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Health(f32);
/// #[derive(Component, Clone, PartialEq)]
/// struct Target(Entity);
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Advantage(f32);
///
/// fn advantage(health: Input<Health>, target: Input<Target>, healths: Lookup<Health>) -> Advantage {
///     Advantage(health.0 - healths.get(target.0).map_or(0.0, |target| target.0))
/// }
///
/// let mut app = App::new();
/// app.add_plugins(CogPlugin::default()).add_derived(advantage);
/// let elf = app.world_mut().spawn(Health(3.0)).id();
/// let orc = app.world_mut().spawn((Health(5.0), Target(elf))).id();
/// app.update();
/// assert_eq!(app.world().get::<Advantage>(orc), Some(&Advantage(2.0)));
///
/// app.world_mut().despawn(elf);
/// app.update();
/// assert_eq!(app.world().get::<Advantage>(orc), Some(&Advantage(5.0)));
/// ```
pub struct Lookup<'a, C: Component, E = ByEq> {
    rows: TrackedLookup<'a, Entity, C>,
    compared: PhantomData<fn() -> E>,
}

impl<'a, C: Component, E> Lookup<'a, C, E> {
    /// The `C` of `entity`, settled; `None` if it has none, or is gone.
    ///
    /// Either answer is remembered as a dependency.
    ///
    /// # Panics
    ///
    /// If this row is already being computed further up: the message names the closed path.
    ///
    /// # Examples
    ///
    /// See [`Lookup`].
    #[must_use]
    pub fn get(&self, entity: Entity) -> Option<&'a C> {
        self.rows.get(&entity)
    }
}

impl<C: Component, E> fmt::Debug for Lookup<'_, C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookup").finish_non_exhaustive()
    }
}

impl<C: Component + Clone, E: Compare<C>> CogParam for Lookup<'_, C, E> {
    type Inputs = Lookups<Entity, C>;
    type Item<'a> = Lookup<'a, C, E>;

    fn declare(declarer: &mut impl Declarer) {
        declarer.component::<C, E>(Need::Tracked);
    }

    fn inputs(cogs: &Cogs) -> Self::Inputs {
        match cogs
            .family::<C>()
            .expect("a looked-up family is at least reserved")
        {
            Family::Source(family) => family.lookup(),
            Family::Derived(family) => family.lookup(),
        }
    }

    #[inline(always)]
    fn item<'a>(rows: <Self::Inputs as Inputs>::Items<'a>) -> Self::Item<'a> {
        Lookup {
            rows,
            compared: PhantomData,
        }
    }
}
