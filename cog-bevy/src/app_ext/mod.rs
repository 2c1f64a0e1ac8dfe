//! What a user calls on an `App`, a `SubApp` or a `World`.
//!
//! Takes: functions. Leaves: declarations, checked as far as they can be on the spot.
//! Never: runs one of them.

mod declare;
mod fold;
mod moved;
mod ext;
mod settle;

pub use ext::CogAppExt;
pub use settle::CogWorldExt;
