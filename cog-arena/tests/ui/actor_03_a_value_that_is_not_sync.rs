//! Settled values are read from many threads at once.

use cog_arena::Arena;
use std::cell::Cell;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    arena.derived(move |r| Cell::new(*r.get(number)));
}
