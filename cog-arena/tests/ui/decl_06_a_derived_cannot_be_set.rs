//! Only sources are written: a derived cog is what its function says.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    let double = arena.derived(move |r| r.get(number) * 2);
    arena.turn(|w| w.set(double, 4));
}
