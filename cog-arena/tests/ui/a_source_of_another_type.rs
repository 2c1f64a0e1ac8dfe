//! A source takes values of its own type.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1_u32);
    arena.turn(|w| w.set(number, "two"));
}
