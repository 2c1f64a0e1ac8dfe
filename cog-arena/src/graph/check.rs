//! Every invariant of the shape, as assertions.
//!
//! Takes: a graph at rest. Leaves: nothing, or a panic naming the broken
//! promise. Never: changes anything.

use crate::graph::columns::{Kind, Stratum};
use crate::graph::edges::Half;
use crate::graph::nodes::{Flags, Node};
use crate::graph::shape::Graph;
use crate::ids::{ColumnId, NodeIndex, Row, bits_of};

impl Graph {
    /// Panics at the first broken promise. O(rows + edges).
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    pub(crate) fn check(&self) {
        assert!(
            self.capture.is_idle() && self.capture.scratch.is_empty(),
            "nothing runs between turns"
        );
        assert!(
            self.loose.is_empty() && self.warming.is_empty(),
            "nothing is left half linked"
        );
        assert!(self.pending.marked.is_empty(), "every mark was passed on");
        assert!(
            self.pending.touched.is_empty(),
            "check bits of eager columns died with the turn"
        );
        assert!(
            self.pending.first.is_empty() && self.pending.second.is_empty(),
            "eager columns are settled"
        );
        let mut cold_counts = vec![0_u32; self.nodes.len()];
        for (at, node) in self.nodes.live() {
            self.check_dependencies(at, node, &mut cold_counts);
            self.check_consumers(at, node);
            self.check_flags(at, node);
        }
        for (at, node) in self.nodes.live() {
            assert_eq!(
                node.cold_count,
                cold_counts[at.index()],
                "a producer counts its cold consumers"
            );
        }
        for (chunk, head) in self.rows.all() {
            for offset in bits_of(head.noded) {
                let row = Row::of(chunk, offset);
                assert_eq!(
                    self.nodes[self.rows.node(row)].row,
                    row,
                    "a row's node names the row"
                );
            }
        }
        for (id, column) in self.columns.iter() {
            self.check_column(id);
            assert!(!column.touched, "a touched column is listed");
        }
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    fn check_dependencies(&self, at: NodeIndex, node: &Node, cold_counts: &mut [u32]) {
        let cold = node.flags.any(Flags::COLD);
        for i in 0..node.dependencies.len() {
            let half = self.blocks.get(&node.dependencies, i);
            let producer = &self.nodes[half.node];
            assert!(!producer.row.is_nil(), "a dependency leads to a live row");
            assert_eq!(
                half.back == Half::COLD,
                cold,
                "a row is hot or cold with all its dependencies"
            );
            if cold {
                cold_counts[half.node.index()] += 1;
                continue;
            }
            let back = self.blocks.get(&producer.consumers, half.back);
            assert_eq!(
                (back.node, back.back),
                (at, i),
                "a producer lists its hot consumer"
            );
            assert!(
                !producer.flags.any(Flags::COLD),
                "what a hot row reads is hot"
            );
        }
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    fn check_consumers(&self, at: NodeIndex, node: &Node) {
        for i in 0..node.consumers.len() {
            let half = self.blocks.get(&node.consumers, i);
            let consumer = &self.nodes[half.node];
            let back = self.blocks.get(&consumer.dependencies, half.back);
            assert_eq!(
                (back.node, back.back),
                (at, i),
                "a consumer lists its producer"
            );
            if node.flags.any(Flags::MARKED) {
                let excused = Flags::MARKED.with(Flags::STALE);
                assert!(
                    consumer.flags.any(excused),
                    "readers of a marked row are marked"
                );
            }
        }
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    fn check_flags(&self, at: NodeIndex, node: &Node) {
        assert!(!node.flags.any(Flags::BUSY), "nothing runs between turns");
        if !node.flags.any(Flags::TRACKED) {
            assert!(node.dependencies.len() == 0, "an anchor reads nothing");
            assert!(!node.flags.any(Flags::COLD), "an anchor is never cold");
            return;
        }
        let needed = Flags::ROOT.with(Flags::OUTS).with(Flags::REACTION);
        if node.consumers.len() == 0 && !node.flags.any(needed) {
            assert!(
                node.flags.any(Flags::COLD),
                "a row that nothing hot needs is cold"
            );
        }
        if node.flags.any(needed) {
            assert!(!node.flags.any(Flags::COLD), "a needed row is hot");
        }
        if node.flags.any(Flags::ROOT) && node.flags.any(Flags::MARKED) {
            assert!(
                self.pending.roots.contains(&at),
                "a marked root waits to be pulled"
            );
        }
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    fn check_column(&self, id: ColumnId) {
        let column = &self.columns[id];
        let wanted = self.is_wanted(id);
        assert_eq!(
            column.eager,
            wanted && column.kind != Kind::Source,
            "a column is eager while something asks for it"
        );
        let eager = column
            .outputs
            .iter()
            .filter(|output| self.columns[output.column].eager);
        assert_eq!(
            column.eager_count as usize,
            eager.count(),
            "a column counts its eager outputs"
        );
        for input in &column.inputs {
            let above = &self.columns[input.column];
            assert!(
                above.outputs.iter().any(|output| output.column == id),
                "an input lists its dependant"
            );
            assert!(
                !column.below || above.marks,
                "marks pass to a column that something tracked reads"
            );
        }
        if column.kind != Kind::Declared {
            return;
        }
        if column.stratum != Stratum::Lazy {
            assert!(
                column.dirty.is_empty(),
                "an eager column has nothing pending"
            );
        }
        if column.anchored && column.stratum == Stratum::Lazy {
            assert!(
                column.below,
                "marks pass through a lazy column that is read"
            );
        }
        self.check_whole(id);
        column.check.for_each(|chunk, mask| {
            for offset in bits_of(mask) {
                let row = self.row_at(id, chunk, offset);
                let node = if row.is_nil() {
                    NodeIndex::NIL
                } else {
                    self.rows.node(row)
                };
                let marked = node.is_nil()
                    || !self.nodes[node].is_read()
                    || self.nodes[node].flags.any(Flags::CHECK);
                assert!(marked, "the anchor of a row to check is marked");
            }
        });
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    fn check_whole(&self, id: ColumnId) {
        let column = &self.columns[id];
        let Some(whole) = &column.whole else { return };
        let [input] = column.inputs.as_slice() else {
            panic!("what depends on a family as a whole has one input");
        };
        let family = &self.columns[input.column];
        assert!(
            column.is_lane() && !input.shared && !family.is_lane() && family.folded,
            "a keyless cog depends on a family as a whole, which knows it"
        );
        let failed = self.rows[column.lane.chunk()].failed & column.lane.bit() != 0;
        let waits = column.check.word(0) != 0 || column.dirty.word(0) != 0;
        if column.stratum != Stratum::Lazy {
            assert!(
                failed || whole.moved.is_empty(),
                "an eager fold has looked at what moved"
            );
            return;
        }
        let known = self.rows[column.lane.chunk()].known & column.lane.bit() != 0;
        assert!(
            !known || failed || waits || whole.moved.is_empty(),
            "a fold with rows to look at is dirty"
        );
        if column.below && family.kind == Kind::Declared {
            family.check.for_each(|chunk, mask| {
                let members = self.bound(input.column, chunk);
                let missing = mask & members & !whole.check.word(chunk);
                assert!(missing == 0, "a fold is to check what is to check above it");
                assert!(
                    failed || waits || mask & members == 0,
                    "and so is its own row"
                );
            });
        }
    }
}
