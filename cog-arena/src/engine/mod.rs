//! The engine: where shape and contents meet, and nowhere else.
//!
//! Takes: rows from the steps of a turn, values from readers and writers.
//! Leaves: each at the other's side. Never: names a public handle.

pub(crate) mod labels;
pub(crate) mod reactions;
#[cfg(feature = "serialize")]
pub(crate) mod saved;

pub(crate) mod state;

mod holding;

mod commit;
mod host;
pub(crate) mod reading;

mod keys;

mod turns;

#[cfg(any(test, feature = "testing"))]
mod seeding;

pub use state::{Engine, Step};
