//! A row is the plugin's to give.

use bevy_ecs::world::World;
use cog_bevy::CogRow;

fn main() {
    let mut world = World::new();
    let orc = world.spawn(CogRow::default()).id();
    world.despawn(orc);
}
