//! Resources that follow from all entities that have a component.
//!
//! Takes: a fold, and what to make of its value. Leaves: a declaration. Never: touches the arena before the next frame
//! begins.

use std::any::type_name;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use cog_arena::{Derived, Over};

use crate::app_ext::declare::{Signature, add, component_source, id_of, short};
use crate::binding::declared::{Kind, Needed, Pending};
use crate::cogs::{Cogs, Family, Shared};
use crate::frame::PublishedResource;
use crate::params::{ByEq, DerivedOut};

/// Declares that a resource follows from a fold over a component.
#[track_caller]
pub(super) fn fold<C, N, O, R>(
    world: &mut World,
    fold: impl FnOnce(Over<'_, Entity, C>) -> Derived<N> + Send + Sync + 'static,
    make: impl Fn(&N) -> R + Send + Sync + 'static,
) where
    C: Component + Clone + PartialEq,
    N: Send + Sync + 'static,
    R: DerivedOut<O>,
    R::Value: Resource,
{
    let derives = short::<R::Value>();
    let signature = Signature::of(
        type_name_of(&fold),
        Needed {
            id: id_of::<C>(Kind::Component),
            declared: true,
            make_source: component_source::<C, ByEq>,
        },
    );
    let define = move |world: &mut World| {
        let cogs = world.resource_mut::<Cogs>().into_inner();
        let family = match cogs
            .family::<C>()
            .expect("what is folded is declared before")
        {
            Family::Source(family) => family.aligned(),
            Family::Derived(family) => family.aligned(),
        };
        let folded = fold(cogs.arena_mut().cog().name(short::<C>()).over(family));
        let declare = cogs.arena_mut().cog().name(derives);
        let cog = R::keyless(declare, folded.shared(), make);
        cogs.insert_shared::<R::Value>(Shared::Derived(cog));
        PublishedResource::install(world, cog);
    };
    // A resource is always a declared input, so nobody waits for its name.
    let reserve = |_: &mut World| {};
    add(
        world,
        signature,
        derives,
        Pending {
            id: id_of::<R::Value>(Kind::Resource),
            reserve,
            define: Box::new(define),
        },
    );
}

fn type_name_of<F>(_: &F) -> &'static str {
    type_name::<F>()
}
