//! What reactions saw. Takes a way to read, leaves a reaction that logs what it read: the length of
//! the log is the number of its runs.

use std::sync::{Arc, Mutex, PoisonError};

use cog_arena::{Arena, Reaction, Reader};

/// A list that a function can add to and a test can look at.
pub(crate) struct Log<T>(Arc<Mutex<Vec<T>>>);

impl<T> Clone for Log<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Clone> Log<T> {
    /// Adds `entry` at the end.
    pub(crate) fn push(&self, entry: T) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(entry);
    }

    /// All entries since the log was made.
    pub(crate) fn entries(&self) -> Vec<T> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Registers a reaction that logs what `read` gives, once a run.
pub(crate) fn follow<T, F>(arena: &mut Arena, read: F) -> (Log<T>, Reaction)
where
    T: Clone + Send + 'static,
    F: Fn(&Reader<'_>) -> T + Send + Sync + 'static,
{
    let log = Log::default();
    let seen = log.clone();
    let reaction = arena.react(move |r, _| seen.push(read(r)));
    (log, reaction)
}
