//! Derived components for Bevy: pure functions of other components, always settled, and change
//! ticks that tell the truth.
//!
//! # A value that follows from others
//!
//! A game is full of values that follow from other values: threat from health and armour, a price
//! from a ladder of rules, what a label says from what is selected. Written by hand, each becomes a
//! system that scans every entity in every frame, is one frame late when it is ordered wrongly, and
//! forgets an input on the day somebody adds one. Here you say once what follows from what:
//!
//! ```
//! use bevy_app::App;
//! use bevy_ecs::prelude::*;
//! use cog_bevy::{CogAppExt, CogPlugin, Input, InputRes, Moved};
//!
//! #[derive(Component, Clone, PartialEq)]
//! struct Health { now: f32 }
//! #[derive(Component, Clone, PartialEq)]
//! struct Armor(f32);
//! #[derive(Resource, Clone, PartialEq)]
//! struct Difficulty(f32);
//! #[derive(Component, Clone, PartialEq, Debug)]
//! struct Threat(f32);
//!
//! fn threat(
//!     health: Input<Health>,
//!     armor: Option<Input<Armor>>,
//!     difficulty: InputRes<Difficulty>,
//! ) -> Threat {
//!     Threat(health.now * difficulty.0 - armor.map_or(0.0, |armor| armor.0))
//! }
//!
//! let mut app = App::new();
//! app.add_plugins(CogPlugin::default())
//!     .insert_resource(Difficulty(2.0))
//!     .add_derived(threat) // every entity with Health has a Threat
//!     .add_reaction(|moved: Moved<Threat>| {
//!         println!("{} {:?} -> {:?}", moved.entity, moved.old, moved.new);
//!     });
//! let orc = app.world_mut().spawn((Health { now: 5.0 }, Armor(1.0))).id();
//! app.update();
//! assert_eq!(app.world().get::<Threat>(orc), Some(&Threat(9.0)));
//! ```
//!
//! The function's parameters say everything: which components and resources it reads
//! ([`CogParam`] lists what there is), which entities have the result (those with all the required
//! inputs), and when it must run again. It is pure: it can read nothing else and write nothing.
//!
//! # Sources
//!
//! Whatever a function reads and no function derives is a *source*. You need not register it: spawn
//! it, insert it, write it in any system, remove it, despawn it. At the end of the frame the plugin looks
//! which ones were written, and takes only real changes: a mutable access that left the value equal
//! is none. A source is `Clone + PartialEq`; for one that isn't, say how it is compared, with
//! [`source_with`](CogAppExt::source_with), and read it as `Input<C, AsDeclared>`.
//!
//! Looking costs one comparison per entity and source type, several times less than a query with
//! `Changed`. For a type with Bevy's `#[component(summary_tick)]` it costs nothing while none of it
//! is written.
//!
//! # Derived components
//!
//! They are ordinary components, written by the plugin alone. A component's change tick moves only
//! if its value did, so `Changed<Threat>`, `Ref::is_changed`, observers and run conditions tell the
//! truth. A function that returns `Option<C>` takes the component away by `None`. One derived
//! component may be an input of another; declare them in any order, at any time.
//!
//! A component that its entity brings along, by `#[require(Threat)]` or in a bundle, is simply overwritten by
//! its first value; that saves the entity a move to another table. What a clone brings along and
//! has no value for is taken away again.
//!
//! # The frame
//!
//! All writes of a frame are one *turn*. It settles after `Update` and before `PostUpdate`, so
//! layout, transforms and rendering see what is right in the same frame. A turn has six steps,
//! which are sets of the schedule [`CogFrame`]:
//!
//! ```text
//!             ┌ Receive   opens the turn, lets go of rows whose entity is gone
//!  Update ──▶ │ Collect   which sources were really written?
//!             │ Settle    recompute what that changes, each row once, in order
//!             │ Publish   write exactly the components and resources that moved
//!             │ React     reactions, in registration order
//!             └ Release ──▶ PostUpdate        or another turn, if a reaction wrote something
//! ```
//!
//! Order your systems against these sets, or put them in one: they run right after the plugin's own
//! work there, once per turn. [`settle_cogs`](CogWorldExt::settle_cogs) runs a full turn at once,
//! for the answer on the next line. [`CogPlugin::in_schedule`] puts the turns elsewhere, such as in
//! `FixedPostUpdate`.
//!
//! # Reactions
//!
//! [`add_reaction`](CogAppExt::add_reaction) takes a system whose first parameter is [`Moved<C>`]: it runs for
//! each entity whose `C` really moved, with the value before and after, when everything is settled and
//! published. Its commands apply right after it. What it writes is a later turn of the same frame; a chain of
//! such turns is reported past 64, and ended by an error past [`CogPlugin::turns_max`].
//!
//! The same moves are there in Bevy's own ways: [`add_moved_events`](CogAppExt::add_moved_events) triggers a
//! [`CogMoved<C>`] that observers hear, one entity's or all; [`add_moved_messages`](CogAppExt::add_moved_messages)
//! writes it as a message, which a system of any schedule reads once, fixed steps included. A derived resource has
//! [`CogResourceMoved<R>`]. For another thread take a feed of the arena
//! ([`Arena::feed`](cog_arena::Arena::feed)), which gets its values when they are published.
//!
//! # When user code panics
//!
//! A panic in a function, a reaction, an equality, a clone, a hook or a system of a set is raised again when the
//! turn is closed and everything else is done. Nothing that was written is lost: what could not be
//! computed, staged or published is taken up again by the next turn. Bevy itself doesn't go on after a panic that
//! leaves `App::update`, since the schedule that ran is lost: who wants to go on catches it around
//! [`settle_cogs`](CogWorldExt::settle_cogs).
//!
//! # Saving
//!
//! What entities and resources hold is saved as in any other app, by Bevy's own means or a crate's: save what your
//! functions read, and leave out what they derive. It is inserted again by the first frame. For the cogs that you
//! declared in [`Cogs::arena_mut`], with `saved()`, there are `Cogs::snapshot` and `Cogs::restore` (feature `serialize`);
//! give the latter the map of entities that restoring the world has left.
//!
//! # Features
//!
//! - `serialize`: snapshots of the cogs that belong to no entity, through serde.
//! - `track_location`: Bevy's own. The warning about a foreign write to a derived component says
//!   where it was made.
//!
//! # Troubleshooting
//!
//! **My derived component never appears.** The entity lacks one of the required inputs, or a
//! resource that the function takes as [`InputRes`] isn't there. Use `Option<Input<C>>` and
//! `Option<InputRes<R>>` for what may be missing. Before the first frame nothing has run.
//!
//! **It is one frame late.** Whoever reads it runs before [`CogLoop`]: in `Update`, for instance.
//! Read it in `PostUpdate`, or call `settle_cogs` first.
//!
//! **My function doesn't run when something it reads changes.** It reads something that is not a
//! parameter: a captured cell, a static, the clock. Make it a resource and take it as `InputRes`.
//!
//! **It runs although nothing changed.** The source's `PartialEq` says that it did. A float that is
//! `NaN` is unequal to itself. Give the source an equality of its own with `source_with`.
//!
//! **"`Threat` is derived, but it was written".** Somebody else writes the derived component; debug
//! builds put the value right and warn. Write to what it follows from. The feature `track_location`
//! tells where the write was made.
//!
//! **"declared inputs form a cycle".** Two functions need each other's result for the same entity.
//! If one means another entity, take a [`Lookup`]; if a function means its own last value, take
//! [`Previous`].
//!
//! **"the cogs did not come to rest".** A reaction writes something that makes it run again, each
//! time with another value.
//!
//! **A removal isn't noticed any more.** Something despawned the plugin's observers, which are entities: to clear a
//! world, despawn what is yours.
//!
//! **A resource is no `Input`.** Bevy keeps resources on entities of their own, but those have no rows: read them with
//! [`InputRes`].
//!
//! **An observer of one derived component doesn't see another that its entity gets in the same turn.** Components come
//! one type after the other, in the order in which their functions were declared; use a reaction, which sees them all.
//!
//! **An error about an ambiguity in `CogFrame`.** Two of *your* systems in one of its sets conflict.
//! Order them.
//!
//! **A plugin of mine panics because `CogPlugin` is missing, or is added twice.** Add it where
//! nobody has: `if !app.is_plugin_added::<CogPlugin>() { app.add_plugins(CogPlugin::default()); }`

#![forbid(unsafe_code)]

mod sets;
mod cogs;
mod params;
mod binding;
#[cfg(feature = "serialize")]
mod saving;
mod frame;
mod app_ext;
mod plugin;

/// The reactive graph itself, which stands alone.
pub use cog_arena as arena;

pub use app_ext::{CogAppExt, CogWorldExt};
pub use binding::CogRow;
pub use cogs::{CogWriter, Cogs};
pub use params::{
    AsDeclared, ByEq, CogMoved, CogParam, CogResourceMoved, Compare, Declarer, DerivedFn,
    DerivedOut, Input, InputRes, IsOptional, IsPlain, Lookup, Moved, Need, Own, Previous,
};
pub use plugin::CogPlugin;
pub use sets::{CogFrame, CogLoop, CogSystems};

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
