//! One writer at a time.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    arena.begin();
    let mut first = arena.writer();
    let mut second = arena.writer();
    first.set(number, 2);
    second.set(number, 3);
}
