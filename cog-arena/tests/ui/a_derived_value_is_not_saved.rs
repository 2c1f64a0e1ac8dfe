//! Only sources are saved: what is derived follows from them.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let gold = arena.source(10);
    let _ = arena.cog().name("rich").saved().derived(move |r| *r.get(gold) > 5);
}
