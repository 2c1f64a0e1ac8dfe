//! Only sources are written, in families too.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let space = arena.key_space::<u32>();
    let health = arena.source_family(space, |_| 100);
    let threat =
        arena.derived_family_from(space, (health.aligned(),), |(health,): (&i32,)| health * 2);
    arena.turn(|w| w.set(threat.at(1), 4));
}
