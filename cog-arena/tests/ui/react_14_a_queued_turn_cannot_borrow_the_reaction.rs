//! A queued turn runs after the reaction is over, so it owns what it uses.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    arena.react(move |r, later| {
        let seen = r.get(number);
        later.turn(|w| w.set(number, *seen + 1));
    });
}
