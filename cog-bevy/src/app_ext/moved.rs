//! Moves as Bevy has them: events for observers, and messages for whoever reads them when it runs.
//!
//! Takes: a type that some function derives. Leaves: a reaction that hands each of its moves on.
//! Never: does so twice, however often it is asked for.

use std::any::type_name;
use std::marker::PhantomData;

use bevy_ecs::change_detection::ResMut;
use bevy_ecs::component::Component;
use bevy_ecs::message::{Message, MessageRegistry, Messages};
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;

use crate::app_ext::declare::{add_reacting, reaction, require_plugin, short};
use crate::binding::declared::Kind;
use crate::frame::{Reaction, ResourceTelling};
use crate::params::{CogMoved, CogResourceMoved, Moved};

/// Says that something of `T` is handed on already, as an event or as a message.
#[derive(Resource)]
struct HandedOn<T>(PhantomData<fn() -> T>);

/// An event of `T`.
struct AsEvent<T>(PhantomData<fn() -> T>);

/// A message of `T`.
struct AsMessage<T>(PhantomData<fn() -> T>);

/// Whether it is the first time that this is asked for.
fn is_first<T: 'static>(world: &mut World) -> bool {
    let is_first = !world.contains_resource::<HandedOn<T>>();
    if is_first {
        world.insert_resource(HandedOn::<T>(PhantomData));
    }
    is_first
}

/// Triggers a [`CogMoved`] for each move of a component.
#[track_caller]
pub(super) fn events<C: Component + Clone>(world: &mut World) {
    require_plugin(world, || {
        format!("events of `{}` were asked for", short::<C>())
    });
    if is_first::<AsEvent<C>>(world) {
        reaction(world, |moved: Moved<'_, C>, world: &mut World| {
            world.trigger(CogMoved::from(moved));
        });
    }
}

/// Writes a [`CogMoved`] for each move of a component.
#[track_caller]
pub(super) fn messages<C: Component + Clone>(world: &mut World) {
    require_plugin(world, || {
        format!("messages of `{}` were asked for", short::<C>())
    });
    if is_first::<AsMessage<C>>(world) {
        ensure_messages::<CogMoved<C>>(world);
        let write = |moved: Moved<'_, C>, mut messages: ResMut<'_, Messages<CogMoved<C>>>| {
            messages.write(CogMoved::from(moved));
        };
        let reaction = Reaction::new(world, write, type_name::<CogMoved<C>>()).harmless();
        add_reacting::<C>(world, Kind::Component, Box::new(reaction));
    }
}

/// Triggers a [`CogResourceMoved`] for each move of a resource.
#[track_caller]
pub(super) fn resource_events<R: Resource + Clone>(world: &mut World) {
    require_plugin(world, || {
        format!("events of `{}` were asked for", short::<R>())
    });
    if is_first::<AsEvent<CogResourceMoved<R>>>(world) {
        let trigger = |world: &mut World, moved: CogResourceMoved<R>| {
            world.trigger(moved);
            world.flush();
        };
        let name = type_name::<CogResourceMoved<R>>();
        let telling = ResourceTelling::<R>::new(world, trigger, name);
        add_reacting::<R>(world, Kind::Resource, Box::new(telling));
    }
}

/// Writes a [`CogResourceMoved`] for each move of a resource.
#[track_caller]
pub(super) fn resource_messages<R: Resource + Clone>(world: &mut World) {
    require_plugin(world, || {
        format!("messages of `{}` were asked for", short::<R>())
    });
    if is_first::<AsMessage<CogResourceMoved<R>>>(world) {
        ensure_messages::<CogResourceMoved<R>>(world);
        let write = |world: &mut World, moved: CogResourceMoved<R>| {
            world.write_message(moved);
        };
        let name = type_name::<CogResourceMoved<R>>();
        let telling = ResourceTelling::<R>::new(world, write, name).harmless();
        add_reacting::<R>(world, Kind::Resource, Box::new(telling));
    }
}

/// As `App::add_message` does.
fn ensure_messages<M: Message>(world: &mut World) {
    if !world.contains_resource::<Messages<M>>() {
        MessageRegistry::register_message::<M>(world);
    }
}
