//! What a turn body has staged, and what becomes of it at the commit.
//!
//! Takes: the writes of a body, one by one. Leaves: rows that changed, keys that came and went,
//! and the reactions that must now run. Never: runs a function.

use crate::net::model::Model;
use crate::net::spec::{Equality, Kind, Place};
use crate::net::value::{BOMB, third};
use std::collections::BTreeMap;

/// The staged state: what was written over what is committed.
#[derive(Clone, Debug)]
pub(crate) struct Staged {
    values: BTreeMap<Place, Option<i64>>,
    members: [Vec<bool>; 2],
    dropped: [Vec<bool>; 2],
}

/// What a commit led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// What was staged is committed.
    Committed,
    /// A comparison failed: nothing is.
    Discarded,
}

impl Model {
    /// Opens a body, or does nothing inside one.
    pub(crate) fn open(&mut self) {
        if self.staged.is_none() {
            self.runs = 0;
            let dropped = self
                .members
                .each_ref()
                .map(|members| vec![false; members.len()]);
            self.staged = Some(Staged {
                values: BTreeMap::new(),
                members: self.members.clone(),
                dropped,
            });
        }
    }

    fn staging(&mut self) -> &mut Staged {
        self.staged.as_mut().expect("a body is open")
    }

    /// Stages a value.
    pub(crate) fn stage(&mut self, place: Place, value: i64) {
        let space = self.specs[place.cog].space;
        let staged = self.staging();
        staged.values.insert(place, Some(value));
        if let Some(space) = space {
            staged.members[space][place.key as usize] = true;
        }
    }

    /// Stages a value unless what the writer sees is the same by the cog's equality.
    pub(crate) fn stage_if_different(&mut self, place: Place, value: i64) {
        let seen = self.seen_by_writer(place);
        let is_same = match (self.specs[place.cog].equality, seen) {
            (Equality::Coarse, Some(seen)) => third(seen) == third(value),
            (Equality::Always, _) => false,
            _ => seen == Some(value),
        };
        if !is_same {
            self.stage(place, value);
        } else if let Some(space) = self.specs[place.cog].space {
            self.stage_member(space, place.key);
        }
    }

    /// Stages that `place` holds nothing.
    pub(crate) fn stage_nothing(&mut self, place: Place) {
        self.staging().values.insert(place, None);
    }

    /// Stages a member.
    pub(crate) fn stage_member(&mut self, space: usize, key: u32) {
        self.staging().members[space][key as usize] = true;
    }

    /// Stages the removal of a key; whether it was a member. A key that came in this turn only was never there.
    pub(crate) fn stage_removal(&mut self, space: usize, key: u32) -> bool {
        let was_committed = self.members[space][key as usize];
        let specs = self.specs.clone();
        let staged = self.staging();
        let was_member = std::mem::replace(&mut staged.members[space][key as usize], false);
        if was_member {
            staged.dropped[space][key as usize] |= was_committed;
            staged
                .values
                .retain(|place, _| place.key != key || specs[place.cog].space != Some(space));
        }
        was_member
    }

    /// Whether `key` is a member that the body in progress has not touched: its slot is good.
    pub(crate) fn is_member_in_place(&self, space: usize, key: u32) -> bool {
        let is_dropped = self
            .staged
            .as_ref()
            .is_some_and(|staged| staged.dropped[space][key as usize]);
        self.members[space][key as usize] && !is_dropped
    }

    /// What the writer sees: staged, else committed.
    pub(crate) fn seen_by_writer(&self, place: Place) -> Option<i64> {
        let staged = self.staged.as_ref().expect("a body is open");
        if let Some(value) = staged.values.get(&place) {
            return *value;
        }
        let spec = &self.specs[place.cog];
        if spec
            .space
            .is_some_and(|space| staged.dropped[space][place.key as usize])
        {
            return (spec.kind == Kind::Total).then(|| crate::net::model::first(spec, place.key));
        }
        self.committed(place)
    }

    /// Throws away what was staged.
    pub(crate) fn discard(&mut self) {
        self.staged = None;
        self.commit_due = false;
    }

    /// Commits what an ended body staged, if there is one.
    pub(crate) fn commit_if_due(&mut self) {
        if self.commit_due {
            self.commit();
        }
    }

    /// Makes what was staged current, and works out which reactions must run.
    pub(crate) fn commit(&mut self) -> Outcome {
        self.flush_ended();
        self.attempt += 1;
        self.commit_due = false;
        let Some(staged) = self.staged.take() else {
            return Outcome::Committed;
        };
        if self.is_comparison_failing(&staged) {
            self.booms += 1;
            return Outcome::Discarded;
        }
        for space in 0..2 {
            for key in 0..staged.dropped[space].len() {
                if staged.dropped[space][key] {
                    self.drop_key(space, u32::try_from(key).expect("a few keys"));
                }
            }
        }
        self.forget_strangers(&staged);
        self.members = staged.members;
        let now = self.tick();
        self.committed_at = now;
        for (place, value) in staged.values {
            self.commit_value(place, value, now);
        }
        for row in self.rows.iter_mut().flatten() {
            row.runs = 0;
        }
        self.forget();
        self.expect_reactions();
        self.expect_feeds();
        Outcome::Committed
    }

    /// The arena forgets rows that hold nothing of keys that are no members.
    fn forget_strangers(&mut self, staged: &Staged) {
        for (spec, rows) in self.specs.iter().zip(&mut self.rows) {
            let Some(space) = spec.space else { continue };
            for (key, row) in rows.iter_mut().enumerate() {
                let is_new = staged.members[space][key] && !self.members[space][key];
                if is_new && row.stored.is_none() {
                    row.ran = false;
                }
            }
        }
    }

    fn commit_value(&mut self, place: Place, value: Option<i64>, now: u64) {
        let old = self.committed(place);
        let moved = match (self.specs[place.cog].equality, old, value) {
            (Equality::Always, Some(_), Some(_)) => true,
            (Equality::Coarse, Some(old), Some(new)) => third(old) != third(new),
            _ => old != value,
        };
        let row = self.row_mut(place);
        if moved {
            row.value = value;
            row.changed_at = now;
            if value.is_none() || old.is_none() {
                row.absent_at = now;
            }
        }
    }

    fn is_comparison_failing(&self, staged: &Staged) -> bool {
        staged.values.iter().any(|(place, value)| {
            let is_armed = self.fuse.is_armed_for(place.cog);
            let spec = &self.specs[place.cog];
            let is_dropped = spec
                .space
                .is_some_and(|space| staged.dropped[space][place.key as usize]);
            let old = if is_dropped {
                None
            } else {
                self.committed(*place)
            };
            let (Some(old), Some(new)) = (old, *value) else {
                return false;
            };
            is_armed && spec.equality == Equality::Exact && (old == BOMB || new == BOMB)
        })
    }
}
