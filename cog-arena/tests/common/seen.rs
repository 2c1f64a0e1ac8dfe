//! What regressions count and note.
//!
//! Takes: runs. Leaves: how many there were, or what they saw. Never: forgets before it is asked.

#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "every test binary includes this file and uses its own part of it"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use cog_arena::Reader;

/// The value of `read`, or none if it panics.
pub(crate) fn caught<T>(read: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(read)).ok()
}

/// Counts runs of a function.
#[derive(Clone, Default)]
pub(crate) struct Count(Arc<AtomicU32>);

impl Count {
    /// One more.
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// How many since it was asked last.
    pub(crate) fn take(&self) -> u32 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// What a function saw, in order.
pub(crate) type Seen<T> = Arc<Mutex<Vec<T>>>;

/// Takes what was seen.
pub(crate) fn take<T>(seen: &Seen<T>) -> Vec<T> {
    std::mem::take(&mut *seen.lock().unwrap())
}

/// The function of a family that tracks: its input, and a reader it has no use for.
pub(crate) fn first_of((value, _): (&i32, &Reader<'_>)) -> i32 {
    *value
}
