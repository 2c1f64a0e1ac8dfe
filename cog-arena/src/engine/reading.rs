//! Reading a row: settle it, remember the read, say where the value lies.
//!
//! Takes: a place. Leaves: the row settled and, for a tracked read, recorded.
//! Never: records a read that was not made, or forgets one that failed.

use crate::engine::state::{Engine, Step};
use crate::error::{Panic, Raised, ReadError, raise};
use crate::graph::columns::{Kind, Stratum};
use crate::graph::nodes::{Address, Flags};
use crate::ids::{ColumnId, NodeIndex, Row};
use crate::turn::host::Host;
use crate::turn::settle::{columns, fail, rows};

/// Whether a read becomes a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It does.
    Track,
    /// It settles only.
    Peek,
}

impl Engine {
    /// Settles a row; whether it has a value. The read is recorded even if it
    /// fails: a function that catches the panic depends on what failed.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    pub(crate) fn read(&mut self, row: Row, mode: Mode) -> Result<bool, Panic> {
        let found = self.graph.rows.node(row);
        if !found.is_nil() && self.graph.nodes[found].flags.any(Flags::TRACKED) {
            return self.read_tracked(row, found, mode);
        }
        let column = self.graph.column_of(row);
        let kind = if column.is_nil() {
            Kind::Source
        } else {
            self.graph.columns[column].kind
        };
        let settled = match kind {
            Kind::Tracked => {
                let recipe = self.graph.columns[column].recipe;
                let node = self.graph.ensure_tracked(row, recipe);
                return self.read_tracked(row, node, mode);
            }
            Kind::Declared => rows::settle_row(self, column, row),
            Kind::Source => self.settle_source(column, row),
        };
        if mode == Mode::Track {
            let node = self.graph.ensure_anchor(row);
            self.track(node);
        }
        settled.map(|()| self.graph.rows.is_present(row))
    }

    /// # Errors
    ///
    /// With the first panic of user code.
    fn settle_source(&mut self, column: ColumnId, row: Row) -> Result<(), Panic> {
        if column.is_nil() || !self.graph.columns[column].total || self.graph.rows.is_present(row) {
            return Ok(());
        }
        let key = self.graph.rows.key_row(row);
        self.materialise(column, key)
    }

    /// # Errors
    ///
    /// With the first panic of user code.
    fn read_tracked(&mut self, row: Row, node: NodeIndex, mode: Mode) -> Result<bool, Panic> {
        let settled = self.settle_node(node);
        // A row that closes a cycle is read, too: it must hear when the cycle is gone.
        if mode == Mode::Track && node != self.graph.capture.top.node {
            self.track(node);
        }
        settled.map(|()| self.graph.rows.is_present(row))
    }

    /// # Errors
    ///
    /// With the first panic of user code.
    fn settle_node(&mut self, node: NodeIndex) -> Result<(), Panic> {
        if self.graph.nodes[node].flags.any(Flags::BUSY) {
            return Err(fail::cycle(self, node));
        }
        rows::settle_node(self, node)
    }

    /// Settles the node that the running function was expected to read next,
    /// if it can be; whether its value can be lent as it lies.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    #[inline(never)]
    pub(crate) fn settle_expected(&mut self, at: NodeIndex) -> Result<bool, Panic> {
        let flags = self.graph.nodes[at].flags;
        if flags.any(Flags::BUSY.with(Flags::ABSENT)) {
            return Ok(false);
        }
        if self.graph.is_unsettled(at) {
            let settled = rows::settle_node(self, at);
            if settled.is_err() {
                self.track(at);
                return settled.map(|()| false);
            }
        }
        Ok(!self.graph.nodes[at]
            .flags
            .any(Flags::SLOW.without(Flags::COLD)))
    }

    /// Settles a tracked row for a read from outside: where its value lies, or
    /// null where the read must go the long way. Raises what the function panics with.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is all that most reads are")]
    pub(crate) fn settle_outside(&mut self, row: Row) -> Address {
        let at = self.graph.rows.node(row);
        if at.is_nil() {
            return std::ptr::null_mut();
        }
        let tracked = self.graph.nodes[at].flags;
        if self.graph.is_unsettled(at) && tracked.any(Flags::TRACKED) && !tracked.any(Flags::BUSY) {
            self.settle_now(at);
        }
        let node = &self.graph.nodes[at];
        if node.flags.any(Flags::SLOW.without(Flags::COLD)) || !node.flags.any(Flags::TRACKED) {
            return std::ptr::null_mut();
        }
        node.value
    }

    #[inline(never)]
    fn settle_now(&mut self, at: NodeIndex) {
        let settled = rows::settle_tracked(self, at);
        self.settle_between();
        self.forget_read();
        if let Err(panic) = settled {
            self.raise_kept();
            raise(panic);
        }
    }

    #[inline]
    fn track(&mut self, node: NodeIndex) {
        let graph = &mut self.graph;
        graph.capture.track(&mut graph.nodes, &graph.blocks, node);
    }

    /// Where the row's value lies. Remembered in its node, if it has one.
    pub(crate) fn address(&mut self, row: Row) -> *mut () {
        let (store, local) = self.local(row);
        let address = self.values.erased(store).address(local, row.offset());
        let node = self.graph.rows.node(row);
        if !node.is_nil() {
            let node = &mut self.graph.nodes[node];
            node.value = address;
            node.flags = node.flags.without(Flags::ABSENT);
        }
        address
    }

    /// Whether the row could be read without running anything.
    pub(crate) fn is_settled(&self, row: Row) -> bool {
        let node = self.graph.rows.node(row);
        if !node.is_nil() && self.graph.nodes[node].flags.any(Flags::TRACKED) {
            return !self.graph.is_unsettled(node);
        }
        let column = self.graph.column_of(row);
        if column.is_nil() {
            return true;
        }
        match self.graph.columns[column].kind {
            Kind::Source => true,
            Kind::Tracked => false,
            Kind::Declared if self.graph.columns[column].eager => !self.graph.is_owed(column, row),
            Kind::Declared => !self.graph.is_pending(column, row),
        }
    }

    /// Settles what an outside read left queued. Nothing, as a rule.
    #[inline]
    pub(crate) fn settle_rest(&mut self) {
        if !self.graph.is_quiet() {
            self.settle_more();
        }
    }

    /// As [`Self::settle_rest`], if no turn is open and nothing runs.
    pub(crate) fn settle_between(&mut self) {
        if self.graph.capture.is_idle() {
            if self.step == Step::Idle {
                self.settle_rest();
            }
            self.end_attempt();
        }
    }

    /// What failed may be tried again.
    #[inline]
    pub(crate) fn end_attempt(&mut self) {
        if self.graph.pending.failures.any() {
            self.forget_failures();
        }
    }

    #[cold]
    #[inline(never)]
    fn forget_failures(&mut self) {
        self.graph.pending.failures.clear();
        self.state.discard_aside();
    }

    /// What fails there isn't what was read: it is raised at the next turn's end.
    #[cold]
    #[inline(never)]
    fn settle_more(&mut self) {
        let kept = self.state.panic.take();
        columns::settle(self);
        if let Some(panic) = std::mem::replace(&mut self.state.panic, kept) {
            self.state.keep_late(panic);
        }
    }

    /// Holds a row: it is settled in every turn from now on, and now.
    pub(crate) fn hold_row(&mut self, row: Row) {
        let count = self.hold_counts.entry(row).or_insert(0);
        *count += 1;
        if 1 < *count {
            self.wake_held(row);
            return;
        }
        let found = self.graph.rows.node(row);
        let column = self.graph.column_of(row);
        let tracked = !found.is_nil() && self.graph.nodes[found].flags.any(Flags::TRACKED);
        let node = if tracked {
            found
        } else if !column.is_nil() && self.graph.columns[column].kind == Kind::Tracked {
            let recipe = self.graph.columns[column].recipe;
            self.graph.ensure_tracked(row, recipe)
        } else {
            let lazy = !column.is_nil() && self.graph.columns[column].stratum != Stratum::First;
            let by_rank = lazy && self.graph.is_pure_lane(column);
            if by_rank {
                self.ensure_eager(column);
            } else if lazy {
                self.graph.flip(column);
            }
            let node = self.graph.ensure_anchor(row);
            if by_rank {
                // It settles in its turn, and is nobody's root.
                self.graph.nodes[node].flags = self.graph.nodes[node].flags.with(Flags::HELD);
                return;
            }
            node
        };
        self.graph.nodes[node].flags = self.graph.nodes[node].flags.with(Flags::HELD);
        self.graph.make_root(node);
    }

    /// Settles a row that is held already: its key may have gone since.
    pub(crate) fn wake_held(&mut self, row: Row) {
        let column = self.graph.column_of(row);
        let mut node = self.graph.rows.node(row);
        if !column.is_nil() && self.graph.columns[column].kind == Kind::Tracked {
            let recipe = self.graph.columns[column].recipe;
            node = self.graph.ensure_tracked(row, recipe);
        }
        if self.graph.nodes[node].flags.any(Flags::ROOT) {
            self.graph.pending.roots.push(node);
        }
    }

    /// Lets a held row go.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    pub(crate) fn let_row_go(&mut self, row: Row) {
        let count = self
            .hold_counts
            .get_mut(&row)
            .expect("a hold was taken on the row");
        *count -= 1;
        if 0 < *count {
            return;
        }
        self.hold_counts.remove(&row);
        let node = self.graph.rows.node(row);
        if !node.is_nil() {
            let column = self.graph.column_of(row);
            let by_rank = !column.is_nil() && self.graph.is_held_lane(column);
            self.graph.nodes[node].flags = self.graph.nodes[node].flags.without(Flags::HELD);
            if by_rank {
                self.graph.drop_eager(column);
            }
            self.graph.drop_root(node);
            self.graph.sweep_loose();
        }
    }

    /// What is wrong with a row that should have a value.
    pub(crate) fn absent(&self, row: Row) -> ReadError {
        ReadError::Absent {
            cog: self.name(row),
        }
    }

    /// Remembers an error of ours that is about to be raised inside a function.
    pub(crate) fn note_raised(&mut self, panic: &Panic) {
        if let Some(Raised(error)) = panic.downcast_ref::<Raised>() {
            self.raised = Some(std::sync::Arc::clone(error));
        }
    }
}
