//! A value whose type has no equality needs one at the declaration.

use cog_arena::Arena;

struct Mesh;

fn main() {
    let mut arena = Arena::new();
    arena.source(Mesh);
}
