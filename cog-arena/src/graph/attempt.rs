//! Which rows failed in this attempt.
//!
//! Takes: rows. Leaves: the answer. Never: outlives the attempt.

use rustc_hash::FxHashSet;

use crate::ids::Row;

/// What failed in this attempt: in this turn, or in this read from outside. A row has one outcome in an attempt, as long
/// as nothing that it read recovers.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    /// Whether one of the sets holds something.
    any: bool,
    /// Rows that failed. Never iterated.
    rows: FxHashSet<Row>,
    /// Rows that were on the stack when a cycle closed: what they do next time depends on who is asked first. Never
    /// iterated.
    entangled: FxHashSet<Row>,
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
        if !self.entangled.contains(&row) {
            self.rows.insert(row);
        }
    }

    /// Notes a row that is part of a cycle, or leads to one.
    pub(crate) fn entangle(&mut self, row: Row) {
        self.any = true;
        self.entangled.insert(row);
    }

    /// Whether running the row once more would fail as it did.
    pub(crate) fn is_known(&self, row: Row) -> bool {
        self.rows.contains(&row)
    }

    /// Something is well again, or the attempt is over.
    pub(crate) fn clear(&mut self) {
        self.any = false;
        self.rows.clear();
        self.entangled.clear();
    }
}
