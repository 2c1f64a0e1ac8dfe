//! What a run is lent is good until its end, not longer.

use cog_arena::Arena;
use std::sync::Mutex;

fn main() {
    let mut arena = Arena::new();
    let name = arena.source(String::from("a"));
    let kept: &'static Mutex<Vec<&'static String>> = Box::leak(Box::default());
    arena.react(move |r, _| kept.lock().unwrap().push(r.get(name)));
}
