//! A game of random frames: sources are written in every way there is, and after each frame every
//! derived value must be what a naive recomputation from the world says.
//!
//! Takes: acts. Leaves: a panic that says what is wrong, or what each frame showed.
//! Never: looks into the plugin; everything is seen as a system would see it.

pub(crate) mod cast;
pub(crate) mod acts;
pub(crate) mod check;
pub(crate) mod play;
