//! Which rows failed in this attempt.
//!
//! Takes: rows. Leaves: the answer. Never: outlives the attempt.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::ReadError;
use crate::ids::Row;

/// What failed in this attempt: in this turn, or in this read from outside. A row has one outcome in an attempt, as long
/// as nothing that it read recovers.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    /// Whether something is noted.
    any: bool,
    /// Rows that failed. Never iterated.
    rows: FxHashSet<Row>,
    /// The cycle that a row is part of. Never iterated.
    cycles: FxHashMap<Row, Arc<ReadError>>,
    /// Rows that were not run, since functions nested too deep: whoever is less deep may run them. Never iterated.
    spared: FxHashSet<Row>,
}

impl Failures {
    /// Whether anything failed.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.any
    }

    /// Notes a row that failed.
    pub(crate) fn note(&mut self, row: Row) {
        self.any = true;
        if !self.spared.remove(&row) {
            self.rows.insert(row);
        }
    }

    /// Notes a row that is part of a cycle: fails it, then it fails with this error.
    pub(crate) fn note_cycle(&mut self, row: Row, error: &Arc<ReadError>) {
        self.any = true;
        self.cycles.insert(row, Arc::clone(error));
    }

    /// Notes a row that is about to fail, though it was not run.
    pub(crate) fn spare(&mut self, row: Row) {
        self.any = true;
        self.spared.insert(row);
    }

    /// Whether running the row once more would fail as it did.
    pub(crate) fn is_known(&self, row: Row) -> bool {
        self.rows.contains(&row)
    }

    /// The cycle that the row is part of.
    pub(crate) fn cycle_of(&self, row: Row) -> Option<&Arc<ReadError>> {
        self.cycles.get(&row)
    }

    /// A row is well again: if it failed in this attempt, then others may have failed for its sake.
    pub(crate) fn recovered(&mut self, row: Row) {
        if self.is_known(row) {
            self.clear();
        }
    }

    /// The attempt is over.
    pub(crate) fn clear(&mut self) {
        self.any = false;
        self.rows.clear();
        self.cycles.clear();
        self.spared.clear();
    }
}
