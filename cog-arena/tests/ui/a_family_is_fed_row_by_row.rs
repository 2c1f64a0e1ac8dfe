//! A feed is of one value at a time: of one row of a family.

use cog_arena::{Arena, Depth};

fn main() {
    let mut arena = Arena::new();
    let units = arena.key_space::<u32>();
    let level = arena.source_family(units, |_| 1);
    let _feed = arena.feed(level, Depth::Newest(1));
}
