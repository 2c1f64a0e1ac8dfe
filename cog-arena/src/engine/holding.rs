//! Holding families as wholes: every row that can be comes to life.
//!
//! Takes: columns. Leaves: them eager, with their rows queued to be run.
//! Never: runs them.

use crate::engine::state::Engine;
use crate::graph::columns::Kind;
use crate::graph::nodes::Flags;
use crate::handle::Held;
use crate::ids::{ColumnId, KeyRow, Row, bits_of};
use crate::turn::host::Host;

impl Engine {
    /// Takes a hold; what it needs is queued to be run.
    pub(crate) fn hold(&mut self, held: Held) {
        match held {
            Held::Row(row) => self.hold_row(row),
            Held::Column(column) => self.hold_column(column),
            Held::Source => {}
        }
    }

    /// All rows of a family that is held from now on are news.
    pub(crate) fn note_hold(&mut self, held: Held) {
        if let Held::Column(column) = held
            && self.graph.columns[column].hold_count == 1
        {
            self.graph.note_all(column);
        }
    }

    /// Takes the holds that were asked for while the turn was being written. Not then: what is held is taken for settled by
    /// whoever reads it.
    #[cold]
    #[inline(never)]
    pub(crate) fn take_holds_to_come(&mut self) {
        for held in std::mem::take(&mut self.holds_to_come) {
            self.hold(held);
            self.note_hold(held);
        }
    }

    /// Holds a column as a whole.
    fn hold_column(&mut self, id: ColumnId) {
        let column = &mut self.graph.columns[id];
        column.hold_count += 1;
        if column.hold_count == 1 {
            self.graph.flag_nodes(id, Flags::PUBLISHED, true);
        }
        self.ensure_eager(id);
    }

    /// Lets a column go.
    pub(crate) fn let_column_go(&mut self, id: ColumnId) {
        let column = &mut self.graph.columns[id];
        column.hold_count -= 1;
        if column.hold_count == 0 {
            column.moved.take(|_, _| {});
            self.graph.flag_nodes(id, Flags::PUBLISHED, false);
            self.graph.drop_eager(id);
        }
    }

    /// Makes a column eager, and what is declared above it; rows that can be come to life.
    pub(crate) fn ensure_eager(&mut self, id: ColumnId) {
        for id in self.graph.make_eager(id) {
            self.wake_column(id);
        }
    }

    /// Whether eager rows are made of this total source's rows, so that every member needs one.
    pub(crate) fn is_needed_everywhere(&self, id: ColumnId) -> bool {
        let column = &self.graph.columns[id];
        column.kind == Kind::Source && column.total && column.eager_count > 0
    }

    /// Makes a total source's row with its first value; whether it wasn't there.
    pub(crate) fn ensure_first(&mut self, id: ColumnId, key: KeyRow) -> bool {
        if self.graph.present(id, false, key.chunk()) & key.bit() != 0 {
            return false;
        }
        let made = self.materialise(id, key);
        let there = made.is_ok();
        if let Err(panic) = made {
            self.state.keep(panic);
        }
        there
    }

    fn ensure_firsts(&mut self, id: ColumnId) {
        for at in 0..self.graph.columns[id].inputs.len() {
            let above = self.graph.columns[id].inputs[at].column;
            if !self.is_needed_everywhere(above) {
                continue;
            }
            #[expect(clippy::cast_possible_truncation, reason = "chunk numbers fit 26 bits")]
            let chunk_count =
                self.graph.spaces[self.graph.columns[above].space.index()].chunk_count as u32;
            for chunk in 0..chunk_count {
                for offset in bits_of(self.members(above, chunk)) {
                    self.ensure_first(above, KeyRow::new(chunk << 6 | offset));
                }
            }
        }
    }

    /// Rows of an eager column that can be, and never were, are to be run.
    pub(crate) fn wake_column(&mut self, id: ColumnId) {
        self.ensure_firsts(id);
        if self.graph.columns[id].is_lane() {
            self.wake_lane(id);
            return;
        }
        for chunk in self.graph.chunk_range(id) {
            self.wake_chunk(id, chunk);
        }
    }

    fn wake_lane(&mut self, id: ColumnId) {
        let column = &mut self.graph.columns[id];
        if column.kind == Kind::Declared
            && self.graph.rows[column.lane.chunk()].known & column.lane.bit() == 0
        {
            column.dirty.or(0, 1);
        }
    }

    fn wake_chunk(&mut self, id: ColumnId, chunk: u32) {
        let column = &self.graph.columns[id];
        let (store, tracked) = (column.store, column.kind == Kind::Tracked);
        // Of what failed before there was an eager column below, the failure is to be handed on.
        let possible = self.graph.available(id, chunk) | self.graph.blocked(id, chunk);
        let possible = possible & self.graph.bound(id, chunk);
        let at = self.graph.rows.chunk(store, chunk);
        let new = match at.is_nil() {
            true => possible,
            false if tracked => self.graph.untracked(at, possible),
            false => possible & !self.graph.rows[at].known,
        };
        if new == 0 {
            return;
        }
        if !tracked {
            self.wake_declared(id, chunk, new);
            return;
        }
        let recipe = self.graph.columns[id].recipe;
        let at = self.ensure_chunk(store, chunk);
        for offset in bits_of(new) {
            let node = self.graph.ensure_tracked(Row::of(at, offset), recipe);
            self.graph.pending.roots.push(node);
        }
    }

    /// Rows of an eager declared column are to be run for the first time.
    pub(crate) fn wake_declared(&mut self, id: ColumnId, chunk: u32, mask: u64) {
        let at = self.ensure_chunk(self.graph.columns[id].store, chunk);
        let head = &self.graph.rows[at];
        let mask = mask & !head.known;
        self.graph.columns[id].dirty.or(chunk, mask);
        self.graph.enqueue(id);
    }

    /// Members among the keys of a chunk.
    pub(crate) fn members(&self, id: ColumnId, chunk: u32) -> u64 {
        self.graph.spaces[self.graph.columns[id].space.index()].members(chunk)
    }
}
