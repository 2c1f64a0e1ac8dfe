//! A declared input is lent for the run, too.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let name = arena.source(String::from("a"));
    arena.derived_from((name.shared(),), |(name,): (&String,)| name);
}
