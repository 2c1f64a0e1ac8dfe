//! The rank queue: which columns have something to settle, lowest rank first.
//!
//! Takes: columns, whose number is their rank (a column is declared after its
//! inputs). Leaves: each once. Never: looks at a row.

use crate::ids::ColumnId;

/// A bitset over ranks with one slot in front, so that a chain of columns,
/// each waking the next, never touches the bitset.
#[derive(Debug)]
pub(crate) struct Queue {
    front: ColumnId,
    lowest: ColumnId,
    words: Vec<u64>,
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            front: ColumnId::NIL,
            lowest: ColumnId::NIL,
            words: Vec::new(),
        }
    }
}

impl Queue {
    /// Adds `column`; a column that is in already stays in once.
    #[inline]
    pub(crate) fn push(&mut self, column: ColumnId) {
        if self.front == column {
            return;
        }
        if column >= self.lowest {
            self.set(column);
        } else if self.front.is_nil() {
            self.front = column;
        } else if column < self.front {
            let later = std::mem::replace(&mut self.front, column);
            self.set(later);
        } else {
            self.set(column);
        }
    }

    #[inline(never)]
    fn set(&mut self, column: ColumnId) {
        let at = column.index() >> 6;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        self.words[at] |= 1 << (column.index() & 63);
        self.lowest = self.lowest.min(column);
    }

    /// Takes the column of the lowest rank.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<ColumnId> {
        let front = self.front;
        if !front.is_nil() {
            self.front = ColumnId::NIL;
            return Some(front);
        }
        let lowest = self.lowest;
        if lowest.is_nil() {
            return None;
        }
        let mut at = lowest.index() >> 6;
        self.words[at] &= self.words[at] - 1;
        while at < self.words.len() && self.words[at] == 0 {
            at += 1;
        }
        self.lowest = match self.words.get(at) {
            Some(word) => ColumnId::at(at << 6 | word.trailing_zeros() as usize),
            None => ColumnId::NIL,
        };
        Some(lowest)
    }

    /// Whether no column waits.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.front.is_nil() && self.lowest.is_nil()
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::queue::Queue;
    use crate::ids::ColumnId;

    #[test]
    fn columns_leave_by_rank_and_once() {
        let mut queue = Queue::default();
        for rank in [200, 3, 70, 3, 200, 1, 64] {
            queue.push(ColumnId::new(rank));
        }
        assert_eq!(queue.pop(), Some(ColumnId::new(1)));
        queue.push(ColumnId::new(2));
        let rest: Vec<_> = std::iter::from_fn(|| queue.pop())
            .map(ColumnId::raw)
            .collect();
        assert_eq!(rest, [2, 3, 64, 70, 200]);
        assert!(queue.is_empty());
    }
}
