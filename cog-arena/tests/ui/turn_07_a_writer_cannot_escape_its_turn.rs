//! The right to stage values ends with the turn's body.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    let mut escaped = None;
    arena.turn(|w| escaped = Some(w));
    escaped.unwrap().set(number, 2);
}
