//! What is read from outside is good until the arena is touched again.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let name = arena.source(String::from("a"));
    let lent = arena.read(name);
    arena.turn(|w| w.set(name, String::from("b")));
    println!("{lent}");
}
