//! The right to read ends with the run.

use cog_arena::{Arena, Reader};
use std::sync::Mutex;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    let escaped: &'static Mutex<Vec<&'static Reader<'static>>> = Box::leak(Box::default());
    arena.derived(move |r| {
        escaped.lock().unwrap().push(r);
        *r.get(number)
    });
}
