//! A handle that was given away for reading writes nothing.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let gold = arena.source(1);
    let shown = gold.read_only();
    arena.turn(|w| w.set(shown, 2));
}
