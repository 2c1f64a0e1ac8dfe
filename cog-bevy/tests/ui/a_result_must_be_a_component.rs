//! A derived function returns a component, or an option of one.

use bevy_app::App;
use bevy_ecs::component::Component;
use cog_bevy::{CogAppExt, CogPlugin, Input};

#[derive(Component, Clone, PartialEq)]
struct Health(i32);

fn threat(health: Input<Health>) -> i32 {
    health.0 * 2
}

fn main() {
    App::new().add_plugins(CogPlugin::default()).add_derived(threat);
}
