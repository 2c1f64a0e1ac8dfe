//! The naive model: plain tables, every value recomputed from the sources on demand.
//!
//! Takes: what was committed, and which rows the arena ran. Leaves: the truth about any row.
//! Never: asks the arena. What it remembers of a run is only what a run's result may depend on
//! (the value before, where equality or the function looks at it) and what the run read.

use crate::net::spec::{Equality, Fault, How, Kind, Place, Role, Spec, Truth, play};
use crate::net::staging::Staged;
use crate::net::value::{BOMB, Fuse, third};
use crate::net::watchers::Watchers;
use std::sync::Arc;

/// What the model remembers of a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// A source's committed value; nothing is absent, or a total family's first value.
    pub(crate) value: Option<i64>,
    /// What the last completed run left.
    pub(crate) stored: Option<i64>,
    /// Whether a run was completed.
    pub(crate) ran: bool,
    /// Whether the last run failed.
    pub(crate) failed: bool,
    /// When the last run failed.
    pub(crate) failed_at: u64,
    /// The arena runs it, though it need not: something that it needs had failed meanwhile.
    pub(crate) runs_again: bool,
    /// When the last run was completed.
    pub(crate) ran_at: u64,
    /// When the value last really changed.
    pub(crate) changed_at: u64,
    /// When there last was no value.
    pub(crate) absent_at: u64,
    /// What the last completed run read through a reader, in order, each once.
    pub(crate) reads: Vec<Place>,
    /// Everything the last completed run depends on, with what it saw: declared inputs first.
    pub(crate) seen: Vec<(Place, Option<i64>)>,
    /// Runs since the last commit.
    pub(crate) runs: u32,
}

/// What the model works out once per commit, for one row.
#[derive(Clone, Copy, Debug, Default)]
struct Memo {
    truth: Option<Truth>,
    needs_run: Option<bool>,
    finding_truth: bool,
    finding_need: bool,
}

/// Everything both sides of the game share.
#[derive(Debug)]
pub(crate) struct Model {
    /// What all values share.
    pub(crate) fuse: Arc<Fuse>,
    /// All cogs, in the order of their declaration.
    pub(crate) specs: Vec<Arc<Spec>>,
    /// For each cog, its rows by key.
    pub(crate) rows: Vec<Vec<Row>>,
    /// For each key space, who is a member.
    pub(crate) members: [Vec<bool>; 2],
    /// For each key space and key, how often it was removed.
    pub(crate) generations: [Vec<u32>; 2],
    /// When the last turn was committed.
    pub(crate) committed_at: u64,
    /// Counts everything that happens.
    pub(crate) clock: u64,
    /// The turn body in progress.
    pub(crate) staged: Option<Staged>,
    /// A body has ended; what it staged is committed before anything else happens.
    pub(crate) commit_due: bool,
    /// The host takes the turn in steps and commits by itself.
    pub(crate) in_steps: bool,
    /// Function runs begun since the turn was opened.
    pub(crate) runs: u64,
    /// Planted failures since the last look.
    pub(crate) booms: u32,
    /// Something failed outside a turn: the next one may unwind.
    pub(crate) may_unwind: bool,
    /// Reactions.
    pub(crate) watchers: Watchers,
    /// What went wrong.
    pub(crate) complaints: Vec<String>,
    memos: Vec<Vec<Memo>>,
    keys: u32,
}

impl Model {
    /// A model of two key spaces with `keys` keys each.
    pub(crate) fn new(keys: u32) -> Self {
        Self {
            fuse: Arc::default(),
            specs: Vec::new(),
            rows: Vec::new(),
            members: [vec![false; keys as usize], vec![false; keys as usize]],
            generations: [vec![0; keys as usize], vec![0; keys as usize]],
            committed_at: 0,
            clock: 1,
            staged: None,
            commit_due: false,
            in_steps: false,
            runs: 0,
            booms: 0,
            may_unwind: false,
            watchers: Watchers::default(),
            complaints: Vec::new(),
            memos: Vec::new(),
            keys,
        }
    }

    /// Adds a cog.
    pub(crate) fn declare(&mut self, spec: Arc<Spec>) {
        let rows = if spec.space.is_some() {
            self.keys as usize
        } else {
            1
        };
        self.rows.push(vec![Row::default(); rows]);
        self.memos.push(vec![Memo::default(); rows]);
        self.specs.push(spec);
        let cog = self.specs.len() - 1;
        let is_source = self.specs[cog].is_source();
        if self.specs[cog].kind == Kind::Total || !is_source && is_partial(&self.specs, cog) {
            // Whether there was a value to be compared with is not always known.
            self.fuse.exempt(cog);
        }
    }

    /// What is remembered of `place`.
    pub(crate) fn row(&self, place: Place) -> &Row {
        &self.rows[place.cog][place.key as usize]
    }

    /// The same, to change.
    pub(crate) fn row_mut(&mut self, place: Place) -> &mut Row {
        &mut self.rows[place.cog][place.key as usize]
    }

    fn memo(&mut self, place: Place) -> &mut Memo {
        &mut self.memos[place.cog][place.key as usize]
    }

    /// Notes that something is wrong.
    pub(crate) fn complain(&mut self, complaint: String) {
        if self.complaints.len() < 8 {
            self.complaints.push(complaint);
        }
    }

    /// The next moment.
    pub(crate) fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// Forgets everything worked out so far, because a source, a member or the bomb changed.
    pub(crate) fn forget(&mut self) {
        for memos in &mut self.memos {
            memos.fill(Memo::default());
        }
    }

    /// What a source row reads as.
    pub(crate) fn committed(&self, place: Place) -> Option<i64> {
        let spec = &self.specs[place.cog];
        let value = self.row(place).value;
        match spec.kind {
            Kind::Source | Kind::Total => value.or(Some(first(spec, place.key))),
            _ => value,
        }
    }

    /// What `place` holds, from the sources up.
    pub(crate) fn truth(&mut self, place: Place) -> Truth {
        if let Some(truth) = self.memo(place).truth {
            return truth;
        }
        if std::mem::replace(&mut self.memo(place).finding_truth, true) {
            return Err(Fault::Cycle);
        }
        let truth = self.recompute(place);
        self.memo(place).finding_truth = false;
        self.memo(place).truth = Some(truth);
        truth
    }

    fn recompute(&mut self, place: Place) -> Truth {
        let spec = Arc::clone(&self.specs[place.cog]);
        if spec.is_source() {
            return Ok(self.committed(place));
        }
        if (spec.is_sticky() || self.fuse.is_armed()) && !self.needs_run(place) {
            return Ok(self.row(place).stored);
        }
        let mut inputs = Vec::new();
        let mut missing = false;
        for (input, required) in spec.declared(place.key) {
            let value = self.truth(input)?;
            missing |= required && value.is_none();
            inputs.push(value);
        }
        if missing {
            return Ok(None);
        }
        let previous = self.row(place).stored;
        let value = play(&spec, place, &inputs, previous, &mut |read, how| {
            self.truth_for(read, how)
        })?;
        self.after_equality(place, value)
    }

    /// A run of `place` was completed: it needs none until something else happens, and what it left is right.
    pub(crate) fn remember_run(&mut self, place: Place, stored: Option<i64>) {
        let memo = self.memo(place);
        memo.needs_run = Some(false);
        memo.truth = Some(Ok(stored));
    }

    /// What a read of `place` gives.
    pub(crate) fn truth_for(&mut self, place: Place, how: How) -> Truth {
        match self.truth(place)? {
            None if how == How::Get => Err(Fault::Missing),
            value => Ok(value),
        }
    }

    /// What is stored when a run of `place` gives `value`.
    pub(crate) fn after_equality(&self, place: Place, value: Option<i64>) -> Truth {
        let row = self.row(place);
        let (Some(old), Some(new)) = (row.stored, value) else {
            return Ok(value);
        };
        match self.specs[place.cog].equality {
            Equality::Exact
                if self.fuse.is_armed_for(place.cog) && (old == BOMB || new == BOMB) =>
            {
                Err(Fault::Bomb)
            }
            Equality::Coarse if third(old) == third(new) => Ok(Some(old)),
            _ => Ok(value),
        }
    }

    /// Whether the next read of `place` has to run its function.
    pub(crate) fn needs_run(&mut self, place: Place) -> bool {
        if let Some(needs) = self.memo(place).needs_run {
            return needs;
        }
        if std::mem::replace(&mut self.memo(place).finding_need, true) {
            return true;
        }
        let row = self.row(place);
        let fresh = !row.ran || row.failed || row.runs_again;
        let since = row.ran_at;
        let seen = self.row(place).seen.clone();
        let needs = fresh
            || seen
                .into_iter()
                .any(|(read, value)| self.will_have_moved(read, since, value));
        self.memo(place).finding_need = false;
        self.memo(place).needs_run = Some(needs);
        needs
    }

    /// Whether `place`, once settled, has another value than at `since`, when it was `seen`.
    pub(crate) fn will_have_moved(&mut self, place: Place, since: u64, seen: Option<i64>) -> bool {
        if since < self.row(place).changed_at {
            return true;
        }
        let runs = !self.specs[place.cog].is_source() && self.needs_run(place);
        let row = self.row(place);
        let was_there = self.specs[place.cog].is_source() || !row.ran || seen == row.stored;
        if !runs && was_there && !self.may_have_been_absent(place, since) {
            return false;
        }
        let always = runs && self.specs[place.cog].equality == Equality::Always;
        match self.truth(place) {
            Err(_) => true,
            Ok(value) => value != seen || always && value.is_some(),
        }
    }

    /// Whether `place` was seen to change after `since`: what justifies a run.
    pub(crate) fn has_moved(&self, place: Place, since: u64) -> bool {
        let row = self.row(place);
        since < row.changed_at || row.failed || self.may_have_been_absent(place, since)
    }

    /// Whether `place` may have lost its value for a while after `since`, without a run to show it.
    pub(crate) fn may_have_been_absent(&self, place: Place, since: u64) -> bool {
        if since < self.row(place).absent_at {
            return true;
        }
        let spec = &self.specs[place.cog];
        let is_gone = spec.is_source() && self.committed(place).is_none();
        is_gone && since < self.row(place).changed_at
            || spec
                .declared(place.key)
                .any(|(input, required)| required && self.may_have_been_absent(input, since))
    }

    /// Forgets all rows of a key that was removed. Those that held something have changed.
    pub(crate) fn drop_key(&mut self, space: usize, key: u32) {
        let now = self.tick();
        self.generations[space][key as usize] += 1;
        for cog in 0..self.specs.len() {
            if self.specs[cog].space != Some(space) {
                continue;
            }
            let place = Place { cog, key };
            let held = self.specs[cog].is_source() && self.committed(place).is_some();
            let holds = self.row(place).stored.is_some();
            let held = held || holds && self.truth(place) != Ok(None);
            let row = self.row_mut(place);
            let changed_at = if held { now } else { row.changed_at };
            *row = Row {
                changed_at,
                absent_at: now,
                runs: row.runs,
                ..Row::default()
            };
        }
    }

    /// How often the key of `place` was removed.
    pub(crate) fn generation(&self, place: Place) -> u32 {
        self.specs[place.cog]
            .space
            .map_or(0, |space| self.generations[space][place.key as usize])
    }

    /// Whether the key of `place` is a member, or there is no key.
    pub(crate) fn is_member(&self, place: Place) -> bool {
        self.specs[place.cog]
            .space
            .is_none_or(|space| self.members[space][place.key as usize])
    }

    /// A row that may be read from outside, for raw numbers.
    pub(crate) fn readable(&self, cog: u8, key: u8) -> Place {
        let all: Vec<_> = (0..self.specs.len())
            .filter(|&cog| !self.specs[cog].hidden)
            .collect();
        let cog = all[usize::from(cog) % all.len()];
        let keys = u32::try_from(self.rows[cog].len()).expect("a few keys");
        Place {
            cog,
            key: u32::from(key) % keys,
        }
    }

    /// Every row of every cog.
    pub(crate) fn places(&self) -> Vec<Place> {
        let keys = |cog: usize| u32::try_from(self.rows[cog].len()).expect("a few keys");
        (0..self.specs.len())
            .flat_map(|cog| (0..keys(cog)).map(move |key| Place { cog, key }))
            .collect()
    }

    /// How many tracked consumers the last runs left `place`, at least and at most.
    ///
    /// A row that gets its declared inputs reads nothing while one of them is missing; whether
    /// that was noticed is not known.
    pub(crate) fn consumer_count(&self, place: Place) -> (usize, usize) {
        let (mut least, mut most) = self.watchers.consumer_count(place);
        for (cog, rows) in self.rows.iter().enumerate() {
            let reading = rows.iter().filter(|row| row.reads.contains(&place)).count();
            let is_sure = !self.specs[cog].is_mixed() || !is_partial(&self.specs, cog);
            least += if is_sure { reading } else { 0 };
            most += reading;
        }
        (least, most)
    }
}

/// The value that `key` has before it is written.
pub(crate) fn first(spec: &Spec, key: u32) -> i64 {
    spec.seed + i64::from(key) % 3
}

/// Whether a value can be missing at all.
pub(crate) fn is_partial(specs: &[Arc<Spec>], cog: usize) -> bool {
    let spec = &specs[cog];
    let required = spec.inputs.iter().filter_map(|role| match role {
        Role::Aligned(input) | Role::Shared(input) => Some(*input),
        _ => None,
    });
    matches!(spec.kind, Kind::Absent | Kind::Member)
        || spec.nothing.is_some()
        || required.into_iter().any(|input| is_partial(specs, input))
}
