//! A host's writer is gone before it settles.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    arena.begin();
    let mut writer = arena.writer();
    arena.settle();
    writer.set(number, 2);
}
