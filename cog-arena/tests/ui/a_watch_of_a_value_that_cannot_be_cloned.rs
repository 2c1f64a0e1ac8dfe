//! A watch keeps the old value beside the new one.

use cog_arena::{Arena, First};

#[derive(PartialEq)]
struct Mesh;

fn main() {
    let mut arena = Arena::new();
    let mesh = arena.source(Mesh);
    arena.watch(mesh, First::Skip, |_, _, _| {});
}
