//! Nodes: a tracked row's record, or the *anchor* of a source or declared row that a tracked row has read.
//!
//! Takes: rows. Leaves: one cache line each, so that a read that matches the
//! cursor touches one line only: settled or not, which row, where the value is.
//! Never: looks at a value; the address is opaque here, only `engine/` fills
//! it and `reader.rs` follows it.

use crate::graph::edges::List;
use crate::ids::{NodeIndex, RecipeId, Revision, Row};

/// Where a value lies. Opaque to the graph.
pub(crate) type Address = *mut ();

/// What is known about a node, bit by bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Flags(u32);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:expr;)*) => {
        impl Flags {
            $($(#[$doc])* pub(crate) const $name: Self = Self(1 << $bit);)*
        }
    };
}

flags! {
    /// Something above may have changed.
    CHECK = 0;
    /// A direct dependency really changed.
    DIRTY = 1;
    /// The last run failed: the next read runs the row again. Marks pass as if it were clean.
    STALE = 2;
    /// A tracked row without back entries, pulled by revision stamps.
    COLD = 3;
    /// The row has no value.
    ABSENT = 4;
    /// On the stack, being checked or run: needing it again closes a cycle.
    BUSY = 5;
    /// Its last run closed a cycle, and may have caught the error: a mark is reason enough to run it again. What it read
    /// was on the stack, and had no value that could be compared.
    CLOSED = 6;
    /// A tracked row (else an anchor).
    TRACKED = 7;
    /// Needed unconditionally: pulled in every turn that marks it.
    ROOT = 8;
    /// Its column has declared dependants.
    OUTS = 9;
    /// Its column has declared inputs.
    INS = 10;
    /// A reaction: no value, run in the react step.
    REACTION = 11;
    /// Its moves are collected for publication.
    PUBLISHED = 12;
    /// Failed, and needed unconditionally: the next turn tries it again.
    RETRIED = 13;
    /// Held by itself.
    HELD = 14;
    /// Held, and moved since the last release.
    MOVED = 15;
}

impl Flags {
    /// No flag.
    pub(crate) const NONE: Self = Self(0);
    /// Marked in this turn or an earlier one.
    pub(crate) const MARKED: Self = Self(0b11);
    /// Any of these: the row may have to be settled.
    pub(crate) const UNSETTLED: Self = Self(0b10_1111);
    /// Any of these: a read must look closer.
    pub(crate) const SLOW: Self = Self(0b11_1111);
    /// Any of these: the row isn't settled.
    pub(crate) const PENDING: Self = Self(0b10_0111);
    /// Marking such a node does more than pass the mark on.
    pub(crate) const WIDE: Self = Self(1 << 8 | 1 << 9 | 1 << 11);

    /// Whether any flag of `other` is set.
    #[inline]
    pub(crate) const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    #[inline]
    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This without `other`.
    #[inline]
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// One vertex of the tracked graph: exactly one cache line.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Node {
    /// What this row read in its last run, in read order. After one that failed: what the last completed run read, then
    /// what else that one did.
    pub(crate) dependencies: List,
    /// The hot tracked rows that read this one.
    pub(crate) consumers: List,
    /// The turn of the last real change.
    pub(crate) changed_at: Revision,
    /// The turn in which a tracked row last ran or was found clean.
    pub(crate) verified_at: Revision,
    /// Where the value lies; null before the first.
    pub(crate) value: Address,
    /// The row this is the node of.
    pub(crate) row: Row,
    /// The function, for a tracked row.
    pub(crate) recipe: RecipeId,
    /// How many cold tracked rows read this one.
    pub(crate) cold_count: u32,
    /// What is known.
    pub(crate) flags: Flags,
}

const _: () = assert!(size_of::<Node>() == 64);

impl Node {
    /// Whether any tracked row reads this one.
    pub(crate) fn is_read(&self) -> bool {
        self.consumers.len() > 0 || self.cold_count > 0
    }
}

/// All nodes, with free places.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    list: Vec<Node>,
    free: Vec<NodeIndex>,
    /// Beside the nodes: which run saw each last. Read only by runs that left their old path.
    stamps: Vec<u32>,
    stamp: u32,
}

impl std::ops::Index<NodeIndex> for Nodes {
    type Output = Node;

    #[inline]
    fn index(&self, at: NodeIndex) -> &Node {
        &self.list[at.index()]
    }
}

impl std::ops::IndexMut<NodeIndex> for Nodes {
    #[inline]
    fn index_mut(&mut self, at: NodeIndex) -> &mut Node {
        &mut self.list[at.index()]
    }
}

impl Nodes {
    /// Makes a node. Allocates when no place is free and the slab is full.
    pub(crate) fn insert(&mut self, row: Row, recipe: RecipeId, flags: Flags) -> NodeIndex {
        let node = Node {
            dependencies: List::EMPTY,
            consumers: List::EMPTY,
            changed_at: Revision::NEVER,
            verified_at: Revision::NEVER,
            value: std::ptr::null_mut(),
            row,
            recipe,
            cold_count: 0,
            flags,
        };
        if let Some(at) = self.free.pop() {
            self[at] = node;
            return at;
        }
        self.list.push(node);
        self.stamps.push(0);
        NodeIndex::at(self.list.len() - 1)
    }

    /// Frees a node that nothing reads and that reads nothing.
    pub(crate) fn remove(&mut self, at: NodeIndex) {
        debug_assert!(
            !self[at].is_read() && self[at].dependencies.len() == 0,
            "a freed node is linked to nothing"
        );
        let node = &mut self[at];
        node.row = Row::NIL;
        node.flags = Flags::NONE;
        node.value = std::ptr::null_mut();
        self.free.push(at);
    }

    /// A stamp no node bears yet.
    pub(crate) fn new_stamp(&mut self) -> u32 {
        if self.stamp == u32::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.stamp
    }

    /// Stamps a node; whether it bore the stamp already.
    #[inline]
    pub(crate) fn stamp(&mut self, at: NodeIndex, stamp: u32) -> bool {
        std::mem::replace(&mut self.stamps[at.index()], stamp) == stamp
    }

    /// How many places there are, free ones included.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Two nodes at once.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    pub(crate) fn pair(&mut self, a: NodeIndex, b: NodeIndex) -> (&mut Node, &mut Node) {
        let [a, b] = self
            .list
            .get_disjoint_mut([a.index(), b.index()])
            .expect("a dependency has two ends");
        (a, b)
    }

    /// Every node in use.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn live(&self) -> impl Iterator<Item = (NodeIndex, &Node)> {
        let all = self.list.iter().enumerate();
        all.filter(|(_, node)| !node.row.is_nil() || node.flags.any(Flags::TRACKED))
            .map(|(at, node)| (NodeIndex::at(at), node))
    }
}
