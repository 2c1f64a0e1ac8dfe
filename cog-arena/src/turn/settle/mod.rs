//! Step 3 of a turn. Recomputes what is needed of what may have changed.
//!
//! Takes: marks and queues. Leaves: every eager column and held row settled;
//! the rest marked, until it is read. Never: runs a row twice in a turn.

pub(crate) mod batch;

mod steps;

pub(crate) mod fail;

pub(crate) mod rows;

pub(crate) mod columns;
