//! What waits to be settled.
//!
//! Takes: marks. Leaves: lists that outlive a turn that failed, so that
//! stopping anywhere and settling again later is the same as not stopping.
//! Never: decides anything.

use crate::graph::queue::Queue;
use crate::ids::{ColumnId, NodeIndex};

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
    /// Rows held by themselves that moved since the last release.
    pub(crate) moved: Vec<NodeIndex>,
    /// Eager columns whose check bits die with the turn.
    pub(crate) touched: Vec<ColumnId>,
    /// Marked nodes whose consumers are still to be marked.
    pub(crate) marked: Vec<NodeIndex>,
    /// Marked rows of columns whose dependants are still to be marked.
    pub(crate) column_marks: Vec<Mark>,
    /// Which settling this is; marks of whole columns pass once in each.
    pub(crate) pass: u64,
    /// How many rows were marked or queued in this turn.
    pub(crate) reached_count: u64,
}
