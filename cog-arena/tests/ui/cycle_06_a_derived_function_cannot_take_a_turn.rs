//! A derived function lives in the arena, so it cannot borrow the arena.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let mut other = Arena::new();
    let number = other.source(1);
    arena.derived(|_| {
        other.turn(|w| w.set(number, 2));
        1
    });
}
