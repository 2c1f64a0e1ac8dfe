//! Feeds on both sides: what the model says each turn left, and what a reader finds.
//!
//! Takes: a row that is fed, and commits. Leaves: complaints where what was told isn't what turns left, in their order,
//! each once. Never: foretells what is told of a row that failed.

use crate::net::drive::{Ending, Table, guarded};
use crate::net::functions::with_row;
use crate::net::model::Model;
use crate::net::spec::{Equality, Place};
use crate::net::value::Value;
use cog_arena::{Depth, Feed};

/// Feeds in a game at most.
const FEEDS_MAX: usize = 6;
/// What those keep that don't keep everything.
const FEW: usize = 2;

/// A row that is fed, as the model sees it.
#[derive(Clone, Debug)]
pub(crate) struct Fed {
    /// The row.
    pub(crate) place: Place,
    /// What the turns since the last look left.
    expected: Vec<Option<i64>>,
    /// What was told last.
    last: Option<i64>,
    /// It, or what it needs, failed: nothing is foretold.
    is_shaky: bool,
    /// When the reader looked last.
    since: u64,
}

/// Two feeds of one row: one keeps everything, the other a few.
pub(crate) struct Pair {
    all: Feed<Value>,
    few: Feed<Value>,
    keeps_newest: bool,
    lost: u64,
}

impl Model {
    /// After a commit: what each fed row must tell.
    pub(crate) fn expect_feeds(&mut self) {
        self.watchers.unfed.clear();
        for at in 0..self.watchers.feeds.len() {
            let place = self.watchers.feeds[at].place;
            let truth = self.truth(place);
            let is_sure = truth.is_ok() && !self.is_tainted(place);
            let fed = &mut self.watchers.feeds[at];
            fed.is_shaky |= !is_sure;
            fed.expected.extend(truth.ok());
        }
    }

    /// Nothing is foretold until the reader has looked.
    pub(crate) fn doubt_feeds(&mut self) {
        for fed in &mut self.watchers.feeds {
            fed.is_shaky = true;
        }
    }

    /// A reader found `told` in feed `at`; whether that was foretold.
    fn feed_is_read(&mut self, at: usize, told: &[Option<i64>]) -> bool {
        let Fed {
            place,
            expected,
            last,
            is_shaky,
            since,
        } = self.watchers.feeds[at].clone();
        let always = self.specs[place.cog].equality == Equality::Always;
        let excused = always || self.may_have_been_absent(place, since);
        let (right, _) = distinct(last, &expected);
        let (found, twice) = distinct(last, told);
        if !is_shaky && right != found {
            self.complain(format!(
                "{place:?} was fed {told:?} after {last:?}, where turns left {expected:?}"
            ));
        }
        if !is_shaky && twice.iter().any(|again| again.is_none() || !excused) {
            self.complain(format!("{place:?} was fed {told:?}, some of it twice"));
        }
        let truth = self.truth(place);
        let is_sound = !self.is_tainted(place) && !self.has_failed_since(place);
        let now = self.clock;
        let fed = &mut self.watchers.feeds[at];
        fed.last = told.last().copied().unwrap_or(last);
        fed.is_shaky = !is_sound || truth != Ok(fed.last);
        fed.expected.clear();
        fed.since = now;
        !is_shaky
    }
}

/// The values that differ from the one before, and those that don't.
fn distinct(last: Option<i64>, told: &[Option<i64>]) -> (Vec<Option<i64>>, Vec<Option<i64>>) {
    let befores = [last].into_iter().chain(told.iter().copied());
    let (new, again): (Vec<_>, Vec<_>) = told
        .iter()
        .copied()
        .zip(befores)
        .partition(|(now, before)| now != before);
    let nows = |pairs: Vec<(Option<i64>, _)>| pairs.into_iter().map(|(now, _)| now).collect();
    (nows(new), nows(again))
}

fn numbers(feed: &Feed<Value>) -> Vec<Option<i64>> {
    let told = feed.drain().map(|value| value.as_ref().map(Value::number));
    told.collect()
}

impl Table {
    /// Makes two feeds of a row.
    #[expect(
        clippy::clone_on_copy,
        reason = "a keyless handle is `Copy`, a row of a family is not"
    )]
    pub(crate) fn feed(&mut self, cog: u8, key: u8, keeps_newest: bool) {
        let place = self.model().readable(cog, key);
        if FEEDS_MAX <= self.feeds.len() || self.model().truth(place).is_err() {
            return;
        }
        let depth = if keeps_newest {
            Depth::Newest(FEW)
        } else {
            Depth::Oldest(FEW)
        };
        let (handle, arena) = (self.desk.game.handle(place.cog), &mut self.arena);
        let ending = guarded(|| {
            with_row!(handle, place.key, row => {
                (arena.feed(row.clone(), Depth::Unbounded), arena.feed(row.clone(), depth))
            })
        });
        let (all, few) = match ending {
            Ok(both) => both,
            Err(payload) => return self.turn_is_over(Ending::<()>::Err(payload)),
        };
        self.turn_is_over(Ending::Ok(()));
        let (told, lately) = (numbers(&all), numbers(&few));
        let mut model = self.model();
        let (truth, since) = (model.truth(place), model.clock);
        let last = told.last().copied().flatten();
        if told.is_empty() || lately.is_empty() || truth.is_ok() && truth != Ok(last) {
            model.complain(format!(
                "{place:?} was fed {told:?} and {lately:?} first, where {truth:?} is right"
            ));
        }
        let is_shaky = truth.is_err() || model.is_tainted(place);
        model.watchers.feeds.push(Fed {
            place,
            expected: Vec::new(),
            last,
            is_shaky,
            since,
        });
        drop(model);
        let lost = few.lost();
        self.feeds.push(Pair {
            all,
            few,
            keeps_newest,
            lost,
        });
    }

    /// Drops the two feeds of a row.
    pub(crate) fn drop_feed(&mut self, number: u8) {
        if self.feeds.is_empty() {
            return;
        }
        let at = usize::from(number) % self.feeds.len();
        drop(self.feeds.swap_remove(at));
        let watchers = &mut self.model().watchers;
        let place = watchers.feeds.swap_remove(at).place;
        watchers.unfed.push(place);
    }

    /// Reads all feeds to their end.
    pub(crate) fn read_feeds(&mut self) {
        for at in 0..self.feeds.len() {
            let pair = &mut self.feeds[at];
            let (all, few) = (numbers(&pair.all), numbers(&pair.few));
            let lost = std::mem::replace(&mut pair.lost, pair.few.lost());
            let (lost, kept) = (pair.lost - lost, all.len().min(FEW));
            let right = if pair.keeps_newest {
                &all[all.len() - kept..]
            } else {
                &all[..kept]
            };
            let mut model = self.desk.game.model();
            let was_foretold = model.feed_is_read(at, &all);
            if was_foretold && (few != right || lost != (all.len() - kept) as u64) {
                model.complain(format!(
                    "of {all:?} a short feed kept {few:?} and lost {lost}"
                ));
            }
        }
    }
}
