//! The few atomics and the one lock there are, behind one door.
//!
//! Takes: nothing, or what two threads share. Leaves: a number that no other
//! arena of the process bears, so that a handle brought to the wrong arena is
//! told apart; a bell that other threads ring; a place that they meet at.
//! Never: carries state from one arena to another, or runs user code under the lock.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

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

/// What an arena and the threads that read from it share. Whoever has it moves a few words and lets go.
#[derive(Debug)]
pub(crate) struct Shared<S>(Mutex<S>);

impl<S> Shared<S> {
    /// Something to be shared.
    pub(crate) fn new(state: S) -> Self {
        Self(Mutex::new(state))
    }

    /// Does something with it. `action` must run no code of a user: neither `Clone` nor `Drop` of a value.
    pub(crate) fn with<R>(&self, action: impl FnOnce(&mut S) -> R) -> R {
        // Nothing that runs under the lock panics halfway, short of an allocation that fails.
        action(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What other threads want an arena to notice when its next turn begins: numbers.
#[derive(Debug)]
pub(crate) struct Bell {
    has_rung: AtomicBool,
    numbers: Shared<Vec<u64>>,
}

impl Bell {
    /// A bell that has not rung.
    pub(crate) fn new() -> Self {
        Self {
            has_rung: AtomicBool::new(false),
            numbers: Shared::new(Vec::new()),
        }
    }

    /// Leaves a number.
    pub(crate) fn ring(&self, number: u64) {
        self.numbers.with(|numbers| numbers.push(number));
        self.has_rung.store(true, Ordering::Release);
    }

    /// Whether a number was left since the last look. A load.
    #[inline]
    pub(crate) fn has_rung(&self) -> bool {
        self.has_rung.load(Ordering::Acquire)
    }

    /// The numbers left since the last call, in order.
    pub(crate) fn take(&self) -> Vec<u64> {
        // First the flag: a number that is left in between rings once more for nothing.
        self.has_rung.store(false, Ordering::Relaxed);
        let mut taken = self.numbers.with(std::mem::take);
        taken.sort_unstable();
        taken
    }
}
