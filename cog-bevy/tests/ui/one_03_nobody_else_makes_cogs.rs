//! The resource that owns the arena comes with the plugin, and in no other way.

use bevy_ecs::world::World;
use cog_bevy::Cogs;

fn main() {
    World::new().insert_resource(Cogs::new(100));
}
