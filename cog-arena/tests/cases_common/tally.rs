//! Counts the runs of functions by name. Takes a function, gives one that notes each run at its
//! start, so that a run that panics counts too.

use std::sync::{Arc, Mutex, PoisonError};

use cog_arena::Reader;

/// The names of the functions that ran, in the order in which they started.
#[derive(Clone, Default)]
pub(crate) struct Tally(Arc<Mutex<Vec<&'static str>>>);

impl Tally {
    /// Wraps `f`, so that each of its runs is noted under `name`.
    pub(crate) fn count<T, F>(
        &self,
        name: &'static str,
        f: F,
    ) -> impl Fn(&Reader<'_>) -> T + Send + Sync + use<T, F>
    where
        F: Fn(&Reader<'_>) -> T + Send + Sync + 'static,
    {
        let tally = self.clone();
        move |r: &Reader<'_>| {
            tally.hit(name);
            f(r)
        }
    }

    /// Notes one run under `name`.
    pub(crate) fn hit(&self, name: &'static str) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(name);
    }

    /// How often each of `names` ran, since the tally was made.
    pub(crate) fn of<const N: usize>(&self, names: [&str; N]) -> [usize; N] {
        let runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.map(|name| runs.iter().filter(|run| **run == name).count())
    }
}
