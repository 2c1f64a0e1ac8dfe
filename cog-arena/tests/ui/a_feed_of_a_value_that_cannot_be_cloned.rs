//! A feed's reader gets a value of its own.

use cog_arena::{Arena, Depth};

#[derive(PartialEq)]
struct Mesh;

fn main() {
    let mut arena = Arena::new();
    let mesh = arena.source(Mesh);
    let _feed = arena.feed(mesh, Depth::Newest(1));
}
