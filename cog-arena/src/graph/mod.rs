//! The shape: who depends on whom, who is marked, who is needed. Integers only.
//!
//! Takes: rows, columns and what runs captured. Leaves: their topology, and
//! `Graph::check`, which states every invariant. Never: names a value type,
//! runs user code, or knows what a cog is.

pub(crate) mod bits;
pub(crate) mod whole;
pub(crate) mod columns;
pub(crate) mod queue;
pub(crate) mod rows;

pub(crate) mod edges;
pub(crate) mod nodes;

pub(crate) mod capture;

mod attempt;
pub(crate) mod pending;
pub(crate) mod spaces;
mod shape;

mod links;
mod news;

mod eager;

mod failures;

#[cfg(any(test, feature = "testing"))]
mod check;

pub(crate) use shape::Graph;
