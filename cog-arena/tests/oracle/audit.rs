//! The checks after every move: invariants, held rows, members, publications.
//!
//! Takes: both sides. Leaves: complaints, and a panic if there are any. Never: makes a row run
//! that the game did not ask for; what is not held is read by moves only.

use crate::net::drive::{Held, Table, describe, guarded};
use crate::net::functions::{Handle, with_row};
use crate::net::model::{Model, is_partial};
use crate::net::ops::Look;
use crate::net::spec::{Equality, KEYS, Kind, Place};
use crate::net::value::{Tag, Value};
use cog_arena::{KeySlot, ReadError};
use std::collections::{BTreeMap, BTreeSet};

/// What the publications of a held cog add up to.
#[derive(Debug, Default)]
pub(crate) struct Mirror {
    rows: BTreeMap<u32, i64>,
    /// Rows of which a publication may have been missed, because a turn was not taken in steps.
    unknown: BTreeSet<u32>,
    /// Nothing was published yet: the value that the hold of a keyless cog found may be published, or not.
    is_fresh: bool,
}

/// One published row: the key, its generation then, and the value.
pub(crate) type Published = (u32, Option<i64>);

impl Mirror {
    /// A mirror of a cog that is held from now on. The first turn publishes all rows of a family. The value of a keyless
    /// one is there to be read, unless the hold settles nothing before its turn does.
    pub(crate) fn new(model: &mut Model, cog: usize, settles_now: bool) -> Self {
        let mut mirror = Self::default();
        if model.specs[cog].space.is_none() {
            mirror.is_fresh = true;
            if settles_now {
                mirror.resync(model, cog);
            } else {
                mirror.unknown.insert(0);
            }
        }
        mirror
    }

    /// Takes in what a turn published, and compares it with the model.
    pub(crate) fn publish(
        &mut self,
        model: &mut Model,
        cog: usize,
        moved: &[Published],
        replaced: &[bool],
    ) {
        let always = model.specs[cog].equality == Equality::Always;
        let mut seen = BTreeSet::new();
        for &(key, value) in moved {
            let old = self.rows.get(&key).copied();
            // One that failed, and now has nothing, may be told of though it never was.
            let is_empty = value.is_none() && model.has_ever_failed(Place { cog, key });
            let excused = always
                || is_empty
                || self.is_fresh
                || replaced[key as usize]
                || self.unknown.contains(&key);
            if !seen.insert(key) && !replaced[key as usize] {
                model.complain(format!("cog {cog} published key {key} twice"));
            }
            if old == value && !excused {
                model.complain(format!("cog {cog} published {value:?} for key {key} again"));
            }
            match value {
                Some(value) => self.rows.insert(key, value),
                None => self.rows.remove(&key),
            };
            self.unknown.remove(&key);
        }
        self.is_fresh = false;
        for key in 0..u32::try_from(model.rows[cog].len()).expect("a few keys") {
            let Some(right) = model.published_truth(Place { cog, key }) else {
                self.unknown.insert(key);
                continue;
            };
            let found = self.rows.get(&key).copied();
            if found != right && !self.unknown.contains(&key) {
                model.complain(format!("publications of cog {cog} leave {found:?} for key {key}, where {right:?} is right"));
            }
        }
    }

    /// Takes the truth for what a turn published, since nobody looked.
    pub(crate) fn resync(&mut self, model: &mut Model, cog: usize) {
        for key in 0..u32::try_from(model.rows[cog].len()).expect("a few keys") {
            match model.published_truth(Place { cog, key }) {
                Some(Some(value)) => drop(self.rows.insert(key, value)),
                Some(None) => drop(self.rows.remove(&key)),
                None => drop(self.unknown.insert(key)),
            }
        }
    }
}

impl Model {
    /// What a host that follows publications shows for a row; nothing is known of failed ones.
    fn published_truth(&mut self, place: Place) -> Option<Option<i64>> {
        let space = self.specs[place.cog].space;
        if space.is_some_and(|space| !self.members[space][place.key as usize]) {
            return Some(None);
        }
        let truth = self.truth(place).ok();
        truth.filter(|_| !self.is_tainted(place))
    }

    /// How many tracked consumers the last runs left `place`, at least and at most.
    ///
    /// A row that gets its declared inputs reads nothing while one of them is missing; whether
    /// that was noticed is not known.
    fn consumer_count(&self, place: Place) -> (usize, usize) {
        let (mut least, mut most) = self.watchers.feed_count(place);
        for watcher in self.watchers.list.iter().filter(|watcher| watcher.alive) {
            let reading = watcher.reads.iter().filter(|(read, _)| *read == place);
            let count = reading.count();
            // One that failed may have done so after it had read everything: to the model that was a complete run.
            least += if watcher.failed { 0 } else { count };
            most += count;
        }
        for (cog, rows) in self.rows.iter().enumerate() {
            let reading = rows.iter().filter(|row| row.reads.contains(&place)).count();
            let is_sure = !self.specs[cog].is_mixed() || !is_partial(&self.specs, cog);
            least += if is_sure { reading } else { 0 };
            most += reading;
        }
        (least, most)
    }
}

impl Table {
    /// Everything that must hold between two moves.
    pub(crate) fn audit(&mut self) {
        let ending = guarded(|| self.arena.check());
        if let Err(payload) = ending {
            let message = describe(&*payload);
            self.model()
                .complain(format!("an invariant is broken: {message}"));
        }
        self.note_slots();
        self.check_members();
        self.check_held();
        self.check_reactions_inputs();
        let complaints = std::mem::take(&mut self.model().complaints);
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }

    fn check_members(&self) {
        for space in 0..2 {
            let (handle, members) = (self.desk.spaces[space], self.model().members[space].clone());
            let right: BTreeSet<_> = (0..KEYS).filter(|&key| members[key as usize]).collect();
            let listed: Vec<_> = self.arena.keys(handle).map(Tag::number).collect();
            let found: BTreeSet<_> = listed.iter().copied().collect();
            let asked: BTreeSet<_> = (0..KEYS)
                .filter(|&key| self.arena.contains(handle, &Tag::new(key)))
                .collect();
            if found != right
                || asked != right
                || listed.len() != right.len()
                || self.arena.len(handle) != right.len()
            {
                let len = self.arena.len(handle);
                let complaint = format!(
                    "members of space {space} are {listed:?}, {asked:?}, {len}, where {right:?} is right"
                );
                self.model().complain(complaint);
            }
        }
    }

    /// Everything held is settled and right after a turn.
    fn check_held(&self) {
        for (held, _, since) in &self.holds {
            if self.model().committed_at <= *since {
                continue;
            }
            match *held {
                Held::Row(place, generation) if generation == self.model().generation(place) => {
                    self.check_hot(place);
                }
                Held::Row(..) => {}
                Held::Family(cog) => {
                    for key in 0..KEYS {
                        let place = Place { cog, key };
                        let is_member = self.model().is_member(place);
                        if is_member {
                            self.check_hot(place);
                        }
                    }
                }
            }
        }
    }

    fn check_reactions_inputs(&self) {
        let reads: Vec<_> = {
            let model = self.model();
            let healthy = model
                .watchers
                .list
                .iter()
                .filter(|watcher| watcher.alive && !watcher.failed);
            let reads = healthy.flat_map(|watcher| watcher.reads.iter().map(|(place, _)| *place));
            let fed = model.watchers.feeds.iter().map(|fed| fed.place);
            reads.chain(fed).collect()
        };
        for place in reads {
            self.check_hot(place);
        }
    }

    fn check_hot(&self, place: Place) {
        let truth = self.model().truth(place);
        let Ok(right) = truth else { return };
        if self.model().is_tainted(place) || self.model().has_failed_since(place) {
            // It, or what it needs, is tried again when it is read, or when an input moves. Who waits for one that
            // recovered is settled in the next turn.
            return;
        }
        let found =
            with_row!(self.desk.game.handle(place.cog), place.key, row => self.arena.settled(row));
        let found = found.map(Value::number);
        // A total family's first value is made by a read that may change the arena.
        let is_unmade = found.is_none() && self.model().specs[place.cog].kind == Kind::Total;
        if found != right && !is_unmade {
            self.model().complain(format!(
                "{place:?} is hot and holds {found:?}, where {right:?} is right"
            ));
        }
    }

    /// Reads a row from outside.
    pub(crate) fn look(&mut self, look: Look, place: Place) {
        self.model().attempt += 1;
        let handle = self.desk.game.handle(place.cog);
        let arena = &mut self.arena;
        let key = place.key;
        let found = guarded(|| match look {
            Look::Read => with_row!(handle, key, row => Ok(Some(arena.read(row).number()))),
            Look::Lookup => with_row!(handle, key, row => Ok(arena.lookup(row).map(Value::number))),
            Look::TryRead => {
                with_row!(handle, key, row => arena.try_read(row).map(|value| Some(value.number())))
            }
            Look::Settled => {
                with_row!(handle, key, row => Ok(arena.settled(row).map(Value::number)))
            }
        });
        let mut model = self.model();
        model.attempt += 1;
        // What failed beside the row that was read is raised by the next turn.
        model.may_unwind |= 0 < std::mem::take(&mut model.booms);
        // The model may have learned only from the run that there was one to come.
        let truth = model.truth(place);
        let is_right = match (&found, look) {
            (Ok(Ok(value)), Look::Settled) => value.is_none() || truth == Ok(*value),
            (Ok(Ok(value)), _) => truth == Ok(*value),
            (Ok(Err(ReadError::Absent { .. })), _) => matches!(truth, Ok(None) | Err(_)),
            (Err(_), Look::Read) => matches!(truth, Ok(None) | Err(_)),
            (Ok(Err(ReadError::Cycle(_))), _) | (Err(_), Look::TryRead | Look::Lookup) => {
                truth.is_err()
            }
            (Ok(Err(_)), _) | (Err(_), Look::Settled) => false,
        };
        if !is_right {
            let found = match found {
                Ok(found) => format!("{found:?}"),
                Err(payload) => describe(&*payload),
            };
            model.complain(format!(
                "{look:?} of {place:?} gave {found}, where {truth:?} is right"
            ));
        }
        drop(model);
        self.check_consumers(place);
    }

    fn check_consumers(&self, place: Place) {
        let (least, most) = self.model().consumer_count(place);
        // A failed run leaves the reads of the last one that was completed, and adds its own.
        let most = if self.model().has_failures() {
            usize::MAX
        } else {
            most
        };
        let found = with_row!(self.desk.game.handle(place.cog), place.key, row => self.arena.consumer_count(row));
        if found < least || most < found {
            let complaint =
                format!("{place:?} counts {found} consumers, where {least} to {most} is right");
            self.model().complain(complaint);
        }
    }

    /// A slot from the past finds nothing, and certainly not the row that now lives there.
    pub(crate) fn check_stale(&mut self, cog: u8, space: usize, slot: KeySlot<Tag>) {
        if let Some(key) = self.arena.key(slot) {
            let complaint = format!("a stale slot of space {space} still has the key {key:?}");
            self.model().complain(complaint);
        }
        let families: Vec<_> = {
            let model = self.model();
            (0..model.specs.len())
                .filter(|&cog| model.specs[cog].space == Some(space))
                .collect()
        };
        let cog = families[usize::from(cog) % families.len()];
        let error = match self.desk.game.handle(cog) {
            Handle::SourceFamily(family) => self.arena.try_read(family.at_slot(slot)).err(),
            Handle::DerivedFamily(family) => self.arena.try_read(family.at_slot(slot)).err(),
            Handle::Source(_) | Handle::Derived(_) => Some(ReadError::Stale),
        };
        if !matches!(error, Some(ReadError::Stale)) {
            self.model()
                .complain(format!("reading cog {cog} at a stale slot gave {error:?}"));
        }
        let arena = &mut self.arena;
        let mut removed = false;
        let ending = guarded(|| arena.turn(|writer| removed = writer.remove_slot(slot)));
        if removed {
            self.model().complain(format!(
                "removing a stale slot of space {space} did something"
            ));
        }
        // Reactions may have run, and nobody looked at what the turn published.
        self.turn_is_over(ending);
        self.resync_mirrors();
    }

    /// Brings the mirrors up to date after turns whose publications nobody looked at.
    pub(crate) fn resync_mirrors(&mut self) {
        let mut mirrors = std::mem::take(&mut self.mirrors);
        let mut model = self.model();
        for (&cog, mirror) in &mut mirrors {
            mirror.resync(&mut model, cog);
        }
        drop(model);
        self.mirrors = mirrors;
    }
}
