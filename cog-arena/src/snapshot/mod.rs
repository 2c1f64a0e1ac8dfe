//! Snapshots: what sources hold, written down in any format, and taken back.
//!
//! Takes: the cogs that were declared as saved. Leaves: a thing that serde can write; from what serde reads, values
//! that are known to be good before any of them is staged. Never: changes a value; what was read is staged by a writer.
//!
//! A snapshot is a map from names to what the cogs hold, in the order of declaration: a value for a source; a sequence
//! of none or one for a source that may be absent; a sequence of keys for a key space; a sequence of pairs, key and
//! value, for a family. No value in between is built, so that formats which don't describe themselves will do: what is
//! read next is said by the cog that bears the name.

pub(crate) mod error;

pub(crate) mod cogs;

pub(crate) mod load;
pub(crate) mod save;
