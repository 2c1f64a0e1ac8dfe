//! Taking a turn: the steps in a row, and the turns that follow.
//!
//! Takes: an open turn. Leaves: it ended, whatever user code did. Never: lets
//! a turn begin before the one before it is complete.

use std::panic::Location;

use crate::engine::state::{Engine, Step};
use crate::error::{Panic, TurnError, Warning};
use crate::graph::nodes::Flags;
use crate::ids::Row;
use crate::turn::state::TurnCounts;
use crate::turn::{self};

/// Turns in a row before a warning.
const LONG_CHAIN: u32 = 64;
/// How many causes a warning names.
const CAUSES_MAX: usize = 8;

impl Engine {
    /// Panics unless the open turn stands at `step`.
    #[inline]
    #[track_caller]
    pub(crate) fn expect(&self, step: Step) {
        if self.step != step {
            self.refuse(step);
        }
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[cold]
    #[track_caller]
    fn refuse(&self, step: Step) -> ! {
        panic!(
            "this is possible only while a turn is at the step {step:?}, but it is at {:?}; \
             the order is begin, writer, settle, publish, run_reactions, release",
            self.step
        );
    }

    /// Opens a turn.
    #[track_caller]
    pub(crate) fn open(&mut self) {
        self.expect(Step::Idle);
        if let Some(bell) = &self.bell
            && bell.has_rung()
        {
            self.end_dropped();
        }
        self.step = Step::Writing;
        self.totals.add(&self.state.counts);
        self.state.counts = TurnCounts {
            revision: self.graph.turn_count(),
            ..TurnCounts::default()
        };
        self.chain.turn_count += 1;
    }

    /// Commits and settles.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    #[inline]
    #[track_caller]
    pub(crate) fn settle(&mut self) -> Result<(), Panic> {
        self.expect(Step::Writing);
        if !self.holds_to_come.is_empty() {
            self.take_holds_to_come();
        }
        let settled = turn::settle(self);
        self.forget_strangers();
        if settled.is_err() {
            self.abandon();
        } else {
            self.step = Step::Settled;
        }
        self.state.counts.revision = self.graph.turn_count();
        settled
    }

    /// A turn that is released without having settled.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn settle_late(&mut self) -> Result<(), Panic> {
        self.settle()
    }

    /// The host has published: feeds are next.
    pub(crate) fn publish(&mut self) {
        self.step = Step::Published;
        if self.bell.is_some() {
            turn::feed(self);
        }
    }

    /// Runs reactions.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[inline]
    #[track_caller]
    pub(crate) fn run_reactions(&mut self) {
        assert!(
            matches!(self.step, Step::Settled | Step::Published),
            "reactions run after the open turn has settled, once; it is at {:?}",
            self.step
        );
        turn::react(self);
        self.step = Step::Reacted;
    }

    /// Ends the turn.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[inline]
    #[track_caller]
    pub(crate) fn release(&mut self) -> Result<(), Panic> {
        assert!(self.step != Step::Idle, "there is no open turn to release");
        if self.step == Step::Writing {
            self.settle_late()?;
        }
        let panic = turn::release(self);
        self.end_attempt();
        self.step = Step::Idle;
        panic.map_or(Ok(()), Err)
    }

    /// All steps after the body. Does nothing if the body failed.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    #[inline(never)]
    pub(crate) fn finish(&mut self) -> Result<(), Panic> {
        if self.step != Step::Writing {
            return Ok(());
        }
        self.settle()?;
        self.step = Step::Published;
        // In steps, the host's reads may have left something to settle; here nothing was read since.
        if !self.graph.pending.reactions.is_empty() {
            self.run_reactions();
        }
        self.release()
    }

    /// Discards what is staged, or ends a turn that has settled.
    pub(crate) fn abandon(&mut self) {
        if self.step == Step::Writing {
            // Before keys that nothing needs are given back.
            self.take_holds_to_come();
            self.discard_staged();
        } else if self.step != Step::Idle {
            self.release_turn();
        }
        self.state.panic = None;
        self.step = Step::Idle;
        self.turn_name = None;
        // What the turn read may have woken others.
        self.settle_rest();
        self.end_attempt();
        self.release_keys();
    }

    /// Settles outside any turn: after a hold was taken.
    pub(crate) fn settle_idle(&mut self) {
        self.graph.pending.pass += 1;
        turn::settle::columns::settle(self);
        self.end_attempt();
        self.release_keys();
    }

    /// Runs reactions outside any turn: after one was registered.
    pub(crate) fn react_idle(&mut self) {
        self.graph.pending.pass += 1;
        turn::react(self);
        self.end_attempt();
        self.release_keys();
    }

    /// Remembers who asked for the turn.
    pub(crate) fn note_cause(&mut self, cause: &'static Location<'static>) {
        if self.chain.causes.len() == CAUSES_MAX {
            self.chain.causes.pop_front();
        }
        self.chain.causes.push_back(cause);
    }

    /// No turn follows from the last one.
    #[inline]
    pub(crate) fn end_chain(&mut self) {
        self.turn_name = None;
        self.chain.turn_count = 0;
        self.chain.causes.clear();
    }

    /// Warns of a chain that is long, ends one that is too long, forgets one that is over.
    pub(crate) fn check_chain(&mut self) -> Option<TurnError> {
        if self.queue.is_empty() {
            self.end_chain();
            return None;
        }
        let turns = self.chain.turn_count;
        if turns == LONG_CHAIN {
            let causes = self.causes();
            if let Some(warn) = &mut self.warn {
                warn(&Warning::LongChain {
                    turns: turns + 1,
                    causes,
                });
            }
        }
        if turns < self.chain.turns_max {
            return None;
        }
        let causes = self.causes();
        self.queue.clear();
        self.chain.turn_count = 0;
        self.chain.causes.clear();
        Some(TurnError::Runaway { turns, causes })
    }

    fn causes(&self) -> Vec<String> {
        let next = self.queue.front().map(|queued| queued.cause);
        let all = self.chain.causes.iter().copied().chain(next);
        let mut causes: Vec<_> = all
            .map(|cause| format!("{}:{}", cause.file(), cause.line()))
            .collect();
        causes.sort();
        causes.dedup();
        causes
    }

    /// Whether a row that is held by itself moved since the last release.
    pub(crate) fn has_moved(&self, row: Row) -> bool {
        let node = self.graph.rows.node(row);
        !node.is_nil() && self.graph.nodes[node].flags.any(Flags::MOVED)
    }

    /// How many tracked rows read this one.
    pub(crate) fn consumer_count(&self, row: Row) -> usize {
        let node = self.graph.rows.node(row);
        if node.is_nil() {
            return 0;
        }
        let node = &self.graph.nodes[node];
        node.consumers.len() as usize + node.cold_count as usize
    }

    /// Panics at the first broken promise.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn check(&self) {
        self.graph.check();
        assert!(
            self.state.stack.is_empty(),
            "nothing is being settled between turns"
        );
        assert!(
            self.step != Step::Idle || self.staged.is_empty(),
            "nothing is staged between turns"
        );
        assert!(self.loose_keys.is_empty(), "every loose key was looked at");
        for (at, &(column, _)) in self.owners.iter().enumerate() {
            let store = crate::ids::StoreId::at(at);
            assert!(
                self.staged.contains(&store) == self.values.erased(store).is_listed(),
                "a store knows whether it is listed"
            );
            for (local, &chunk) in self.graph.rows.chunks(store).iter().enumerate() {
                if chunk.is_nil() {
                    continue;
                }
                let head = &self.graph.rows[chunk];
                assert!(
                    head.column == column && head.local as usize == local,
                    "a chunk knows its place"
                );
                let filled = self.values.erased(store).filled(head.local);
                assert!(
                    head.present == filled,
                    "a row is present if its slot is filled"
                );
            }
        }
    }
}
