//! An arena moves between threads with everything in it.

use cog_arena::Arena;
use std::rc::Rc;

fn main() {
    let mut arena = Arena::new();
    arena.source(Rc::new(1));
}
