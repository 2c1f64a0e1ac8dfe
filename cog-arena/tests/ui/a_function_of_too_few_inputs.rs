//! A function takes all that was declared for it.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    let other = arena.source(2);
    arena.derived_from((number.shared(), other.shared()), |(number,): (&i32,)| {
        number * 2
    });
}
