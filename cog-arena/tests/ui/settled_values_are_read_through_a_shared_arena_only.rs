//! A read that may run functions needs the arena for itself.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    let shared = &arena;
    shared.read(number);
}
