//! A name for a cog that is declared later, so that two functions can name each other, or one
//! itself.

use std::sync::{Arc, Mutex, PoisonError};

/// Holds the handle of a cog from the moment it is tied.
pub(crate) struct Knot<H>(Arc<Mutex<Option<H>>>);

impl<H> Clone for Knot<H> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<H: Copy> Knot<H> {
    /// A knot that nothing is tied to yet.
    pub(crate) fn new() -> Self {
        Self(Arc::default())
    }

    /// From now on, the knot stands for `handle`.
    pub(crate) fn tie(&self, handle: H) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle);
    }

    /// The handle that was tied last.
    ///
    /// # Panics
    ///
    /// If nothing was tied.
    pub(crate) fn handle(&self) -> H {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .expect("a knot is tied before it is used")
    }
}
