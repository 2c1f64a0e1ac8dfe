//! A derived function is pure: it may run again, or not at all.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    let mut runs = 0;
    arena.derived(move |r| {
        runs += 1;
        r.get(number) + runs
    });
}
