//! Two-level bitsets: one word per chunk of 64 rows, one summary bit per word.
//!
//! Takes: row masks. Leaves: them, until taken, in ascending order. Never:
//! shrinks, and never allocates for a column of one chunk: word 0 lies inline.

/// A set of rows of one column. A summary bit is set where a word may be.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    first: u64,
    words: Vec<u64>,
    summary: Vec<u64>,
}

impl Bits {
    /// Adds the rows `mask` of `chunk`. Allocates only beyond the highest chunk ever set.
    #[inline]
    pub(crate) fn or(&mut self, chunk: u32, mask: u64) {
        self.add(chunk, mask);
    }

    /// As [`Self::or`]; which of the rows were not in the set before.
    #[inline]
    pub(crate) fn add(&mut self, chunk: u32, mask: u64) -> u64 {
        if chunk == 0 {
            let new = mask & !self.first;
            self.first |= mask;
            return new;
        }
        let at = chunk as usize;
        let Some(word) = self.words.get_mut(at) else {
            return self.add_beyond(at, mask);
        };
        let new = mask & !*word;
        *word |= mask;
        self.summary[at >> 6] |= 1 << (at & 63);
        new
    }

    #[cold]
    fn add_beyond(&mut self, at: usize, mask: u64) -> u64 {
        self.grow(at);
        self.words[at] = mask;
        self.summary[at >> 6] |= 1 << (at & 63);
        mask
    }

    fn grow(&mut self, at: usize) {
        let len = (at + 1).next_power_of_two().max(64);
        self.words.resize(len, 0);
        self.summary.resize(len.div_ceil(64), 0);
    }

    /// The rows of `chunk` in the set.
    #[inline]
    pub(crate) fn word(&self, chunk: u32) -> u64 {
        if chunk == 0 {
            return self.first;
        }
        self.words.get(chunk as usize).copied().unwrap_or(0)
    }

    /// Takes the rows `mask` of `chunk` out. A summary bit may stay behind; that is harmless.
    #[inline]
    pub(crate) fn clear(&mut self, chunk: u32, mask: u64) {
        if chunk == 0 {
            self.first &= !mask;
        } else if let Some(word) = self.words.get_mut(chunk as usize) {
            *word &= !mask;
        }
    }

    /// Takes the rows of chunk 0 out.
    #[inline]
    pub(crate) fn take_first(&mut self) -> u64 {
        std::mem::take(&mut self.first)
    }

    /// Takes everything out, in ascending order.
    #[inline]
    pub(crate) fn take(&mut self, mut each: impl FnMut(u32, u64)) {
        let first = std::mem::take(&mut self.first);
        if first != 0 {
            each(0, first);
        }
        for (group, summary) in self.summary.iter_mut().enumerate() {
            let mut left = std::mem::take(summary);
            while left != 0 {
                let at = group << 6 | left.trailing_zeros() as usize;
                left &= left - 1;
                let mask = std::mem::take(&mut self.words[at]);
                if mask != 0 {
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "chunk numbers fit 26 bits"
                    )]
                    each(at as u32, mask);
                }
            }
        }
    }

    /// Visits everything, in ascending order.
    pub(crate) fn for_each(&self, mut each: impl FnMut(u32, u64)) {
        let mut next = 0;
        while let Some((chunk, mask)) = self.next_from(next) {
            each(chunk, mask);
            next = chunk + 1;
        }
    }

    /// The first non-empty word at or after `chunk`.
    pub(crate) fn next_from(&self, chunk: u32) -> Option<(u32, u64)> {
        if chunk == 0 && self.first != 0 {
            return Some((0, self.first));
        }
        let mut at = (chunk as usize).max(1);
        while at < self.words.len() {
            let left = self.summary[at >> 6] >> (at & 63);
            if left == 0 {
                at = (at | 63) + 1;
                continue;
            }
            at += left.trailing_zeros() as usize;
            if self.words[at] != 0 {
                #[expect(clippy::cast_possible_truncation, reason = "chunk numbers fit 26 bits")]
                return Some((at as u32, self.words[at]));
            }
            at += 1;
        }
        None
    }

    /// Whether no row is in the set. O(chunks / 64) after many clears.
    pub(crate) fn is_empty(&self) -> bool {
        self.next_from(0).is_none()
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::bits::Bits;

    #[test]
    fn what_was_set_is_taken_once_in_order() {
        let mut bits = Bits::default();
        for (chunk, mask) in [(70, 1), (0, 6), (3, 1 << 63), (70, 2)] {
            bits.or(chunk, mask);
        }
        let mut seen = Vec::new();
        bits.for_each(|chunk, mask| seen.push((chunk, mask)));
        let mut taken = Vec::new();
        bits.take(|chunk, mask| taken.push((chunk, mask)));
        assert_eq!(taken, [(0, 6), (3, 1 << 63), (70, 3)]);
        assert_eq!(seen, taken);
        assert!(bits.is_empty());
    }

    #[test]
    fn a_cleared_row_is_not_taken() {
        let mut bits = Bits::default();
        bits.or(5, 3);
        bits.clear(5, 1);
        bits.clear(900, 1);
        assert_eq!(bits.word(5), 2);
        bits.clear(5, 2);
        assert!(bits.is_empty());
        bits.take(|_, _| panic!("nothing is left"));
    }
}
