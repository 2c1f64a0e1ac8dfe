//! Functions move between threads with the arena.

use cog_arena::Arena;
use std::rc::Rc;

fn main() {
    let mut arena = Arena::new();
    let factor = Rc::new(2);
    let number = arena.source(1);
    arena.derived(move |r| r.get(number) * *factor);
}
