//! The arena: every public verb, each a line or two into a lower room.
//!
//! Takes: what a user asks. Leaves: it done. Never: has logic of its own.

mod owner;

mod declare;
mod families;

mod reading;
mod turns;

mod figures;
mod holding;

#[cfg(feature = "serialize")]
mod saving;
#[cfg(any(test, feature = "testing"))]
mod seeding;

pub use owner::Arena;
