//! A derived function reads its inputs; there is no way to write through one.

use bevy_app::App;
use bevy_ecs::component::Component;
use cog_bevy::{CogAppExt, CogPlugin, Input};

#[derive(Component, Clone, PartialEq)]
struct Health(i32);
#[derive(Component, Clone, PartialEq)]
struct Threat(i32);

fn main() {
    App::new().add_plugins(CogPlugin::default()).add_derived(|health: Input<Health>| {
        health.0 = 3;
        Threat(health.0)
    });
}
