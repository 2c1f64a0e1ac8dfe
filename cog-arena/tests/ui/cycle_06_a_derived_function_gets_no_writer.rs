//! A derived function gets a reader, which has no verb that writes.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    arena.derived(move |r| {
        r.set(number, 2);
        *r.get(number)
    });
}
