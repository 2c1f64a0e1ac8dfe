//! Numbers from outside: which random games are played, and how many.
//!
//! Takes: the name of a variable. Leaves: its number, or the default. Never: fails on what is no number.

pub(crate) fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
