//! The model's view of a run: whether it was due, and what it has to give.
//!
//! Takes: the beginning, the end or the failure of a function's run. Leaves: complaints about
//! runs for nothing, second runs in a turn, runs behind a false guard, and wrong results. Never:
//! runs a function.

use crate::net::model::Model;
use crate::net::spec::{Equality, Fault, Place, Truth};
use std::sync::Arc;

impl Model {
    /// The arena begins to run the function of `place`; what it has to give.
    pub(crate) fn run_begins(&mut self, place: Place) -> Truth {
        self.commit_if_due();
        let row = self.row(place);
        let (runs, failed, since) = (row.runs, row.failed, row.ran_at);
        if failed && row.failed_in == self.attempt && self.recovered_at < row.failed_at {
            self.complain(format!("{place:?} ran again, though it had failed"));
        }
        if !self.is_member(place) && self.row(place).stored.is_none() {
            // The arena forgets keys that are no members and hold nothing.
            self.row_mut(place).ran = false;
        } else if 0 < runs && !failed {
            self.complain(format!("{place:?} ran twice in a turn"));
        }
        let dependencies: Vec<_> = self.row(place).seen.iter().map(|(read, _)| *read).collect();
        let must_be_due = self.row(place).ran && !failed;
        let is_due = |&read: &Place| {
            let failed = self.any_needed(read, |row| since < row.failed_at);
            failed || self.has_moved(read, since) || self.truth(read).is_err()
        };
        if must_be_due && !dependencies.iter().any(is_due) {
            self.complain(format!(
                "{place:?} ran though none of {dependencies:?} had moved"
            ));
        }
        let by_run = self.specs[place.cog].is_sticky() || self.fuse.is_armed();
        let was_gone = |&read: &Place| self.may_have_been_absent(read, since);
        if by_run && (self.has_failed_since(place) || dependencies.iter().any(was_gone)) {
            // Whether it was told of the failure is the arena's business.
            self.row_mut(place).runs_again = true;
            self.forget();
            self.watchers.doubt_all();
            self.doubt_feeds();
        }
        self.check_guard(place);
        self.runs += 1;
        self.row_mut(place).runs += 1;
        self.truth(place)
    }

    fn check_guard(&mut self, place: Place) {
        let Some(guard) = self.specs[place.cog].guard else {
            return;
        };
        let at = Place {
            cog: guard.cog,
            key: place.key,
        };
        let truth = self.truth(at);
        let is_open =
            matches!(truth, Ok(Some(value)) if guard.presence || value.rem_euclid(2) == 0);
        if !is_open {
            self.complain(format!(
                "{place:?} ran behind its guard {at:?}, which is {truth:?}"
            ));
        }
    }

    /// The function of `place` gave `value` after it read what it has `seen`; `expected` is from its beginning.
    pub(crate) fn run_ends(
        &mut self,
        place: Place,
        seen: Vec<(Place, Option<i64>)>,
        value: Option<i64>,
        expected: Truth,
    ) {
        let stored = self.after_equality(place, value);
        // A run of what it read may have told the model more.
        if stored != expected && stored != self.truth(place) {
            self.complain(format!(
                "{place:?} gave {stored:?} where {expected:?} is right"
            ));
        }
        let Ok(stored) = stored else {
            return self.run_failed(place, Fault::Bomb);
        };
        let now = self.tick();
        let row = self.row(place);
        let always = self.specs[place.cog].equality == Equality::Always;
        let was_gone = self.may_have_been_absent(place, row.ran_at);
        // Where a value may have been gone meanwhile, only another value is surely news.
        let is_news = row.stored != stored && (!was_gone || stored.is_some());
        let moved = is_news || always && row.ran && stored.is_some();
        // Whoever looked in between has seen a failure, or nothing; who didn't may be none the wiser.
        let came_or_went = moved && (row.stored.is_none() || stored.is_none());
        let may_have_moved = row.failed || was_gone || came_or_went;
        let inputs: Vec<_> = self.specs[place.cog]
            .declared(place.key)
            .map(|(input, _)| input)
            .collect();
        let reads = seen.iter().map(|(read, _)| *read).collect();
        let inputs = inputs
            .into_iter()
            .map(|input| (input, self.truth(input).ok().flatten()));
        let seen = inputs.chain(seen).collect();
        if self.row(place).failed {
            self.recovered_at = now;
        }
        let row = self.row_mut(place);
        row.stored = stored;
        row.ran = true;
        row.failed = false;
        row.runs_again = false;
        row.ran_at = now;
        row.reads = reads;
        row.seen = seen;
        if moved {
            row.changed_at = now;
        }
        if may_have_moved {
            row.absent_at = now;
        }
        self.remember_run(place, stored);
    }

    /// The function of `place`, or the comparison of its result, failed.
    pub(crate) fn run_failed(&mut self, place: Place, fault: Fault) {
        // Raised, unless whoever needed the row found that it can do without.
        self.may_unwind = true;
        let now = self.tick();
        self.row_mut(place).failed = true;
        self.row_mut(place).failed_at = now;
        self.row_mut(place).failed_in = self.attempt;
        let truth = self.truth(place);
        if truth.is_ok() {
            self.complain(format!(
                "{place:?} failed ({fault:?}) where {truth:?} is right"
            ));
        }
    }

    /// A read in a run gave `found`.
    pub(crate) fn check_read(&mut self, by: Place, read: Place, found: Option<i64>) {
        let truth = self.truth(read);
        if truth != Ok(found) {
            self.complain(format!(
                "{by:?} read {found:?} from {read:?}, where {truth:?} is right"
            ));
        }
    }

    /// A read in a run failed.
    pub(crate) fn check_failed_read(&mut self, by: Place, read: Place, is_get: bool) {
        let truth = self.truth(read);
        let may_fail = truth.is_err() || is_get && truth == Ok(None);
        if !may_fail {
            self.complain(format!(
                "{by:?} failed to read {read:?}, where {truth:?} is right"
            ));
        }
    }

    /// What a run of `place` finds as its own last value.
    pub(crate) fn check_previous(&mut self, place: Place, found: Option<i64>) {
        let row = self.row(place);
        let right = if row.ran { row.stored } else { None };
        if found != right {
            self.complain(format!("{place:?} was before {right:?}, not {found:?}"));
        }
    }

    /// The declared inputs of a run of `place` were `found`.
    pub(crate) fn check_inputs(&mut self, place: Place, found: &[Option<i64>]) {
        let spec = Arc::clone(&self.specs[place.cog]);
        for ((input, _), &found) in spec.declared(place.key).zip(found) {
            self.check_read(place, input, found);
        }
    }
}
