//! A run records what it reads, on its own thread.

use cog_arena::Arena;

fn main() {
    let mut arena = Arena::new();
    let number = arena.source(1);
    arena.derived(move |r| {
        std::thread::scope(|threads| threads.spawn(|| *r.get(number)).join().unwrap())
    });
}
