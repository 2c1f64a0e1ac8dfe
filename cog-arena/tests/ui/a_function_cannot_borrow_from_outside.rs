//! A function lives as long as the arena.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    let factor = 2;
    arena.derived(|r| r.get(number) * factor);
}
