//! A source without `PartialEq` needs a declared equality.

use bevy_app::App;
use bevy_ecs::component::Component;
use cog_bevy::{CogAppExt, CogPlugin, Input};

#[derive(Component, Clone)]
struct Mesh(i32);
#[derive(Component, Clone, PartialEq)]
struct Detail(i32);

fn detail(mesh: Input<Mesh>) -> Detail {
    Detail(mesh.0)
}

fn main() {
    App::new().add_plugins(CogPlugin::default()).add_derived(detail);
}
