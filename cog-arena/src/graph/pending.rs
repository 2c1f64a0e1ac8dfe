//! What waits to be settled.
//!
//! Takes: marks. Leaves: lists that outlive a turn that failed, so that
//! stopping anywhere and settling again later is the same as not stopping.
//! Never: decides anything.

use rustc_hash::FxHashSet;

use crate::graph::attempt::Failures;
use crate::graph::queue::Queue;
use crate::ids::{ColumnId, NodeIndex, Row};

/// Rows of a column that may change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The column.
    pub(crate) column: ColumnId,
    /// Its chunk; [`Mark::ALL`] for all of them.
    pub(crate) chunk: u32,
    /// The rows of the chunk.
    pub(crate) mask: u64,
}

impl Mark {
    /// In place of a chunk: every row of the column.
    pub(crate) const ALL: u32 = u32::MAX;
}

/// Rows that have a result again after they failed. Their readers are told between two runs, never within one: what a
/// run was lent stays. Each row is told of once in a settling, so that a knot of rows that fail by turns ends.
#[derive(Debug, Default)]
pub(crate) struct Recovered {
    /// The rows, in the order in which they recovered, each with how many recoveries there were.
    pub(crate) rows: Vec<(Row, u32)>,
    /// How many of them were told of.
    pub(crate) told_count: usize,
    /// The same rows. Never iterated.
    seen: FxHashSet<Row>,
    /// Who read their failure, in order.
    pub(crate) readers: Vec<NodeIndex>,
    /// Those that have not run since. Never iterated.
    misled: FxHashSet<NodeIndex>,
}

impl Recovered {
    /// Notes a row; whether it is the first time.
    pub(crate) fn note(&mut self, row: Row, recovery_count: u32) -> bool {
        let is_new = self.seen.insert(row);
        if is_new {
            self.rows.push((row, recovery_count));
        }
        is_new
    }

    /// Notes a node that read the failure.
    pub(crate) fn note_reader(&mut self, node: NodeIndex) {
        if self.misled.insert(node) {
            self.readers.push(node);
        }
    }

    /// A node ran: it knows.
    #[inline]
    pub(crate) fn ran(&mut self, node: NodeIndex) {
        if !self.misled.is_empty() {
            self.misled.remove(&node);
        }
    }

    /// Takes a node from those that have not run since; whether it was one.
    pub(crate) fn take_misled(&mut self, node: NodeIndex) -> bool {
        self.misled.remove(&node)
    }

    /// Whether someone is still to be told.
    #[inline]
    pub(crate) fn is_told(&self) -> bool {
        self.told_count == self.rows.len()
    }

    /// The settling is over.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.told_count = 0;
        self.seen.clear();
        self.readers.clear();
        self.misled.clear();
    }
}

/// The queue over columns, and the lists of nodes.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    /// Eager columns with nothing tracked above.
    pub(crate) first: Queue,
    /// Other eager declared columns.
    pub(crate) second: Queue,
    /// Marked tracked rows (and held declared rows) that are needed unconditionally.
    pub(crate) roots: Vec<NodeIndex>,
    /// Marked reactions.
    pub(crate) reactions: Vec<NodeIndex>,
    /// Whether anything held moved since the last release.
    pub(crate) any_moved: bool,
    /// Columns held as wholes of which rows moved since the last release.
    pub(crate) moved_columns: Vec<ColumnId>,
    /// Rows held by themselves that moved since the last release.
    pub(crate) moved: Vec<NodeIndex>,
    /// Eager columns whose check bits die with the turn.
    pub(crate) touched: Vec<ColumnId>,
    /// Eager columns of which a row failed: the next turn tries it again.
    pub(crate) failed_columns: Vec<ColumnId>,
    /// Needed rows that failed, for the same.
    pub(crate) failed_roots: Vec<NodeIndex>,
    /// What failed, until the turn or the read from outside ends.
    pub(crate) failures: Failures,
    /// What failed and is well again, until its readers are told.
    pub(crate) recovered: Recovered,
    /// Marked nodes whose consumers are still to be marked.
    pub(crate) marked: Vec<NodeIndex>,
    /// Marked rows of columns whose dependants are still to be marked.
    pub(crate) column_marks: Vec<Mark>,
    /// Which settling this is; marks of whole columns pass once in each.
    pub(crate) pass: u64,
    /// How many rows were marked or queued in this turn.
    pub(crate) reached_count: u64,
}
