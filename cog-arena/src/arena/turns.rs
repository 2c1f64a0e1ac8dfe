//! Taking turns, whole or in steps.
//!
//! Takes: bodies that write. Leaves: what they wrote settled, and reactions run.
//! Never: has logic of its own.

use crate::arena::owner::Arena;
use crate::engine::Step;
use crate::error::{TurnError, raise};
use crate::handle::{Derived, DerivedFamily};
use crate::kinds::moved::MovedRows;
use crate::kinds::reaction::queued;
use crate::turn::host::Host;
use crate::values::keys::Key;
use crate::writer::Writer;

/// Turns.
impl Arena {
    /// One atomic batch of writes and everything it causes: settling, feeds, reactions, and the turns they ask for.
    ///
    /// # Cost
    ///
    /// In proportion to what changed. A warm turn allocates nothing.
    ///
    /// # Panics
    ///
    /// If a turn is open. With what `body` panics with, after everything staged was discarded; with the first panic
    /// of a function, equality or reaction, after the turn was completed as far as it goes; and if turns cause turns
    /// without end ([`set_turns_max`](Self::set_turns_max)).
    #[track_caller]
    pub fn turn<R>(&mut self, body: impl FnOnce(&mut Writer<'_>) -> R) -> R {
        match self.try_turn(body) {
            Ok(result) => result,
            Err(error) => panic!("{error}"),
        }
    }

    /// As [`turn`](Self::turn), with a name for records.
    ///
    /// # Panics
    ///
    /// As [`turn`](Self::turn).
    #[track_caller]
    pub fn turn_named<R>(
        &mut self,
        name: &'static str,
        body: impl FnOnce(&mut Writer<'_>) -> R,
    ) -> R {
        self.engine.turn_name = Some(name);
        self.turn(body)
    }

    /// As [`turn`](Self::turn), where a runaway chain of turns is an error. What `body` wrote is written all the same.
    ///
    /// # Errors
    ///
    /// [`TurnError::Runaway`] if more turns than [`set_turns_max`](Self::set_turns_max) allows follow from this one.
    /// Those still queued are dropped.
    ///
    /// # Panics
    ///
    /// As [`turn`](Self::turn), but for the runaway.
    #[track_caller]
    pub fn try_turn<R>(&mut self, body: impl FnOnce(&mut Writer<'_>) -> R) -> Result<R, TurnError> {
        self.engine.open();
        let result = self.engine.write(body);
        let finished = self.engine.finish();
        let chain = self.engine.run_queue();
        match (result, finished.err().or(chain.panic)) {
            (Err(panic), _) | (_, Some(panic)) => raise(panic),
            (Ok(result), None) => chain.runaway.map_or(Ok(result), Err),
        }
    }

    /// Queues a turn: it runs after the next one, or as the next [`begin`](Self::begin).
    ///
    /// # Cost
    ///
    /// Allocates for the body.
    #[track_caller]
    pub fn queue(&mut self, body: impl FnOnce(&mut Writer<'_>) + Send + Sync + 'static) {
        self.engine.queue.push_back(queued(body));
    }

    /// How many turns wait.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.engine.queue.len()
    }

    /// Opens a turn to be taken in steps: `begin`, [`writer`](Self::writer), [`settle`](Self::settle),
    /// [`publish`](Self::publish), [`run_reactions`](Self::run_reactions), [`release`](Self::release). Runs the body
    /// of the oldest queued turn, if one waits.
    ///
    /// # Panics
    ///
    /// If a turn is open; with what the queued body panics with, after that turn was abandoned.
    #[track_caller]
    pub fn begin(&mut self) {
        self.engine.open();
        if let Some(queued) = self.engine.queue.pop_front() {
            self.engine.note_cause(queued.cause);
            let run = queued.body;
            if let Err(panic) = self.engine.write(move |w| w.run(run)) {
                raise(panic);
            }
        }
    }

    /// Where the open turn stands.
    #[must_use]
    pub fn step(&self) -> Step {
        self.engine.step
    }

    /// The right to stage values in the open turn.
    ///
    /// # Panics
    ///
    /// If no turn is open, or it has settled.
    #[track_caller]
    pub fn writer(&mut self) -> Writer<'_> {
        self.engine.expect(Step::Writing);
        Writer::new(&mut self.engine)
    }

    /// Whether anything is staged in the open turn: a value, a removal, a key's membership.
    #[must_use]
    pub fn has_staged(&self) -> bool {
        self.engine.has_staged()
    }

    /// Discards what is staged in the open turn and ends it. Does nothing if no turn is open, and only ends one that has settled.
    pub fn abandon(&mut self) {
        self.engine.abandon();
    }

    /// Commits what is staged, and settles everything held.
    ///
    /// # Panics
    ///
    /// If no turn is open, or it has settled; with what an equality panics with, after everything staged was
    /// discarded and the turn ended. Panics of functions wait for [`release`](Self::release).
    #[track_caller]
    pub fn settle(&mut self) {
        if let Err(panic) = self.engine.settle() {
            raise(panic);
        }
    }

    /// The rows of a held family that moved, from [`settle`](Self::settle) to [`release`](Self::release).
    ///
    /// # Panics
    ///
    /// If the family belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn moved<K: Key, T: Send + Sync + 'static>(
        &self,
        family: DerivedFamily<K, T>,
    ) -> MovedRows<'_, K, T> {
        self.engine.own(family.arena);
        MovedRows::new(&self.engine, family)
    }

    /// The value of a held keyless cog, if it moved: `Some(None)` if it holds nothing now.
    ///
    /// # Panics
    ///
    /// If the cog belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn moved_value<T: Send + Sync + 'static>(&self, cog: Derived<T>) -> Option<Option<&T>> {
        self.engine.own(cog.arena);
        self.engine
            .has_moved(cog.row)
            .then(|| self.engine.value::<T>(cog.row))
    }

    /// Says that the host has published what moved. Then feeds get their values.
    ///
    /// # Panics
    ///
    /// If the open turn hasn't settled, or no turn is open. Panics of feeds wait for [`release`](Self::release).
    #[track_caller]
    pub fn publish(&mut self) {
        self.engine.expect(Step::Settled);
        self.engine.publish();
    }

    /// Runs the reactions that are due; feeds before them, if nothing was published.
    ///
    /// # Panics
    ///
    /// If the open turn hasn't settled, or no turn is open. Panics of reactions wait for [`release`](Self::release).
    #[track_caller]
    pub fn run_reactions(&mut self) {
        self.engine.run_reactions();
    }

    /// Ends the turn: replaced values go. Whether further turns wait to be begun.
    ///
    /// # Panics
    ///
    /// If no turn is open; with the first panic of user code in the turn; and if turns cause turns without end.
    #[track_caller]
    pub fn release(&mut self) -> bool {
        if let Err(panic) = self.engine.release() {
            raise(panic);
        }
        match self.engine.check_chain() {
            Some(error) => panic!("{error}"),
            None => !self.engine.queue.is_empty(),
        }
    }
}
