//! The few atomics there are, behind one door.
//!
//! Takes: nothing. Leaves: a number that no other arena of the process bears,
//! so that a handle brought to the wrong arena is told apart. Never: carries
//! state from one arena to another.

use std::sync::atomic::{AtomicU32, Ordering};

/// Which arena a handle belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct ArenaId(u32);

static NEXT: AtomicU32 = AtomicU32::new(1);

impl ArenaId {
    /// An identity of one's own.
    pub(crate) fn new() -> Self {
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
