//! Reactions in the model: which must run after a commit, in which order, and what they must see.
//!
//! Takes: a commit, then the reactions that the arena runs. Leaves: complaints about those that
//! ran for nothing, too often, too late or not at all. Never: runs one.

use crate::net::feeds::Fed;
use crate::net::model::Model;
use crate::net::spec::{Fault, Place, Step, play_steps};
use cog_arena::Reaction;
use std::collections::VecDeque;

/// Stands for a reaction where a reader is asked for: above every cog.
pub(crate) const REACTION: Place = Place {
    cog: usize::MAX,
    key: 0,
};

/// What a reaction does beside reading.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    /// Nothing.
    Nothing,
    /// Queues a turn that writes a source.
    Write { cog: u8, key: u8, value: u8 },
    /// Queues two turns; the second one fails after its write.
    WriteTwice { cog: u8, key: u8, value: u8 },
    /// Ends a reaction, itself perhaps.
    End(u8),
    /// Registers a reaction that reads the same.
    Register,
    /// Fails when the sum of what it read is even.
    Boom,
}

/// One reaction.
#[derive(Clone, Debug)]
pub(crate) struct Watcher {
    /// What the arena calls it, once it has said so.
    pub(crate) handle: Option<Reaction>,
    /// What it reads; a watch has one step.
    pub(crate) steps: Vec<Step>,
    /// What it does then.
    pub(crate) effect: Effect,
    /// Whether it is a watch.
    pub(crate) is_watch: bool,
    /// Not ended.
    pub(crate) alive: bool,
    /// Registered, but has not run yet.
    pub(crate) is_new: bool,
    /// The last run failed.
    pub(crate) failed: bool,
    /// What happens to it this turn is not foretold: it, or what it reads, fails.
    shaky: bool,
    /// When it last ran.
    ran_at: u64,
    /// What it read, each row once.
    pub(crate) reads: Vec<(Place, Option<i64>)>,
    /// The values that the last run saw.
    seen: Vec<Option<i64>>,
}

/// All reactions, and who is to run in the turn in progress.
#[derive(Debug, Default)]
pub(crate) struct Watchers {
    /// In the order of their registration.
    pub(crate) list: Vec<Watcher>,
    /// Rows that are fed.
    pub(crate) feeds: Vec<Fed>,
    /// Rows that were fed until the last turn.
    pub(crate) unfed: Vec<Place>,
    /// Those that must still run in this turn, in order.
    expected: VecDeque<usize>,
    /// Those that were registered during this turn's reactions, in order.
    tail: VecDeque<usize>,
    /// How many turns reactions may still queue.
    pub(crate) budget: u32,
    /// The turns queued, oldest first.
    pub(crate) queue: VecDeque<u64>,
    /// Numbers the queued turns.
    pub(crate) ticket: u64,
}

impl Watchers {
    /// How many feeds read `place`, at least and at most. Each row that is fed has two.
    pub(crate) fn feed_count(&self, place: Place) -> (usize, usize) {
        let fed = self.feeds.iter().filter(|fed| fed.place == place);
        let least = 2 * fed.count();
        let unfed = self.unfed.iter().filter(|unfed| **unfed == place);
        (least, least + 2 * unfed.count())
    }

    /// Adds a reaction that has not run yet.
    pub(crate) fn add(&mut self, steps: Vec<Step>, effect: Effect, is_watch: bool) -> usize {
        self.list.push(Watcher {
            handle: None,
            steps,
            effect,
            is_watch,
            alive: true,
            is_new: true,
            failed: false,
            shaky: false,
            ran_at: 0,
            reads: Vec::new(),
            seen: Vec::new(),
        });
        self.list.len() - 1
    }

    /// The same, at the tail of the reactions in progress.
    pub(crate) fn add_at_tail(&mut self, steps: Vec<Step>, effect: Effect) -> usize {
        let number = self.add(steps, effect, false);
        self.tail.push_back(number);
        number
    }

    /// Ends a reaction.
    pub(crate) fn end(&mut self, number: usize) {
        self.list[number].alive = false;
        self.tail.retain(|&waiting| waiting != number);
    }

    /// Nothing is foretold for the rest of this turn.
    pub(crate) fn doubt_all(&mut self) {
        for watcher in &mut self.list {
            watcher.shaky = true;
        }
    }

    /// Whether something is still to run in this turn.
    fn is_waiting(&self, number: usize) -> bool {
        let watcher = &self.list[number];
        watcher.alive && !watcher.shaky
    }
}

impl Model {
    /// What a reaction would read now.
    fn foresee(&mut self, number: usize) -> (Vec<Option<i64>>, Result<i64, Fault>) {
        let steps = self.watchers.list[number].steps.clone();
        let mut seen = Vec::new();
        let end = play_steps(&steps, REACTION, 0, &mut |place, how| {
            let value = self.truth_for(place, how)?;
            seen.push(value);
            Ok(value)
        });
        (seen, end)
    }

    /// Whether a reaction would fail now.
    pub(crate) fn is_failing(&mut self, number: usize) -> bool {
        self.foresee(number).1.is_err()
    }

    /// A watch starts from the value that is there, without delivering it.
    pub(crate) fn skip_first(&mut self, number: usize, place: Place) {
        let now = self.tick();
        let seen = self.truth(place).ok().flatten();
        let watcher = &mut self.watchers.list[number];
        watcher.is_new = false;
        watcher.ran_at = now;
        watcher.reads = vec![(place, seen)];
        watcher.seen = vec![seen];
    }

    /// After a commit: who must run, and about whom nothing is foretold.
    pub(crate) fn expect_reactions(&mut self) {
        self.watchers.expected.clear();
        for number in 0..self.watchers.list.len() {
            let watcher = &self.watchers.list[number];
            if !watcher.alive {
                continue;
            }
            let (since, reads, failed) = (
                watcher.ran_at,
                watcher.reads.clone(),
                watcher.failed || watcher.is_new,
            );
            let fails = self.foresee(number).1.is_err()
                || reads
                    .iter()
                    .any(|(read, _)| self.truth(*read).is_err() || self.is_tainted(*read));
            // A key that went and came back may be noticed, though nothing of it was ever there.
            let was_gone = reads
                .iter()
                .any(|(read, _)| since < self.row(*read).absent_at);
            self.watchers.list[number].shaky = failed || fails || was_gone;
            if !failed
                && !fails
                && !was_gone
                && reads
                    .into_iter()
                    .any(|(read, seen)| self.will_have_moved(read, since, seen))
            {
                self.watchers.expected.push_back(number);
            }
        }
    }

    /// A reaction begins to run.
    pub(crate) fn reaction_begins(&mut self, number: usize) {
        self.commit_if_due();
        let watcher = &self.watchers.list[number];
        if !watcher.alive {
            return self.complain(format!("reaction {number} ran after it was ended"));
        }
        if watcher.is_new && self.watchers.tail.front() == Some(&number) {
            self.watchers.tail.pop_front();
            if let Some(late) = self.first_expected() {
                self.complain(format!("new reaction {number} ran before reaction {late}"));
            }
            return;
        }
        if watcher.is_new || watcher.shaky {
            return;
        }
        match self.first_expected() {
            Some(first) if first == number => drop(self.watchers.expected.pop_front()),
            other => self.complain(format!("reaction {number} ran where {other:?} was to run")),
        }
    }

    fn first_expected(&mut self) -> Option<usize> {
        while let Some(&first) = self.watchers.expected.front() {
            if self.watchers.is_waiting(first) {
                return Some(first);
            }
            self.watchers.expected.pop_front();
        }
        None
    }

    /// A reaction has read everything; what it saw is right already, read by read.
    pub(crate) fn reaction_has_read(
        &mut self,
        number: usize,
        reads: Vec<(Place, Option<i64>)>,
        seen: Vec<Option<i64>>,
    ) {
        let now = self.tick();
        let watcher = &mut self.watchers.list[number];
        if watcher.is_watch && !watcher.is_new && !watcher.failed && watcher.seen == seen {
            let (place, _) = reads[0];
            let always = self.specs[place.cog].equality == crate::net::spec::Equality::Always;
            let was_gone = self.may_have_been_absent(place, self.watchers.list[number].ran_at);
            if !always && !was_gone && !self.watchers.list[number].shaky {
                self.complain(format!("watch {number} delivered {seen:?} twice"));
            }
        }
        let watcher = &mut self.watchers.list[number];
        watcher.is_new = false;
        watcher.failed = false;
        watcher.ran_at = now;
        watcher.reads = reads;
        watcher.seen = seen;
    }

    /// A reaction failed.
    pub(crate) fn reaction_failed(&mut self, number: usize) {
        self.booms += 1;
        let watcher = &mut self.watchers.list[number];
        watcher.failed = true;
        watcher.is_new = false;
    }

    /// What a watch delivered last.
    pub(crate) fn last_seen(&self, number: usize) -> Option<i64> {
        self.watchers.list[number].seen.first().copied().flatten()
    }

    /// A turn's reactions are over: everything foretold has happened.
    pub(crate) fn flush_ended(&mut self) {
        if let Some(missed) = self.first_expected() {
            self.complain(format!(
                "reaction {missed} did not run, though what it reads had moved"
            ));
        }
        if let Some(&missed) = self.watchers.tail.front() {
            self.complain(format!(
                "reaction {missed}, registered during reactions, did not run"
            ));
        }
        self.watchers.expected.clear();
        self.watchers.tail.clear();
        for number in 0..self.watchers.list.len() {
            let watcher = &self.watchers.list[number];
            if !watcher.alive || watcher.is_new {
                continue;
            }
            let (failed, last) = (watcher.failed, watcher.seen.clone());
            let reads = watcher.reads.clone();
            let (seen, end) = self.foresee(number);
            // What failed is tried again when something moves, not when the bomb is disarmed.
            let since = self.watchers.list[number].ran_at;
            let tainted = failed
                || reads.iter().any(|(read, _)| {
                    self.any_needed(*read, |row| row.failed || since < row.failed_at)
                });
            if end.is_ok() && !tainted && seen != last {
                self.complain(format!(
                    "reaction {number} last saw {last:?} where {seen:?} is"
                ));
            }
        }
    }
}
