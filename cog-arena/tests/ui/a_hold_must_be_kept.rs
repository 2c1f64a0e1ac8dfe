//! A hold that is dropped can never be let go.

#![deny(unused_must_use)]

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    let double = arena.derived(move |r| r.get(number) * 2);
    arena.hold(double);
}
