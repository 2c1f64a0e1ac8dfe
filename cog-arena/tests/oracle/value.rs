//! Values and keys that notice when they are mishandled.
//!
//! Takes: integers. Leaves: values on the heap that count themselves, know when they were
//! overwritten, and whose equality fails on demand. Never: knows what a graph is.

use crate::net::spec::Place;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

/// The one value whose comparison fails while the bomb is armed.
pub(crate) const BOMB: i64 = 5;

/// What a planted failure throws, so that it is never taken for a broken promise.
#[derive(Debug)]
pub(crate) struct Boom;

/// Unwinds on purpose, without a message on the screen.
pub(crate) fn boom() -> ! {
    resume_unwind(Box::new(Boom))
}

/// What all values of one game share.
#[derive(Debug, Default)]
pub(crate) struct Fuse {
    armed: AtomicBool,
    live: AtomicI64,
    exempt: AtomicU64,
}

impl Fuse {
    /// Whether comparing [`BOMB`] fails now.
    pub(crate) fn is_armed(&self) -> bool {
        self.armed.load(Ordering::Relaxed)
    }

    /// Decides whether comparing [`BOMB`] fails.
    pub(crate) fn arm(&self, armed: bool) {
        self.armed.store(armed, Ordering::Relaxed);
    }

    /// Values of this cog may always be compared.
    pub(crate) fn exempt(&self, cog: usize) {
        self.exempt.fetch_or(1 << cog, Ordering::Relaxed);
    }

    /// Whether comparing values of the cog fails now, if one is [`BOMB`].
    pub(crate) fn is_armed_for(&self, cog: usize) -> bool {
        self.is_armed() && self.exempt.load(Ordering::Relaxed) >> cog & 1 == 0
    }

    /// How many values are alive.
    pub(crate) fn live(&self) -> i64 {
        self.live.load(Ordering::Relaxed)
    }
}

/// A value that lives on the heap, so that a sanitizer sees a reader of a dropped one.
#[derive(Debug)]
pub(crate) struct Value {
    number: i64,
    origin: Place,
    shadow: Box<i64>,
    fuse: Arc<Fuse>,
}

impl Value {
    /// A value of `origin` that counts itself in `fuse`.
    pub(crate) fn new(fuse: &Arc<Fuse>, origin: Place, number: i64) -> Self {
        fuse.live.fetch_add(1, Ordering::Relaxed);
        Self {
            number,
            origin,
            shadow: Box::new(!number),
            fuse: Arc::clone(fuse),
        }
    }

    /// The row that the value was made for.
    pub(crate) fn origin(&self) -> Place {
        self.origin
    }

    /// The number, once both copies of it agree.
    pub(crate) fn number(&self) -> i64 {
        assert_eq!(
            self.number, !*self.shadow,
            "a value that is lent is neither dropped nor overwritten"
        );
        self.number
    }

    /// Equality of thirds: 3, 4 and 5 are one and the same.
    pub(crate) fn same_third(&self, other: &Self) -> bool {
        third(self.number()) == third(other.number())
    }
}

/// What coarse equality compares.
pub(crate) fn third(number: i64) -> i64 {
    number.div_euclid(3)
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.number(), other.number());
        if self.fuse.is_armed_for(self.origin.cog) && (a == BOMB || b == BOMB) {
            boom();
        }
        a == b
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        Self::new(&self.fuse, self.origin, self.number())
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        self.fuse.live.fetch_sub(1, Ordering::Relaxed);
        *self.shadow = self.number;
    }
}

/// A key that is no `Copy` and lives on the heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tag(Box<u32>);

impl Tag {
    /// The key with this number.
    pub(crate) fn new(number: u32) -> Self {
        Self(Box::new(number))
    }

    /// Its number, which is also its index in an indexed key space.
    pub(crate) fn number(&self) -> u32 {
        *self.0
    }
}
