//! A hold is given back, and is gone.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    let double = arena.derived(move |r| r.get(number) * 2);
    let hold = arena.hold(double);
    arena.let_go(hold);
    arena.let_go(hold);
}
