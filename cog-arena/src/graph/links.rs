//! Linking: how dependencies come and go, and how rows turn hot and cold.
//!
//! Takes: what a run captured. Leaves: both ends of every dependency in
//! agreement. Never: marks or runs anything.
//!
//! A hot consumer is listed by its producers, so marks reach it. A cold one
//! only counts at them and is pulled by revision stamps. A tracked row turns
//! hot with its first hot consumer, and cold with the last one gone.

use crate::graph::capture::Captured;
use crate::graph::edges::{Half, List};
use crate::graph::nodes::Flags;
use crate::graph::shape::Graph;
use crate::ids::{NodeIndex, Revision};

impl Graph {
    /// Makes the dependencies of `node` those of its last run.
    #[inline]
    pub(crate) fn relink(&mut self, node: NodeIndex, captured: Captured) {
        if captured.differs {
            self.relink_changed(node, captured, captured.kept);
        }
    }

    /// As [`Self::relink`], after a run that failed: what the last completed run read stays, in front. The run may have
    /// failed before it came to read it, and would hear of nothing.
    #[cold]
    #[inline(never)]
    pub(crate) fn relink_failed(&mut self, node: NodeIndex, captured: Captured) {
        let len = self.nodes[node].dependencies.len();
        let completed = *self.completed.entry(node).or_insert(len);
        if captured.differs {
            self.relink_changed(node, captured, captured.kept.max(completed));
        }
    }

    /// Forgets what `node` read.
    pub(crate) fn forget_reads(&mut self, node: NodeIndex) {
        self.completed.remove(&node);
        self.drop_dependencies(node, 0);
    }

    #[inline(never)]
    fn relink_changed(&mut self, node: NodeIndex, captured: Captured, kept: u32) {
        // A nested run may have stamped over this one's stamps: tell duplicates again.
        let stamp = self.nodes.new_stamp();
        for at in 0..kept {
            let read = self.blocks.get(&self.nodes[node].dependencies, at).node;
            self.nodes.stamp(read, stamp);
        }
        self.drop_dependencies(node, kept);
        for at in captured.from..self.capture.scratch.len() {
            let read = self.capture.scratch[at];
            self.nodes[read].cold_count -= 1;
            if !self.nodes.stamp(read, stamp) {
                self.add_dependency(node, read);
            }
        }
        self.capture.done(captured);
        self.sweep_loose();
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    fn add_dependency(&mut self, consumer: NodeIndex, producer: NodeIndex) {
        assert!(
            consumer != producer,
            "a row that reads itself fails before it is linked"
        );
        let (reader, read) = self.nodes.pair(consumer, producer);
        let half = Half {
            node: producer,
            back: Half::COLD,
        };
        let at = self.blocks.push(&mut reader.dependencies, half);
        if reader.flags.any(Flags::COLD) {
            read.cold_count += 1;
            return;
        }
        let back = self.blocks.push(
            &mut read.consumers,
            Half {
                node: consumer,
                back: at,
            },
        );
        self.blocks.set_back(&mut reader.dependencies, at, back);
        if read.flags.any(Flags::COLD) {
            self.warm(producer);
        }
    }

    /// Drops all dependencies of `node` from position `kept` on. Producers that
    /// nothing may need any more wait in `loose` until [`Self::sweep_loose`].
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    fn drop_dependencies(&mut self, node: NodeIndex, kept: u32) {
        while kept < self.nodes[node].dependencies.len() {
            let mut list = self.nodes[node].dependencies;
            let half = self
                .blocks
                .pop(&mut list)
                .expect("the list is longer than what is kept");
            self.nodes[node].dependencies = list;
            if half.back == Half::COLD {
                self.nodes[half.node].cold_count -= 1;
            } else {
                self.drop_consumer(half.node, half.back);
            }
            self.loose.push(half.node);
        }
    }

    fn drop_consumer(&mut self, producer: NodeIndex, at: u32) {
        let mut list: List = self.nodes[producer].consumers;
        let moved = self.blocks.swap_remove(&mut list, at);
        self.nodes[producer].consumers = list;
        if let Some(moved) = moved {
            self.blocks
                .set_back(&mut self.nodes[moved.node].dependencies, moved.back, at);
        }
    }

    /// Lets rows go that lost their last consumer: tracked ones turn cold, anchors of rows without a value go.
    #[inline]
    pub(crate) fn sweep_loose(&mut self) {
        if !self.loose.is_empty() {
            self.sweep();
        }
    }

    #[cold]
    #[inline(never)]
    fn sweep(&mut self) {
        while let Some(at) = self.loose.pop() {
            let node = &self.nodes[at];
            if node.flags.any(Flags::TRACKED) {
                let needed = Flags::ROOT
                    .with(Flags::OUTS)
                    .with(Flags::COLD)
                    .with(Flags::REACTION);
                if node.consumers.len() == 0 && !node.flags.any(needed) {
                    self.cool(at);
                }
            } else if !node.is_read()
                && !node.row.is_nil()
                && !node.flags.any(Flags::HELD)
                && !self.rows.is_present(node.row)
            {
                self.free_node(at);
            }
        }
    }

    /// Frees a node that nothing reads; its row may live on without one.
    pub(crate) fn free_node(&mut self, at: NodeIndex) {
        let node = &mut self.nodes[at];
        let row = node.row;
        self.blocks.free(&mut node.dependencies);
        self.blocks.free(&mut node.consumers);
        self.nodes.remove(at);
        self.rows.clear_node(row);
        self.unread.push(row);
    }

    /// Lists a cold row, and the cold rows it reads, at what they read. What
    /// isn't known to be clean starts as "to check".
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    pub(crate) fn warm(&mut self, first: NodeIndex) {
        let from = self.warming.len();
        self.warming.push(first);
        while from < self.warming.len() {
            let at = self.warming.pop().expect("something is left to warm");
            let flags = self.nodes[at].flags;
            if !flags.any(Flags::COLD) {
                continue;
            }
            let known = self.changed <= self.nodes[at].verified_at || flags.any(Flags::MARKED);
            let check = if known { Flags::NONE } else { Flags::CHECK };
            self.nodes[at].flags = flags.without(Flags::COLD).with(check);
            for i in 0..self.nodes[at].dependencies.len() {
                let producer = self.blocks.get(&self.nodes[at].dependencies, i).node;
                let (reader, read) = self.nodes.pair(at, producer);
                let back = self
                    .blocks
                    .push(&mut read.consumers, Half { node: at, back: i });
                read.cold_count -= 1;
                self.blocks.set_back(&mut reader.dependencies, i, back);
                if read.flags.any(Flags::COLD) {
                    self.warming.push(producer);
                }
            }
        }
    }

    /// Takes a hot row out of its producers' lists. Those that lose their last hot consumer wait in `loose`.
    pub(crate) fn cool(&mut self, at: NodeIndex) {
        let flags = self.nodes[at].flags;
        self.nodes[at].flags = flags.without(Flags::CHECK).with(Flags::COLD);
        if !flags.any(Flags::MARKED.with(Flags::STALE)) {
            // An unmarked hot row is clean: so far, or for good once no column can move any more in this turn.
            let since = u64::from(!self.pending.first.is_empty());
            let node = &mut self.nodes[at];
            node.verified_at = node
                .verified_at
                .max(Revision(self.revision.0.saturating_sub(since)));
        }
        for i in 0..self.nodes[at].dependencies.len() {
            let half = self.blocks.get(&self.nodes[at].dependencies, i);
            debug_assert!(
                half.back != Half::COLD,
                "a hot row is listed by what it reads"
            );
            self.drop_consumer(half.node, half.back);
            self.blocks
                .set_back(&mut self.nodes[at].dependencies, i, Half::COLD);
            self.nodes[half.node].cold_count += 1;
            self.loose.push(half.node);
        }
    }
}
