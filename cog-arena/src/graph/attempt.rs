//! Which rows failed in this attempt.
//!
//! Takes: rows. Leaves: the answer. Never: outlives the attempt.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::ReadError;
use crate::ids::Row;

/// Whether marks reach a row: a cold one is told of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// They do.
    Reach,
    /// They do not.
    Miss,
}

/// What failed in this attempt: in this turn, or in this read from outside. A row has one outcome in an attempt, as long
/// as nothing that it read recovers.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    /// Whether something is noted.
    any: bool,
    /// How often something recovered.
    recovery_count: u32,
    /// What was noted before so many recoveries may be over.
    over: u32,
    /// The same, for rows that no mark reaches.
    over_unmarked: u32,
    /// Rows that failed, with how often something had recovered. Never iterated.
    rows: FxHashMap<Row, u32>,
    /// The cycle that a row is part of, with the same. Never iterated.
    cycles: FxHashMap<Row, (Arc<ReadError>, u32)>,
    /// The row that is about to fail once more.
    again: Option<Row>,
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
        let was_run = self.again.take() != Some(row) && !self.spared.remove(&row);
        if was_run {
            self.rows.insert(row, self.recovery_count);
        }
    }

    /// Notes a row that is about to fail as it did before, and is not run: it knows no more than it did then.
    pub(crate) fn note_again(&mut self, row: Row) {
        self.again = Some(row);
    }

    /// Notes a row that is part of a cycle: if it fails, then with this error.
    pub(crate) fn note_cycle(&mut self, row: Row, error: &Arc<ReadError>) {
        self.any = true;
        let noted = (Arc::clone(error), self.recovery_count);
        self.cycles.insert(row, noted);
    }

    /// Notes a row that is about to fail, though it was not run.
    pub(crate) fn spare(&mut self, row: Row) {
        self.any = true;
        self.spared.insert(row);
    }

    /// Whether running the row once more would fail as it did, if nobody marked it since.
    pub(crate) fn is_known(&self, row: Row, marks: Marks) -> bool {
        let over = match marks {
            Marks::Reach => self.over,
            Marks::Miss => self.over_unmarked,
        };
        self.rows.get(&row).is_some_and(|at| over <= *at)
    }

    /// The cycle that the row is part of.
    pub(crate) fn cycle_of(&self, row: Row) -> Option<&Arc<ReadError>> {
        let (error, at) = self.cycles.get(&row)?;
        (self.over <= *at).then_some(error)
    }

    /// Whether the row failed after so many recoveries: it knows of all of them.
    pub(crate) fn has_failed_since(&self, row: Row, recovery_count: u32) -> bool {
        let noted = self.rows.get(&row);
        noted.is_some_and(|at| recovery_count <= *at)
    }

    /// A row is well again. If it failed in this attempt, then others may have failed for its sake; else nobody has
    /// until those that read it before are told. Returns how many recoveries there were.
    pub(crate) fn recovered(&mut self, row: Row) -> u32 {
        let failed_here = self.is_known(row, Marks::Reach);
        self.any = true;
        self.recovery_count += 1;
        if failed_here {
            self.over = self.recovery_count;
            self.over_unmarked = self.over;
        }
        self.recovery_count
    }

    /// Who is to hear of the recoveries so far is marked. Whatever no mark reaches may be well now.
    pub(crate) fn recoveries_are_told(&mut self) {
        self.over_unmarked = self.recovery_count;
    }

    /// The attempt is over.
    pub(crate) fn clear(&mut self) {
        self.any = false;
        self.recovery_count = 0;
        self.over = 0;
        self.over_unmarked = 0;
        self.rows.clear();
        self.cycles.clear();
        self.again = None;
        self.spared.clear();
    }
}
