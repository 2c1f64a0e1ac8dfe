//! Tracked dependencies: half edges in power-of-two blocks, each seen from both ends.
//!
//! Takes: lists, which live in nodes. Leaves: their entries, dense and in
//! order. Never: follows an entry.
//!
//! A dependency is two halves: the consumer's half names the producer and the
//! position of the other half in the producer's list, and the other way round.
//! The first half of a list lies in the node itself, so a row with one input
//! and one reader has no edge memory at all; longer lists lie in blocks of 2,
//! 4, 8 … halves. Against a doubly linked pool this reads eight consecutive
//! bytes per dependency instead of a scattered record of 24.

use crate::ids::NodeIndex;

/// The other end of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Half {
    /// The node at the other end. In the head of a long list: where its block starts.
    pub(crate) node: NodeIndex,
    /// Position of the opposite half in the other node's list; [`Half::COLD`] if there is none.
    pub(crate) back: u32,
}

impl Half {
    /// A cold consumer keeps no back entry.
    pub(crate) const COLD: u32 = u32::MAX;
}

const LEN_BITS: u32 = 27;
const LEN_MASK: u32 = (1 << LEN_BITS) - 1;

/// A list of halves: the only one, or where the block lies; length and size class.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct List {
    head: Half,
    packed: u32,
}

impl List {
    /// A list without entries.
    pub(crate) const EMPTY: Self = Self {
        head: Half {
            node: NodeIndex::NIL,
            back: Half::COLD,
        },
        packed: 0,
    };

    /// How many halves there are.
    #[inline]
    pub(crate) const fn len(&self) -> u32 {
        self.packed & LEN_MASK
    }

    #[inline]
    const fn class(&self) -> u32 {
        self.packed >> LEN_BITS
    }
}

/// All blocks, and the free ones by size class.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    halves: Vec<Half>,
    free: Vec<Vec<u32>>,
}

impl Blocks {
    /// The half at `at` of `list`.
    #[inline]
    pub(crate) fn get(&self, list: &List, at: u32) -> Half {
        debug_assert!(at < list.len(), "the half is in the list");
        if list.class() == 0 {
            list.head
        } else {
            self.halves[list.head.node.index() + at as usize]
        }
    }

    #[inline]
    fn get_mut<'a>(&'a mut self, list: &'a mut List, at: u32) -> &'a mut Half {
        if list.class() == 0 {
            &mut list.head
        } else {
            &mut self.halves[list.head.node.index() + at as usize]
        }
    }

    /// Sets where the opposite half of entry `at` lies.
    #[inline]
    pub(crate) fn set_back(&mut self, list: &mut List, at: u32, back: u32) {
        self.get_mut(list, at).back = back;
    }

    /// Appends `half` and returns its position. Allocates only when no block of the size is free.
    pub(crate) fn push(&mut self, list: &mut List, half: Half) -> u32 {
        let len = list.len();
        if len == 1 << list.class() {
            self.grow(list);
        }
        list.packed += 1;
        *self.get_mut(list, len) = half;
        len
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[cold]
    fn grow(&mut self, list: &mut List) {
        let (len, class) = (list.len() as usize, list.class());
        assert!(class < LEN_BITS, "a row has fewer than 2^27 dependencies");
        let start = self.take(class + 1);
        if class == 0 {
            self.halves[start.index()] = list.head;
        } else {
            let from = list.head.node.index();
            self.halves.copy_within(from..from + len, start.index());
            self.give(class, list.head.node);
        }
        list.head = Half {
            node: start,
            back: Half::COLD,
        };
        list.packed += 1 << LEN_BITS;
    }

    fn take(&mut self, class: u32) -> NodeIndex {
        if let Some(start) = self.free.get_mut(class as usize).and_then(Vec::pop) {
            return NodeIndex::new(start);
        }
        let start = self.halves.len();
        self.halves.resize(start + (1 << class), List::EMPTY.head);
        NodeIndex::at(start)
    }

    fn give(&mut self, class: u32, start: NodeIndex) {
        if self.free.len() <= class as usize {
            self.free.resize(class as usize + 1, Vec::new());
        }
        self.free[class as usize].push(start.raw());
    }

    /// Takes the last half off.
    pub(crate) fn pop(&mut self, list: &mut List) -> Option<Half> {
        let last = list.len().checked_sub(1)?;
        let half = self.get(list, last);
        list.packed -= 1;
        Some(half)
    }

    /// Takes the half at `at` out; the last one fills its place and is returned if it moved.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    pub(crate) fn swap_remove(&mut self, list: &mut List, at: u32) -> Option<Half> {
        let last = self.pop(list).expect("the half is in the list");
        if at == list.len() {
            return None;
        }
        *self.get_mut(list, at) = last;
        Some(last)
    }

    /// Gives an empty list's block back.
    pub(crate) fn free(&mut self, list: &mut List) {
        debug_assert!(list.len() == 0, "only an empty list is freed");
        if list.class() > 0 {
            self.give(list.class(), list.head.node);
        }
        *list = List::EMPTY;
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::edges::{Blocks, Half, List};
    use crate::ids::NodeIndex;

    fn half(node: u32) -> Half {
        Half {
            node: NodeIndex::new(node),
            back: Half::COLD,
        }
    }

    #[test]
    fn lists_grow_shrink_and_reuse_blocks() {
        let mut blocks = Blocks::default();
        let (mut a, mut b) = (List::EMPTY, List::EMPTY);
        for i in 0..9 {
            assert_eq!(blocks.push(&mut a, half(i)), i);
        }
        let used = blocks.halves.len();
        for i in 0..8 {
            blocks.push(&mut b, half(100 + i));
        }
        assert_eq!(
            blocks.halves.len(),
            used,
            "b took the blocks that a outgrew"
        );
        assert_eq!(blocks.swap_remove(&mut a, 2), Some(half(8)));
        assert_eq!(blocks.get(&a, 2), half(8));
        assert_eq!(blocks.swap_remove(&mut a, 7), None);
        assert_eq!(
            (0..7)
                .map(|i| blocks.get(&a, i).node.raw())
                .collect::<Vec<_>>(),
            [0, 1, 8, 3, 4, 5, 6]
        );
        while blocks.pop(&mut a).is_some() {}
        blocks.free(&mut a);
        assert_eq!(blocks.push(&mut a, half(1)), 0);
        assert_eq!(blocks.get(&b, 7), half(107));
    }
}
