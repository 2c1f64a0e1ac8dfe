//! The extension trait for asking for a turn at once.
//!
//! Takes: a `World`. Leaves: it settled. Never: a meaning of its own; the verb is a line into a lower room.

use bevy_ecs::world::World;

use crate::frame::run_turns;

/// Asks a [`World`] for settled values right now.
///
/// # Examples
///
/// See [`settle_cogs`](Self::settle_cogs).
pub trait CogWorldExt {
    /// Runs a full turn at once, reactions included, and the turns they cause.
    ///
    /// For the answer on the next line, in the middle of a frame. Called from inside a turn (by a
    /// reaction, or a system of [`CogFrame`](crate::CogFrame)), it asks for one more turn after this one and returns.
    ///
    /// # Cost
    ///
    /// A frame's: one scan over the change ticks of each source type.
    ///
    /// # Panics
    ///
    /// With the first panic of user code, when everything is whole again; if reactions keep causing
    /// turns without end; if [`CogPlugin`](crate::CogPlugin) is missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::*;
    /// use cog_bevy::{CogAppExt, CogPlugin, CogWorldExt, Input};
    ///
    /// #[derive(Component, Clone, PartialEq)]
    /// struct Health(f32);
    /// #[derive(Component, Clone, PartialEq, Debug)]
    /// struct Threat(f32);
    ///
    /// let mut app = App::new();
    /// app.add_plugins(CogPlugin::default())
    ///     .add_derived(|health: Input<Health>| Threat(health.0 * 2.0));
    /// let orc = app.world_mut().spawn(Health(1.0)).id();
    /// app.world_mut().settle_cogs();
    /// assert_eq!(app.world().get::<Threat>(orc), Some(&Threat(2.0)));
    /// ```
    fn settle_cogs(&mut self);
}

impl CogWorldExt for World {
    #[track_caller]
    fn settle_cogs(&mut self) {
        assert!(
            self.contains_resource::<crate::cogs::Cogs>(),
            "settled without the plugin: call `.add_plugins(CogPlugin::default())` first",
        );
        run_turns(self);
    }
}
