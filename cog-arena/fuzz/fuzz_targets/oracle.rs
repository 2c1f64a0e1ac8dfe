//! The oracle's games, chosen by a fuzzer that follows coverage.
//!
//! Takes: bytes. Leaves: nothing, or a crash with what went wrong. Never: minds the panics that games are made of.

#![no_main]
#![allow(dead_code, reason = "the rooms have more doors than the fuzzer takes")]

#[path = "../../tests/oracle/mod.rs"]
mod net;

use libfuzzer_sys::fuzz_target;

fuzz_target!(init: std::panic::set_hook(Box::new(|_| {})), |bytes: &[u8]| {
    let (wishes, ops) = net::bytes::decode(bytes);
    if let Some(fault) = net::whole::fault(&wishes, &ops) {
        eprintln!("{fault}\n{wishes:?}\n{ops:#?}");
        std::process::abort();
    }
});
