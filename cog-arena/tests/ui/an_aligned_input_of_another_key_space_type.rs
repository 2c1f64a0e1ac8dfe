//! Aligned rows have one key in common.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let by_number = arena.key_space::<u32>();
    let by_name = arena.key_space::<String>();
    let health = arena.source_family(by_name, |_| 100);
    arena.derived_family_from(by_number, (health.aligned(),), |(health,): (&i32,)| {
        health * 2
    });
}
