//! A derived function takes no parameters of a system: it could not be known what it reads.

use bevy_app::App;
use bevy_ecs::component::Component;
use bevy_ecs::system::Query;
use cog_bevy::{CogAppExt, CogPlugin};

#[derive(Component, Clone, PartialEq)]
struct Health(i32);
#[derive(Component, Clone, PartialEq)]
struct Threat(i32);

fn threat(all: Query<&Health>) -> Threat {
    Threat(all.iter().map(|health| health.0).sum())
}

fn main() {
    App::new().add_plugins(CogPlugin::default()).add_derived(threat);
}
