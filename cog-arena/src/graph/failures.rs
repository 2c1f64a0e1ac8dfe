//! Which rows failed, and which can't but fail since an input did.
//!
//! Takes: columns and chunks. Leaves: words of rows. Never: decides who runs again.

use crate::graph::shape::Graph;
use crate::ids::ColumnId;

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
        inputs.fold(0, |mask, input| {
            let failed = self.failed(input.column, chunk);
            let all = input.shared && failed != 0;
            mask | if all { u64::MAX } else { failed }
        })
    }
}
