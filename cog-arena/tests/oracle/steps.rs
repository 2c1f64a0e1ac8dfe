//! A turn in steps, as a host takes it, with what is published in the middle.
//!
//! Takes: a body. Leaves: the turn done, its publications compared with the model. Never: takes a
//! step out of order.

use crate::net::audit::Published;
use crate::net::bodies::body;
use crate::net::drive::{Ending, Table, check_ending, guarded};
use crate::net::functions::Handle;
use crate::net::ops::{Form, Look, Write};
use crate::net::staging::Outcome;
use crate::net::value::{Tag, Value};
use std::sync::Arc;

impl Table {
    /// One turn in steps.
    pub(crate) fn turn_in_steps(&mut self, writes: &[Write], form: Form) {
        self.model().in_steps = true;
        let mut ending: Ending<()> = Ok(());
        while let Err(payload) = guarded(|| self.arena.begin()) {
            // The body of a queued turn failed, and that turn is over.
            ending = Err(payload);
        }
        self.write_in_two(writes, form);
        let generations = self.model().generations.clone();
        let outcome = self.model().commit();
        self.model().in_steps = false;
        let settled = guarded(|| self.arena.settle());
        let is_open = settled.is_ok();
        if is_open != (outcome == Outcome::Committed) {
            self.model().complain(format!(
                "a commit was {outcome:?}, and settling went on: {is_open}"
            ));
        }
        ending = ending.and(settled);
        if is_open {
            self.check_counts();
            self.check_publications(&generations);
            let committed_at = self.model().committed_at;
            self.resynced_at = committed_at;
            if matches!(form, Form::StepsWithReads) {
                self.look_around(writes);
            }
            self.arena.publish();
            self.arena.run_reactions();
            ending = ending.and(guarded(|| self.arena.release()).map(drop));
        }
        let mut model = self.model();
        model.flush_ended();
        check_ending(&mut model, &ending, "a turn in steps");
    }

    /// In two halves, because a host may ask for the writer as often as it likes, and hold something in between.
    fn write_in_two(&mut self, writes: &[Write], form: Form) {
        let (first, second) = writes.split_at(writes.len() / 2);
        self.write_some(first);
        match form {
            Form::StepsWithHold {
                cog, whole: true, ..
            } => self.hold_family(cog),
            Form::StepsWithHold { cog, key, .. } => self.hold(cog, key),
            _ => {}
        }
        self.write_some(second);
    }

    fn write_some(&mut self, writes: &[Write]) {
        let desk = Arc::clone(&self.desk);
        let arena = &mut self.arena;
        let written = guarded(|| body(&desk, &mut arena.writer(), writes, false));
        if let Err(payload) = written {
            self.unwound(payload, "a writer between begin and settle");
        }
    }

    fn check_counts(&self) {
        let (runs, counts) = (self.model().runs, self.arena.counts());
        if counts.run != runs {
            self.model()
                .complain(format!("the arena counted {} runs of {runs}", counts.run));
        }
    }

    fn check_publications(&mut self, before: &[Vec<u32>; 2]) {
        let mut mirrors = std::mem::take(&mut self.mirrors);
        for (&cog, mirror) in &mut mirrors {
            let Some(moved) = self.moved(cog) else {
                continue;
            };
            let mut model = self.model();
            let replaced = match model.specs[cog].space {
                Some(space) => before[space]
                    .iter()
                    .zip(&model.generations[space])
                    .map(|(old, new)| old != new)
                    .collect(),
                None => vec![false],
            };
            mirror.publish(&mut model, cog, &moved, &replaced);
        }
        self.mirrors = mirrors;
    }

    /// What this turn publishes of a held derived cog.
    fn moved(&self, cog: usize) -> Option<Vec<Published>> {
        match self.desk.game.handle(cog) {
            Handle::Derived(cog) => {
                let moved = self.arena.moved_value(cog);
                Some(
                    moved
                        .map(|value| (0, value.map(Value::number)))
                        .into_iter()
                        .collect(),
                )
            }
            Handle::DerivedFamily(family) => {
                let moved = self.arena.moved(family);
                let listed: Vec<_> = moved.iter().collect();
                if listed.len() != moved.len() || listed.is_empty() != moved.is_empty() {
                    self.model().complain(format!(
                        "{} moved rows of cog {cog} are counted as {}",
                        listed.len(),
                        moved.len()
                    ));
                }
                for row in &listed {
                    let found = moved.get(row.slot).map(|value| value.map(Value::number));
                    if row.value.is_some() && found != Some(row.value.map(Value::number)) {
                        self.model().complain(format!(
                            "the moved row {:?} of cog {cog} is {found:?} by slot",
                            row.key
                        ));
                    }
                }
                Some(
                    listed
                        .iter()
                        .map(|row| (Tag::number(row.key), row.value.map(Value::number)))
                        .collect(),
                )
            }
            Handle::Source(_) | Handle::SourceFamily(_) => None,
        }
    }

    /// Reads a few rows between two steps.
    fn look_around(&mut self, writes: &[Write]) {
        for at in 0..u8::try_from(writes.len()).unwrap_or(3) {
            let place = self.model().readable(at.wrapping_mul(37), at);
            self.look(Look::Lookup, place);
        }
    }
}
