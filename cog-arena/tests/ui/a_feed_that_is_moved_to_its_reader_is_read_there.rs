//! A feed has one owner: whoever drops it ends it.

use cog_arena::{Arena, Depth};

fn main() {
    let mut arena = Arena::new();
    let gold = arena.source(1);
    let feed = arena.feed(gold, Depth::Newest(1));
    std::thread::spawn(move || feed.try_next());
    feed.len();
}
