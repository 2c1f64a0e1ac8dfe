//! Which component shows which cog, and the entity's hold on its row.
//!
//! Takes: declarations, and what Bevy tells of removed components. Leaves: the lists that the steps
//! of a frame walk. Never: knows a parameter, or moves a value.

pub(crate) mod rows;
pub(crate) mod moves;
pub(crate) mod lists;
pub(crate) mod declared;

pub use rows::CogRow;
