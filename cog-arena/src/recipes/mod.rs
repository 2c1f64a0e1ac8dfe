//! Recipes: user functions with their types, made into something the engine can run.
//!
//! Takes: functions and descriptors of their inputs. Leaves: one recipe a cog.
//! Never: decides when one runs. A room with unsafe: the loop over a chunk's
//! rows is why an aligned row costs nanoseconds; `benches/RECORD.md` has the figures.

pub(crate) mod descriptors;

pub(crate) mod fetch;
pub(crate) mod lookup;

pub(crate) mod inputs;
pub(crate) mod install;

mod tuples;

pub(crate) mod exact;
pub(crate) mod fold;
pub(crate) mod folds;
pub(crate) mod sorted;

pub(crate) mod selected;

pub(crate) mod declared;
pub(crate) mod tracked;
