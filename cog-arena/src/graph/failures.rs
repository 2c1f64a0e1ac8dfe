//! Which rows failed, and which can't but fail since an input did.
//!
//! Takes: columns and chunks. Leaves: words of rows, and what failed queued for the next turn. Never: runs anything.

use crate::graph::attempt::Marks;
use crate::graph::columns::Stratum;
use crate::graph::nodes::Flags;
use crate::graph::shape::Graph;
use crate::ids::{ColumnId, NodeIndex, Revision, Row};

impl Graph {
    /// Rows of a column's chunk whose last evaluation failed; a lane's row is in bit 0.
    pub(crate) fn failed(&self, id: ColumnId, chunk: u32) -> u64 {
        let column = &self.columns[id];
        if column.is_lane() {
            return u64::from(self.rows[column.lane.chunk()].failed & column.lane.bit() != 0);
        }
        let chunk = self.rows.chunk(column.store, chunk);
        if chunk.is_nil() {
            0
        } else {
            self.rows[chunk].failed
        }
    }

    /// Whether some row of an input failed once.
    pub(crate) fn has_fragile_inputs(&self, id: ColumnId) -> bool {
        let mut inputs = self.columns[id].inputs.iter();
        inputs.any(|input| self.columns[input.column].any_failed)
    }

    /// Whether some row of the column, or of an input, failed once.
    pub(crate) fn is_fragile(&self, id: ColumnId) -> bool {
        self.columns[id].any_failed || self.has_fragile_inputs(id)
    }

    /// Rows that fail because an input did.
    #[inline]
    pub(crate) fn blocked(&self, id: ColumnId, chunk: u32) -> u64 {
        if self.has_fragile_inputs(id) {
            self.failed_inputs(id, chunk)
        } else {
            0
        }
    }

    /// As [`Self::blocked`], where some input is known to have failed once.
    pub(crate) fn failed_inputs(&self, id: ColumnId, chunk: u32) -> u64 {
        let inputs = self.columns[id].inputs.iter();
        if let Some(whole) = &self.columns[id].whole {
            return if whole.failed.is_empty() { 0 } else { u64::MAX };
        }
        inputs.fold(0, |mask, input| {
            let failed = self.failed(input.column, chunk);
            let all = input.shared && failed != 0;
            mask | if all { u64::MAX } else { failed }
        })
    }

    /// Whether a tracked row failed in this attempt, and was told of no change since.
    pub(crate) fn has_failed_node(&self, at: NodeIndex) -> bool {
        let node = &self.nodes[at];
        let flags = node.flags;
        let marks = if flags.any(Flags::COLD) {
            Marks::Miss
        } else {
            Marks::Reach
        };
        flags.any(Flags::STALE)
            && !flags.any(Flags::MARKED)
            && self.pending.failures.is_known(node.row, marks)
    }

    /// Whether a declared row failed in this attempt, and neither it nor anything above it was told of a change since.
    #[inline]
    pub(crate) fn has_failed_for_good(&self, id: ColumnId, row: Row) -> bool {
        self.pending.failures.any() && self.is_known_to_fail(id, row)
    }

    #[cold]
    #[inline(never)]
    fn is_known_to_fail(&self, id: ColumnId, row: Row) -> bool {
        let column = &self.columns[id];
        let marks = if column.below {
            Marks::Reach
        } else {
            Marks::Miss
        };
        if !self.pending.failures.is_known(row, marks) {
            return false;
        }
        let (chunk, bit) = self.place(row);
        (column.dirty.word(chunk) | column.check.word(chunk)) & bit == 0
    }

    /// A node's row failed: if it is needed unconditionally, the next turn tries it again.
    pub(crate) fn note_failed_root(&mut self, at: NodeIndex) {
        let flags = self.nodes[at].flags;
        if flags.any(Flags::ROOT) && !flags.any(Flags::RETRIED) {
            self.nodes[at].flags = flags.with(Flags::RETRIED);
            self.pending.failed_roots.push(at);
        }
    }

    /// Of the rows that a cog which depends on a family as a whole has still to look at: those of members that failed.
    #[cold]
    pub(crate) fn note_failed_members(&mut self, id: ColumnId) {
        let Some(mut whole) = self.columns[id].whole.take() else {
            return;
        };
        let family = self.columns[id].inputs[0].column;
        whole.moved.for_each(|chunk, mask| {
            let failed = self.failed(family, chunk) & self.bound(family, chunk);
            whole.failed.clear(chunk, mask);
            whole.failed.or(chunk, mask & failed);
        });
        self.columns[id].whole = Some(whole);
    }

    /// Some row of a column failed.
    #[cold]
    pub(crate) fn note_failed_column(&mut self, id: ColumnId) {
        let column = &mut self.columns[id];
        column.any_failed = true;
        if column.stratum != Stratum::Lazy && !std::mem::replace(&mut column.retried, true) {
            self.pending.failed_columns.push(id);
        }
    }

    /// A turn begins to settle: what is needed and failed before is tried again.
    #[cold]
    #[inline(never)]
    pub(crate) fn try_failed(&mut self) {
        let mut roots = std::mem::take(&mut self.pending.failed_roots);
        // One that ended, and came back, may be here twice.
        roots.sort_unstable();
        roots.dedup();
        for node in roots {
            let flags = self.nodes[node].flags.without(Flags::RETRIED);
            self.nodes[node].flags = flags;
            if flags.any(Flags::STALE) && flags.any(Flags::ROOT) {
                self.pending.roots.push(node);
            }
        }
        for id in std::mem::take(&mut self.pending.failed_columns) {
            self.columns[id].retried = false;
            let chunks = if self.columns[id].is_lane() {
                0..1
            } else {
                self.key_chunks(id)
            };
            for chunk in chunks {
                let failed = self.failed(id, chunk);
                if failed != 0 {
                    self.columns[id].dirty.or(chunk, failed);
                    self.enqueue(id);
                }
            }
        }
    }

    /// Something that failed is well again in the middle of a turn, or between two: whoever read the failure, or what was
    /// made of it, has a stamp that is older than what follows. Returns the new revision. Cold rows are made to look
    /// only when readers are told: what a run has settled so far stays settled while it runs.
    #[cold]
    #[inline(never)]
    pub(crate) fn begin_recovery(&mut self) -> Revision {
        self.recovery_count += 1;
        self.revision.0 += 1;
        self.revision
    }

    /// How many turns there were.
    pub(crate) fn turn_count(&self) -> u64 {
        self.revision.0 - self.recovery_count
    }
}
