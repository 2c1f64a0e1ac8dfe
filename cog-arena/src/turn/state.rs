//! What a turn keeps between its steps, and its buffers between turns.
//!
//! Takes: nothing. Leaves: room that a warm turn need not allocate again.
//! Never: holds a value.

use crate::error::Panic;
use crate::ids::{ColumnId, Item, Moved, NodeIndex, Row};

/// Who is being settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    /// A tracked row or a reaction.
    Node(NodeIndex),
    /// A declared row.
    Row(ColumnId, Row),
}

/// How far settling a subject has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Who is being settled.
    pub(crate) subject: Subject,
    /// Declared inputs known to be settled.
    pub(crate) input_count: u32,
    /// Tracked dependencies known to be unchanged.
    pub(crate) dependency_count: u32,
}

impl Frame {
    /// A subject of which nothing is known yet.
    #[inline]
    pub(crate) fn of(subject: Subject) -> Self {
        Self {
            subject,
            input_count: 0,
            dependency_count: 0,
        }
    }
}

/// Figures of a turn. Each counts rows or turns, never time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TurnCounts {
    /// The turn's number, or the number of turns.
    pub revision: u64,
    /// Source rows that really changed.
    pub written: u64,
    /// Rows that were marked or queued.
    pub reached: u64,
    /// Rows whose function ran.
    pub run: u64,
    /// Runs that gave an equal value.
    pub cut: u64,
    /// Rows of held families that moved, and held keyless cogs that did.
    pub published: u64,
}

impl TurnCounts {
    /// Adds the figures of a turn to a sum.
    pub(crate) fn add(&mut self, turn: &Self) {
        self.revision = turn.revision;
        self.written += turn.written;
        self.reached += turn.reached;
        self.run += turn.run;
        self.cut += turn.cut;
        self.published += turn.published;
    }
}

/// Buffers and figures.
#[derive(Default)]
pub(crate) struct State {
    /// Who is being settled, outermost first.
    pub(crate) stack: Vec<Frame>,
    /// Words of the column that runs.
    pub(crate) items: Vec<Item>,
    /// What writers changed.
    pub(crate) moved: Vec<Moved>,
    /// Rows that were read and ended with their key.
    pub(crate) ended: Vec<NodeIndex>,
    /// Reactions of this flush, each with its place in the order of registration.
    pub(crate) reactions: Vec<(u64, NodeIndex)>,
    /// The first panic of user code in this turn.
    pub(crate) panic: Option<Panic>,
    /// The first panic of user code outside a turn that was none of the caller's business.
    pub(crate) late: Option<Panic>,
    /// What rows panicked with, until the run that is sure to read them does.
    pub(crate) aside: Vec<(Row, Panic)>,
    /// This turn's figures.
    pub(crate) counts: TurnCounts,
    /// How deep runs may nest.
    pub(crate) depth_max: usize,
}

impl State {
    /// Keeps the first panic; later ones are dropped.
    #[cold]
    pub(crate) fn keep(&mut self, panic: Panic) {
        keep_first(&mut self.panic, panic);
    }

    /// Keeps what a row panicked with for who reads it next.
    pub(crate) fn put_aside(&mut self, row: Row, panic: Panic) {
        self.aside.push((row, panic));
    }

    /// What a row panicked with, if nobody read it yet.
    pub(crate) fn take_aside(&mut self, row: Row) -> Option<Panic> {
        let at = self.aside.iter().rposition(|(other, _)| *other == row)?;
        Some(self.aside.swap_remove(at).1)
    }

    /// Nobody reads any more what failed.
    pub(crate) fn discard_aside(&mut self) {
        for (_, panic) in self.aside.drain(..) {
            discard(panic);
        }
    }

    /// Keeps a panic for the next turn's end.
    #[cold]
    pub(crate) fn keep_late(&mut self, panic: Panic) {
        keep_first(&mut self.late, panic);
    }
}

fn keep_first(kept: &mut Option<Panic>, panic: Panic) {
    if kept.is_none() {
        *kept = Some(panic);
    } else {
        discard(panic);
    }
}

/// Drops a payload. Its own `Drop` is user code, too, and is not trusted.
pub(crate) fn discard(panic: Panic) {
    let dropped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(panic)));
    if let Err(again) = dropped {
        std::mem::forget(again);
    }
}
