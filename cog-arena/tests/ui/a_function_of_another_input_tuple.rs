//! A function takes what was declared for it, in that order.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    let name = arena.source(String::from("a"));
    arena.derived_from(
        (number.shared(), name.shared()),
        |(name, number): (&String, &i32)| name.len() as i32 + number,
    );
}
