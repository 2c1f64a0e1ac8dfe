//! A family is read row by row.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let health = arena.source_family(space, |_| 100);
    arena.read(health);
}
