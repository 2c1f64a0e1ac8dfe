//! The parts of a game with folds.

#[path = "../hybrid/rng.rs"]
mod rng;

mod model;

mod cogs;

pub(crate) mod play;
