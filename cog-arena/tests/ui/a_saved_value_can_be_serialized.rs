//! What a snapshot holds can be written down and read back.

use cog_arena::Arena;

#[derive(PartialEq)]
struct Gold(u32);

fn main() {
    let mut arena = Arena::new();
    let _ = arena.cog().name("gold").saved().source(Gold(10));
}
