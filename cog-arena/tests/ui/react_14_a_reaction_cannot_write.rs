//! A reaction reads, and asks for a turn later: it has no verb that writes now.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    arena.react(move |_, later| later.set(number, 2));
}
