//! A family takes keys of its own key space.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let health = arena.source_family(space, |_| 100);
    arena.read(health.at("hero"));
}
