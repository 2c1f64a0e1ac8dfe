//! An input says how it is meant: shared, aligned, optional.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    arena.derived_from((number,), |(number,): (&i32,)| number * 2);
}
