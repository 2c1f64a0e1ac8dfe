//! A reaction keeps itself: it is ended, not let go.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let reaction = arena.react(|_, _| {});
    let hold = arena.hold(reaction);
    arena.let_go(hold);
}
