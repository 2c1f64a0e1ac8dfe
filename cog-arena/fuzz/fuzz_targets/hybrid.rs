//! The random graphs of the hybrid net, chosen by a fuzzer: eight bytes are the seed of one.
//!
//! Takes: bytes. Leaves: nothing, or a crash. Never: more than one graph.

#![no_main]

#[path = "../../tests/hybrid/mod.rs"]
mod rooms;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|seed: u64| {
    rooms::play::play(seed);
});
