//! What a host that holds something is told: rows that moved since the last release.
//!
//! Takes: rows that moved. Leaves: a bit for each row of a held family, a flag for each row held by itself. Never:
//! looks at a value.

use crate::graph::nodes::Flags;
use crate::graph::shape::Graph;
use crate::ids::{ColumnId, Item, NodeIndex, row_count};

impl Graph {
    /// Notes that rows of a column held as a whole moved, if they are members'.
    /// Rows that were only read are nobody's to publish; those of removed keys
    /// are noted when their key goes.
    /// Returns how many are noted.
    pub(crate) fn note_moves(&mut self, id: ColumnId, chunk: u32, mask: u64) -> u64 {
        let column = &self.columns[id];
        let noted = if column.is_lane() {
            mask
        } else {
            mask & self.spaces[column.space.index()].members(chunk)
        };
        let moved = &mut self.columns[id].moved;
        let new = noted & !moved.word(chunk);
        if new != 0 {
            moved.or(chunk, new);
            self.note_news(id);
        }
        row_count(new)
    }

    /// As [`Self::note_moves`], for many chunks of a family.
    pub(crate) fn note_words(&mut self, id: ColumnId, items: &[Item]) -> u64 {
        let column = &mut self.columns[id];
        let space = &self.spaces[column.space.index()];
        let mut count = 0;
        for item in items {
            let noted = item.mask & space.members(item.chunk);
            count += row_count(column.moved.add(item.chunk, noted));
        }
        if count != 0 {
            self.note_news(id);
        }
        count
    }

    /// Something of a column is to be forgotten at the next release.
    #[inline]
    fn note_news(&mut self, id: ColumnId) {
        self.pending.any_moved = true;
        if !std::mem::replace(&mut self.columns[id].is_news, true) {
            self.pending.moved_columns.push(id);
        }
    }

    /// Notes that rows of removed keys are gone.
    pub(crate) fn note_gone(&mut self, id: ColumnId, chunk: u32, mask: u64) -> u64 {
        let moved = &mut self.columns[id].moved;
        let new = mask & !moved.word(chunk);
        moved.or(chunk, new);
        self.note_news(id);
        row_count(new)
    }

    /// Notes all rows of a column that was just held: a host that holds it
    /// hears of what there is, then of what moves.
    pub(crate) fn note_all(&mut self, id: ColumnId) {
        let column = &self.columns[id];
        if column.is_lane() {
            return;
        }
        let store = column.store;
        // What went while it was being settled for the first time, nobody saw.
        self.columns[id].moved.take(|_, _| {});
        self.columns[id].fresh = true;
        self.note_news(id);
        for at in 0..self.rows.chunks(store).len() {
            let chunk = self.rows.chunks(store)[at];
            if !chunk.is_nil() {
                let head = &self.rows[chunk];
                let (local, present) = (head.local, head.present & !head.failed);
                self.note_moves(id, local, present);
            }
        }
    }

    /// Notes that a row moved that is held by itself; whether that is news.
    pub(crate) fn note_held_move(&mut self, at: NodeIndex) -> bool {
        let node = &mut self.nodes[at];
        let news = node.flags.any(Flags::HELD) && !node.flags.any(Flags::MOVED);
        if news {
            node.flags = node.flags.with(Flags::MOVED);
            self.pending.moved.push(at);
            self.pending.any_moved = true;
        }
        news
    }
}
