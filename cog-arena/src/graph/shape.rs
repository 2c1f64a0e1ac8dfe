//! The graph itself, and how rows get their nodes.
//!
//! Takes: rows. Leaves: a node for each that is read as it runs, or runs so.
//! Never: links or marks.

use rustc_hash::FxHashMap;

use crate::graph::capture::Capture;
use crate::graph::columns::{Columns, Kind, Stratum};
use crate::graph::edges::Blocks;
use crate::graph::nodes::{Flags, Nodes};
use crate::graph::pending::Pending;
use crate::graph::rows::Rows;
use crate::graph::spaces::Space;
use crate::ids::{ChunkId, ColumnId, NodeIndex, RecipeId, Revision, Row, bits_of};

/// Everything known without looking at a value.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// Chunks of rows and their bits.
    pub(crate) rows: Rows,
    /// Declared dependencies.
    pub(crate) columns: Columns,
    /// Tracked rows and anchors.
    pub(crate) nodes: Nodes,
    /// Tracked dependencies.
    pub(crate) blocks: Blocks,
    /// Runs in progress.
    pub(crate) capture: Capture,
    /// What waits to be settled.
    pub(crate) pending: Pending,
    /// Key spaces.
    pub(crate) spaces: Vec<Space>,
    /// The last turn, and the recoveries in it: what was read before one was read at an earlier revision.
    pub(crate) revision: Revision,
    /// How many revisions are recoveries and not turns.
    pub(crate) recovery_count: u64,
    /// The last turn in which something really changed.
    pub(crate) changed: Revision,
    /// Nodes that may not be needed any more.
    pub(crate) loose: Vec<NodeIndex>,
    /// Cold rows on their way to hot.
    pub(crate) warming: Vec<NodeIndex>,
    /// Rows whose node was freed since the last release: their keys may be free now.
    pub(crate) unread: Vec<Row>,
    /// Of nodes whose last run failed: how much of what they read the last completed run did. Never iterated.
    pub(crate) completed: FxHashMap<NodeIndex, u32>,
}

impl Graph {
    /// The column of a row: its family's, or its lane; nil for a keyless row without declared dependencies.
    #[inline]
    pub(crate) fn column_of(&self, row: Row) -> ColumnId {
        let column = self.rows[row.chunk()].column;
        if column.is_nil() {
            self.rows.lane(row)
        } else {
            column
        }
    }

    /// The row's place in its column's words: chunk and bit.
    #[inline]
    pub(crate) fn place(&self, row: Row) -> (u32, u64) {
        let head = &self.rows[row.chunk()];
        if head.column.is_nil() {
            (0, 1)
        } else {
            (head.local, row.bit())
        }
    }

    /// The row at `bit` (one bit) of a column's `chunk`, or nil.
    #[inline]
    pub(crate) fn row_at(&self, column: ColumnId, chunk: u32, offset: u32) -> Row {
        let column = &self.columns[column];
        if column.is_lane() {
            return column.lane;
        }
        let id = self.rows.chunk(column.store, chunk);
        if id.is_nil() {
            Row::NIL
        } else {
            Row::of(id, offset)
        }
    }

    /// Rows of the column's `chunk` for which all required inputs have values.
    pub(crate) fn available(&self, column: ColumnId, chunk: u32) -> u64 {
        let mut mask = u64::MAX;
        for input in &self.columns[column].inputs {
            if input.required {
                mask &= self.present(input.column, input.shared, chunk);
            }
        }
        mask
    }

    /// Whether all required declared inputs of a tracked row have values.
    #[inline(never)]
    pub(crate) fn is_available(&self, node: NodeIndex) -> bool {
        let row = self.nodes[node].row;
        let (chunk, bit) = self.place(row);
        self.available(self.column_of(row), chunk) & bit != 0
    }

    /// Keys of `chunk` for which an eager column has rows by itself: members. Other keys' rows are made by reading.
    pub(crate) fn bound(&self, id: ColumnId, chunk: u32) -> u64 {
        let column = &self.columns[id];
        if column.is_lane() {
            u64::MAX
        } else {
            self.spaces[column.space.index()].members(chunk)
        }
    }

    /// Whether a keyless declared cog has all that it requires, and nothing to do with a failure.
    #[inline]
    pub(crate) fn is_plain_lane(&self, id: ColumnId) -> bool {
        let column = &self.columns[id];
        !column.any_failed
            && column.inputs.iter().all(|input| {
                let above = &self.columns[input.column];
                !above.any_failed && (!input.required || self.rows.is_present(above.lane))
            })
    }

    /// Rows of `chunk` for which `column` has a value; a shared one has it for all or none.
    pub(crate) fn present(&self, column: ColumnId, shared: bool, chunk: u32) -> u64 {
        let column = &self.columns[column];
        if shared {
            return if self.rows.is_present(column.lane) {
                u64::MAX
            } else {
                0
            };
        }
        let id = self.rows.chunk(column.store, chunk);
        if id.is_nil() {
            0
        } else {
            self.rows[id].present
        }
    }

    /// Rows among `mask` without a tracked row's node: there never was one, or it ended and only its anchor is left.
    pub(crate) fn untracked(&self, chunk: ChunkId, mask: u64) -> u64 {
        let noded = mask & self.rows[chunk].noded;
        let ended = |&offset: &u32| {
            let node = self.rows.node(Row::of(chunk, offset));
            !self.nodes[node].flags.any(Flags::TRACKED)
        };
        bits_of(noded)
            .filter(ended)
            .fold(mask & !noded, |mask, offset| mask | 1 << offset)
    }

    /// The anchor of a source or declared row; made on its first tracked read.
    pub(crate) fn ensure_anchor(&mut self, row: Row) -> NodeIndex {
        let found = self.rows.node(row);
        if !found.is_nil() {
            return found;
        }
        let node = self.nodes.insert(row, RecipeId::NIL, Flags::ABSENT);
        self.rows.set_node(row, node);
        let column = self.column_of(row);
        if !column.is_nil() {
            let (chunk, bit) = self.place(row);
            let pending = self.columns[column].check.word(chunk) & bit != 0;
            self.columns[column].anchored = true;
            if pending {
                self.nodes[node].flags = self.nodes[node].flags.with(Flags::CHECK);
            }
        }
        node
    }

    /// The node of a tracked row; made, and to be run, if it isn't there.
    pub(crate) fn ensure_tracked(&mut self, row: Row, recipe: RecipeId) -> NodeIndex {
        let found = self.rows.node(row);
        if !found.is_nil() && self.nodes[found].flags.any(Flags::TRACKED) {
            return found;
        }
        let mut flags = Flags::TRACKED.with(Flags::DIRTY).with(Flags::ABSENT);
        let column = self.column_of(row);
        let mut hot = false;
        if !column.is_nil() {
            let (chunk, bit) = self.place(row);
            let column = &mut self.columns[column];
            column.check.clear(chunk, bit);
            hot = column.eager || !column.outputs.is_empty();
            let wide = [
                (Flags::ROOT, column.eager),
                (Flags::OUTS, !column.outputs.is_empty()),
            ];
            let more = [
                (Flags::INS, !column.inputs.is_empty()),
                (Flags::PUBLISHED, column.hold_count > 0),
            ];
            for (flag, _) in wide.into_iter().chain(more).filter(|(_, set)| *set) {
                flags = flags.with(flag);
            }
        }
        if found.is_nil() {
            let node = self.nodes.insert(
                row,
                recipe,
                if hot { flags } else { flags.with(Flags::COLD) },
            );
            self.rows.set_node(row, node);
            return node;
        }
        let node = &mut self.nodes[found];
        let kept = if node.flags.any(Flags::HELD) {
            Flags::HELD.with(Flags::ROOT)
        } else {
            Flags::NONE
        };
        let cold = !hot && node.consumers.len() == 0 && !node.flags.any(Flags::HELD);
        flags = flags.with(kept);
        node.flags = if cold { flags.with(Flags::COLD) } else { flags };
        node.recipe = recipe;
        found
    }

    /// A tracked row ends: what it read forgets it; it stays as an anchor while it is read.
    pub(crate) fn end_tracked(&mut self, at: NodeIndex) {
        self.forget_reads(at);
        let node = &mut self.nodes[at];
        let held = node.flags.any(Flags::HELD);
        let kept = if held {
            Flags::HELD.with(Flags::ROOT)
        } else {
            Flags::NONE
        };
        let moved = if node.flags.any(Flags::MOVED) {
            Flags::MOVED
        } else {
            Flags::NONE
        };
        node.flags = Flags::ABSENT.with(kept).with(moved);
        node.recipe = RecipeId::NIL;
        node.value = std::ptr::null_mut();
        node.changed_at = self.revision;
        self.loose.push(at);
    }

    /// A tracked row without a value, whose key goes, forgets what it read. Its readers saw that there is nothing:
    /// they run again only if there is something when they look.
    pub(crate) fn reset_tracked(&mut self, at: NodeIndex) {
        self.forget_reads(at);
        let node = &mut self.nodes[at];
        let past = Flags::MARKED.with(Flags::STALE);
        node.flags = node.flags.without(past).with(Flags::DIRTY);
    }

    /// A new reaction's node.
    pub(crate) fn add_reaction(&mut self, recipe: RecipeId) -> NodeIndex {
        let flags = Flags::TRACKED
            .with(Flags::DIRTY)
            .with(Flags::REACTION)
            .with(Flags::ABSENT);
        self.nodes.insert(Row::NIL, recipe, flags)
    }

    /// A reaction's node goes.
    pub(crate) fn end_reaction(&mut self, at: NodeIndex) {
        self.forget_reads(at);
        self.blocks.free(&mut self.nodes[at].dependencies);
        self.nodes.remove(at);
        self.sweep_loose();
    }

    /// Whether nothing waits to be settled whether read or not.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        let pending = &self.pending;
        pending.first.is_empty()
            && pending.second.is_empty()
            && pending.roots.is_empty()
            && pending.touched.is_empty()
            && pending.recovered.is_told()
            && self.loose.is_empty()
    }

    /// Whether a read of the node must settle it first.
    #[inline]
    pub(crate) fn is_unsettled(&self, at: NodeIndex) -> bool {
        let node = &self.nodes[at];
        if !node.flags.any(Flags::UNSETTLED) {
            return false;
        }
        node.flags.any(Flags::PENDING) || node.verified_at < self.changed
    }

    /// Whether a read of a declared row must settle it first.
    pub(crate) fn is_pending(&self, id: ColumnId, row: Row) -> bool {
        let (chunk, bit) = self.place(row);
        let column = &self.columns[id];
        let to_check = !column.below || column.check.word(chunk) & bit != 0;
        column.stratum != Stratum::First && to_check || self.is_owed(id, row)
    }

    /// Whether a declared row is to be run: never, or not since an input moved, or without success.
    pub(crate) fn is_owed(&self, id: ColumnId, row: Row) -> bool {
        let (chunk, bit) = self.place(row);
        let head = &self.rows[row.chunk()];
        (head.failed | !head.known) & row.bit() != 0
            || self.columns[id].dirty.word(chunk) & bit != 0
    }

    /// A declared row is settled: its anchor says so.
    #[inline]
    pub(crate) fn unmark_anchor(&mut self, row: Row) {
        let node = self.rows.node(row);
        if !node.is_nil() {
            let flags = self.nodes[node].flags;
            self.nodes[node].flags = flags.without(Flags::CHECK);
        }
    }

    /// Adds the declared dependants' flags to rows made before the dependants were declared.
    pub(crate) fn refresh_outputs(&mut self, column: ColumnId) {
        if self.columns[column].kind != Kind::Tracked {
            return;
        }
        let store = self.columns[column].store;
        let lane = self.columns[column].lane;
        let mut rows = Vec::new();
        if lane.is_nil() {
            for &chunk in self
                .rows
                .chunks(store)
                .iter()
                .filter(|chunk| !chunk.is_nil())
            {
                rows.extend(bits_of(self.rows[chunk].noded).map(|offset| Row::of(chunk, offset)));
            }
        } else {
            rows.push(lane);
        }
        for row in rows {
            let node = self.rows.node(row);
            if !node.is_nil() && self.nodes[node].flags.any(Flags::TRACKED) {
                self.nodes[node].flags = self.nodes[node].flags.with(Flags::OUTS);
                self.warm(node);
            }
        }
    }
}
