//! Capture: records what a running function reads, in order, and keeps the prefix that repeats.
//!
//! Takes: nodes as they are read. Leaves: how much of the old list still
//! holds, and what comes after it. Never: links anything; that waits for the
//! run's end.
//!
//! A run that reads what it read before only moves a cursor along its old
//! list. The first read off that path makes the run *diverge*: the prefix is
//! kept, the rest goes to a scratch list, and duplicates are told by stamps.

use crate::graph::edges::{Blocks, List};
use crate::graph::nodes::Nodes;
use crate::ids::NodeIndex;

/// The capture of one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Who runs.
    pub(crate) node: NodeIndex,
    /// The next node on the old path, or nil at its end and after diverging.
    pub(crate) expected: NodeIndex,
    /// Reads that matched so far.
    cursor: u32,
    /// Length of the old list.
    len: u32,
    /// Where this run's part of the scratch list starts.
    from: u32,
    /// This run's stamp, nought until it needs one.
    stamp: u32,
    /// How much of the prefix bears the stamp.
    stamped: u32,
    diverged: bool,
}

/// What a finished run left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Captured {
    /// How many entries of the old list were read again.
    pub(crate) kept: u32,
    /// Whether entries must go or come.
    pub(crate) differs: bool,
    /// Where the new entries start in the scratch list.
    pub(crate) from: usize,
}

/// The runs in progress, innermost last.
#[derive(Debug)]
pub(crate) struct Capture {
    /// The innermost run.
    pub(crate) top: Frame,
    /// The runs around it.
    outer: Vec<Frame>,
    /// How many runs nest; with one of them there is nothing to put aside.
    depth: usize,
    /// Nodes read off the old path, for all runs in progress.
    pub(crate) scratch: Vec<NodeIndex>,
}

const IDLE: Frame = Frame {
    node: NodeIndex::NIL,
    expected: NodeIndex::NIL,
    cursor: 0,
    len: 0,
    from: 0,
    stamp: 0,
    stamped: 0,
    diverged: false,
};

/// A run reads fewer than 2^32 cogs.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a row has fewer than 2^27 dependencies, and runs nest less deep than 2^5 of those"
)]
fn scratch_len(scratch: &[NodeIndex]) -> u32 {
    scratch.len() as u32
}

impl Default for Capture {
    fn default() -> Self {
        Self {
            top: IDLE,
            outer: Vec::new(),
            depth: 0,
            scratch: Vec::new(),
        }
    }
}

impl Capture {
    /// Starts a run of `node`, inside the innermost one.
    #[inline]
    pub(crate) fn begin(&mut self, blocks: &Blocks, node: NodeIndex, list: &List) {
        let len = list.len();
        let expected = if len == 0 {
            NodeIndex::NIL
        } else {
            blocks.get(list, 0).node
        };
        if 0 < self.depth {
            self.outer.push(self.top);
        }
        self.depth += 1;
        self.top = Frame {
            node,
            expected,
            len,
            from: scratch_len(&self.scratch),
            ..IDLE
        };
    }

    /// Ends the innermost run. Its new entries stay in the scratch list until [`Self::done`].
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[inline]
    pub(crate) fn end(&mut self) -> Captured {
        let run = self.top;
        self.depth -= 1;
        if self.depth == 0 {
            (self.top.node, self.top.expected) = (NodeIndex::NIL, NodeIndex::NIL);
        } else {
            self.top = self.outer.pop().expect("a run around this one");
        }
        Captured {
            kept: run.cursor,
            differs: run.diverged || run.cursor != run.len,
            from: run.from as usize,
        }
    }

    /// Forgets the scratch entries of a run that has ended.
    pub(crate) fn done(&mut self, captured: Captured) {
        self.scratch.truncate(captured.from);
    }

    /// Records a read of `node` by the innermost run.
    #[inline]
    pub(crate) fn track(&mut self, nodes: &mut Nodes, blocks: &Blocks, node: NodeIndex) {
        if node == self.top.expected {
            self.advance(nodes, blocks);
        } else {
            self.track_off_path(nodes, blocks, node);
        }
    }

    /// The expected node was read: on to the next.
    #[inline]
    pub(crate) fn advance(&mut self, nodes: &Nodes, blocks: &Blocks) {
        let top = &mut self.top;
        top.cursor += 1;
        top.expected = if top.cursor < top.len {
            blocks.get(&nodes[top.node].dependencies, top.cursor).node
        } else {
            NodeIndex::NIL
        };
    }

    #[inline(never)]
    fn track_off_path(&mut self, nodes: &mut Nodes, blocks: &Blocks, node: NodeIndex) {
        let top = &mut self.top;
        let list = nodes[top.node].dependencies;
        if !top.diverged && top.cursor > 0 && blocks.get(&list, top.cursor - 1).node == node {
            return;
        }
        if top.stamp == 0 {
            top.stamp = nodes.new_stamp();
        }
        if !top.diverged {
            while top.stamped < top.cursor {
                nodes.stamp(blocks.get(&list, top.stamped).node, top.stamp);
                top.stamped += 1;
            }
        }
        if nodes.stamp(node, top.stamp) {
            return;
        }
        top.diverged = true;
        top.expected = NodeIndex::NIL;
        // Counted as read, so that nothing frees it before it is linked.
        nodes[node].cold_count += 1;
        self.scratch.push(node);
    }

    /// Whether no run is in progress.
    pub(crate) fn is_idle(&self) -> bool {
        self.depth == 0
    }

    /// Who runs, outermost first.
    pub(crate) fn running(&self) -> impl Iterator<Item = NodeIndex> {
        self.outer
            .iter()
            .map(|frame| frame.node)
            .chain((!self.is_idle()).then_some(self.top.node))
    }

    /// How many runs nest.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }
}
