//! Limits, figures and names.
//!
//! Takes: limits. Leaves: what is known about turns and cogs. Never: changes a value.

use crate::access::Readable;
use crate::arena::owner::Arena;
use crate::error::{ReadError, Warning};
use crate::turn::state::TurnCounts;

/// Limits, figures and names.
impl Arena {
    /// How deep functions may nest, each reading an unsettled row: 1,000,000 at first. Past it a read fails with
    /// [`ReadError::TooDeep`].
    pub fn set_depth_max(&mut self, depth: u32) {
        self.engine.state.depth_max = depth as usize;
    }

    /// How many turns may follow from one: 100,000 at first.
    pub fn set_turns_max(&mut self, turns: u32) {
        self.engine.chain.turns_max = turns;
    }

    /// Who is told of warnings. Nobody, at first.
    pub fn on_warning(&mut self, function: impl FnMut(&Warning) + Send + Sync + 'static) {
        self.engine.warn = Some(Box::new(function));
    }

    /// Figures of the last turn, and of what was read, held and registered since.
    #[must_use]
    pub fn counts(&self) -> TurnCounts {
        self.engine.state.counts
    }

    /// Figures since the start.
    #[must_use]
    pub fn totals(&self) -> TurnCounts {
        let mut totals = self.engine.totals;
        totals.add(&self.engine.state.counts);
        totals
    }

    /// What a cog is called, with its key.
    ///
    /// # Panics
    ///
    /// If the handle is stale or of another arena.
    #[track_caller]
    pub fn name(&mut self, cog: impl Readable) -> String {
        match cog.locate(&mut self.engine) {
            Ok(place) => self.engine.name(place.0),
            Err(error) => panic!("{error}"),
        }
    }

    /// How many tracked rows, reactions and feeds read this cog, hot and cold.
    ///
    /// # Panics
    ///
    /// If the handle is of another arena.
    #[must_use]
    #[track_caller]
    pub fn consumer_count(&self, cog: impl Readable) -> usize {
        match cog.find(&self.engine) {
            Ok(place) => place.map_or(0, |place| self.engine.consumer_count(place.0)),
            Err(ReadError::Stale) => 0,
            Err(error) => panic!("{error}"),
        }
    }

    /// Panics at the first broken invariant. O(rows + edges).
    #[cfg(any(test, feature = "testing"))]
    pub fn check(&self) {
        self.engine.check();
    }

    /// Starts or stops to log runs.
    #[cfg(any(test, feature = "testing"))]
    pub fn log_runs(&mut self, on: bool) {
        self.engine.log = on.then(Vec::new);
    }

    /// The rows whose function ran since the last call, in order, by name.
    #[cfg(any(test, feature = "testing"))]
    pub fn take_runs(&mut self) -> Vec<String> {
        self.engine
            .log
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }
}
