//! Eager and lazy: which columns settle in every turn, and which take marks.
//!
//! Takes: holds of columns as wholes, first tracked reads. Leaves: strata,
//! flags, and everything pending queued where it belongs. Never: runs anything.

use rustc_hash::FxHashSet;

use crate::graph::columns::{Column, Kind, Stratum};
use crate::graph::nodes::Flags;
use crate::graph::shape::Graph;
use crate::ids::{ColumnId, NodeIndex, RecipeId, Row, bits_of};

impl Graph {
    /// Whether nothing tracked lies above (upstream of) the column.
    fn is_pure(&self, column: &Column) -> bool {
        column.kind == Kind::Declared
            && column
                .inputs
                .iter()
                .all(|input| self.columns[input.column].stratum == Stratum::First)
    }

    /// Whether a hold or an eager dependant asks for the column to be eager.
    pub(crate) fn is_wanted(&self, id: ColumnId) -> bool {
        let column = &self.columns[id];
        column.hold_count > 0
            || column.eager_count > 0
            || column.narrow.is_some()
            || self.is_held_lane(id)
    }

    /// Whether a keyless declared cog is held that settles before anything tracked.
    pub(crate) fn is_held_lane(&self, id: ColumnId) -> bool {
        let column = &self.columns[id];
        if !column.is_lane() || column.kind != Kind::Declared || column.stratum != Stratum::First {
            return false;
        }
        let node = self.rows.node(column.lane);
        !node.is_nil() && self.nodes[node].flags.any(Flags::HELD)
    }

    /// Whether holding the keyless cog alone is as good as holding its column
    /// as a whole: it is declared, and so is all above it.
    pub(crate) fn is_pure_lane(&self, first: ColumnId) -> bool {
        if !self.columns[first].is_lane() {
            return false;
        }
        let mut waiting = vec![first];
        let mut seen = FxHashSet::default();
        while let Some(id) = waiting.pop() {
            let column = &self.columns[id];
            if column.stratum == Stratum::First {
                continue;
            }
            if column.kind != Kind::Declared {
                return false;
            }
            if seen.insert(id) {
                waiting.extend(column.inputs.iter().map(|input| input.column));
            }
        }
        true
    }

    /// Makes a column and everything declared above it eager. Returns those that were not, by rank.
    pub(crate) fn make_eager(&mut self, first: ColumnId) -> Vec<ColumnId> {
        let mut waiting = vec![first];
        let mut found = Vec::new();
        while let Some(id) = waiting.pop() {
            let column = &self.columns[id];
            if column.eager || column.kind == Kind::Source {
                continue;
            }
            waiting.extend(column.inputs.iter().map(|input| input.column));
            self.columns.set_eager(id, true);
            found.push(id);
        }
        found.sort_unstable();
        for &id in &found {
            let first = self.is_pure(&self.columns[id]);
            let column = &mut self.columns[id];
            column.stratum = if first {
                Stratum::First
            } else {
                Stratum::Second
            };
            if column.kind == Kind::Tracked {
                column.check.take(|_, _| {});
                self.each_node(id, |graph, node| graph.make_root(node));
                continue;
            }
            self.touch_if_below(id);
            self.enqueue(id);
        }
        found
    }

    /// Takes eagerness back where neither a hold nor an eager dependant asks for it.
    pub(crate) fn drop_eager(&mut self, first: ColumnId) {
        let mut waiting = vec![first];
        while let Some(id) = waiting.pop() {
            let column = &self.columns[id];
            if !column.eager || self.is_wanted(id) {
                continue;
            }
            waiting.extend(column.inputs.iter().map(|input| input.column));
            self.columns.set_eager(id, false);
            let column = &mut self.columns[id];
            column.stratum = Stratum::Lazy;
            if column.kind == Kind::Tracked {
                column.check.take(|_, _| {});
                self.each_node(id, Self::drop_root);
            } else if column.anchored || column.marks {
                // Until now it settled before anything tracked and took no
                // marks. Nothing is pending in it now, so nothing is to check.
                column.below = true;
                for at in 0..self.columns[id].inputs.len() {
                    let above = self.columns[id].inputs[at].column;
                    self.columns[above].marks = true;
                }
            }
        }
        self.sweep_loose();
    }

    fn each_node(&mut self, column: ColumnId, mut each: impl FnMut(&mut Self, NodeIndex)) {
        let column = &self.columns[column];
        if column.is_lane() {
            let node = self.rows.node(column.lane);
            if !node.is_nil() {
                each(self, node);
            }
            return;
        }
        let store = column.store;
        for local in 0..self.rows.chunks(store).len() {
            let chunk = self.rows.chunks(store)[local];
            if chunk.is_nil() {
                continue;
            }
            for offset in bits_of(self.rows[chunk].noded) {
                let node = self.rows.node(Row::of(chunk, offset));
                if self.nodes[node].flags.any(Flags::TRACKED) {
                    each(self, node);
                }
            }
        }
    }

    /// Gives the nodes of a column that was reserved their function.
    pub(crate) fn define_nodes(&mut self, column: ColumnId, recipe: RecipeId) {
        let inputs = !self.columns[column].inputs.is_empty();
        self.each_node(column, |graph, node| {
            let node = &mut graph.nodes[node];
            node.recipe = recipe;
            node.flags = if inputs {
                node.flags.with(Flags::INS)
            } else {
                node.flags
            };
        });
    }

    /// Sets or clears a flag of a tracked column's nodes.
    pub(crate) fn flag_nodes(&mut self, column: ColumnId, flag: Flags, set: bool) {
        if self.columns[column].kind != Kind::Tracked {
            return;
        }
        self.each_node(column, |graph, node| {
            let flags = graph.nodes[node].flags;
            graph.nodes[node].flags = if set {
                flags.with(flag)
            } else {
                flags.without(flag)
            };
        });
    }

    /// Makes a node one that is pulled in every turn that marks it, and once now.
    pub(crate) fn make_root(&mut self, node: NodeIndex) {
        self.nodes[node].flags = self.nodes[node].flags.with(Flags::ROOT);
        self.warm(node);
        self.pending.roots.push(node);
    }

    /// Takes that back, unless the row is held by itself or its column as a whole.
    pub(crate) fn drop_root(&mut self, node: NodeIndex) {
        let flags = self.nodes[node].flags;
        if flags.any(Flags::HELD) || self.is_eager_row(node) {
            return;
        }
        self.nodes[node].flags = flags.without(Flags::ROOT);
        self.loose.push(node);
    }

    fn is_eager_row(&self, node: NodeIndex) -> bool {
        let column = self.column_of(self.nodes[node].row);
        !column.is_nil() && self.columns[column].eager && self.columns[column].kind == Kind::Tracked
    }

    /// Queues an eager column; a lazy one waits until it is read.
    #[inline]
    pub(crate) fn enqueue(&mut self, id: ColumnId) {
        self.enqueue_in(self.columns[id].stratum, id);
    }

    /// As [`Self::enqueue`], where the column's stratum is at hand.
    #[inline]
    pub(crate) fn enqueue_in(&mut self, stratum: Stratum, id: ColumnId) {
        match stratum {
            Stratum::First => self.pending.first.push(id),
            Stratum::Second => self.pending.second.push(id),
            Stratum::Lazy => {}
        }
    }

    /// First tracked (or outside) read of a column: from now on marks pass
    /// through it and all declared columns above it. Whatever may be pending
    /// there now is unknown, so every row starts as "to check".
    #[inline]
    pub(crate) fn flip(&mut self, first: ColumnId) {
        let column = &self.columns[first];
        if column.kind == Kind::Declared && !column.below && column.stratum != Stratum::First {
            self.flip_all(first);
        }
    }

    #[cold]
    fn flip_all(&mut self, first: ColumnId) {
        let mut waiting = vec![first];
        while let Some(id) = waiting.pop() {
            let column = &self.columns[id];
            if column.kind != Kind::Declared || column.below || column.stratum == Stratum::First {
                continue;
            }
            self.columns[id].below = true;
            for at in 0..self.columns[id].inputs.len() {
                let above = self.columns[id].inputs[at].column;
                self.columns[above].marks = true;
                waiting.push(above);
            }
            self.fill_check(id);
            self.touch(id);
        }
    }

    fn fill_check(&mut self, id: ColumnId) {
        if self.columns[id].is_lane() {
            self.columns[id].check.or(0, 1);
            self.fill_whole(id);
            return;
        }
        for local in self.chunk_range(id) {
            self.columns[id].check.or(local, u64::MAX);
        }
    }

    /// Every row of the family on which a keyless cog depends as a whole may have moved.
    pub(crate) fn fill_whole(&mut self, id: ColumnId) {
        if self.columns[id].whole.is_none() {
            return;
        }
        let family = self.columns[id].inputs[0].column;
        let chunks = self.key_chunks(family);
        if let Some(whole) = &mut self.columns[id].whole {
            for chunk in chunks {
                whole.check.or(chunk, u64::MAX);
            }
        }
    }

    /// The local chunks in which a column may have rows: those of its driver, or all of its key space.
    pub(crate) fn chunk_range(&self, id: ColumnId) -> std::ops::Range<u32> {
        let column = &self.columns[id];
        let count = match column.driver() {
            Some(driver) => self.rows.chunks(self.columns[driver].store).len(),
            None => self.spaces[column.space.index()].chunk_count,
        };
        #[expect(clippy::cast_possible_truncation, reason = "chunk numbers fit 26 bits")]
        let count = count.max(self.rows.chunks(column.store).len()) as u32;
        0..count
    }

    /// The local chunks of all keys of a family.
    pub(crate) fn key_chunks(&self, id: ColumnId) -> std::ops::Range<u32> {
        let count = self.spaces[self.columns[id].space.index()].chunk_count;
        #[expect(clippy::cast_possible_truncation, reason = "chunk numbers fit 26 bits")]
        let count = count as u32;
        0..count
    }

    /// Remembers that an eager column's check bits die with the turn.
    pub(crate) fn touch(&mut self, id: ColumnId) {
        let column = &mut self.columns[id];
        if column.eager && !column.touched {
            column.touched = true;
            self.pending.touched.push(id);
        }
    }

    fn touch_if_below(&mut self, id: ColumnId) {
        if self.columns[id].below {
            self.touch(id);
        }
    }
}
