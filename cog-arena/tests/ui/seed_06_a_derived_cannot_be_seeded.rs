//! Only sources are seeded: what is derived follows from them.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let gold = arena.source(10);
    let is_rich = arena.derived(move |r| *r.get(gold) > 100);
    arena.seed(is_rich, true);
}
