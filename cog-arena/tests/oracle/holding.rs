//! Moves that hold rows, register reactions, and let both go again.
//!
//! Takes: raw numbers. Leaves: holds, mirrors for what is held, and watchers in the model. Never:
//! takes a turn by itself.

use crate::net::audit::Mirror;
use crate::net::drive::{Ending, Held, Table, guarded};
use crate::net::functions::{Handle, with_row};
use crate::net::model::is_partial;
use crate::net::ops::StepWish;
use crate::net::planner::step;
use crate::net::reactions::{deliver, react};
use crate::net::spec::{self, How, KEYS, Pick, Stop};
use crate::net::value::Tag;
use crate::net::watchers::Effect;
use cog_arena::{First, Reaction, Step};
use std::sync::Arc;

impl Table {
    /// Holds a row.
    #[expect(
        clippy::clone_on_copy,
        reason = "a keyless handle is `Copy`, a row of a family is not"
    )]
    pub(crate) fn hold(&mut self, cog: u8, key: u8) {
        let place = self.model().readable(cog, key);
        let generation = self.model().generation(place);
        let arena = &mut self.arena;
        let ending = guarded(
            || with_row!(self.desk.game.handle(place.cog), place.key, row => arena.hold(row.clone())),
        );
        match ending {
            Ok(hold) => {
                let now = self.model().clock;
                self.holds.push((Held::Row(place, generation), hold, now));
                if self.model().specs[place.cog].space.is_none() {
                    self.mirror(place.cog);
                }
            }
            Err(payload) => self.turn_is_over(Ending::<()>::Err(payload)),
        }
    }

    /// Follows what is published of a cog.
    fn mirror(&mut self, cog: usize) {
        let settles_now = self.arena.step() == Step::Idle;
        let mirror = Mirror::new(&mut self.desk.game.model(), cog, settles_now);
        self.mirrors.entry(cog).or_insert(mirror);
    }

    /// Holds a family as a whole.
    pub(crate) fn hold_family(&mut self, cog: u8) {
        let place = self.model().readable(cog, 0);
        let arena = &mut self.arena;
        let handle = self.desk.game.handle(place.cog);
        let ending = guarded(|| match handle {
            Handle::DerivedFamily(family) => Some(arena.hold(family)),
            Handle::SourceFamily(family) => Some(arena.hold(family)),
            Handle::Source(_) | Handle::Derived(_) => None,
        });
        match ending {
            Ok(None) => {}
            Ok(Some(hold)) => {
                let now = self.model().clock;
                self.holds.push((Held::Family(place.cog), hold, now));
                self.mirror(place.cog);
            }
            Err(payload) => {
                // The hold is taken for good.
                self.lost.insert(place.cog);
                self.mirror(place.cog);
                self.turn_is_over(Ending::<()>::Err(payload));
            }
        }
    }

    /// Lets a hold go.
    pub(crate) fn let_go(&mut self, number: u8) {
        if self.holds.is_empty() {
            return;
        }
        let (held, hold, _) = self
            .holds
            .swap_remove(usize::from(number) % self.holds.len());
        self.arena.let_go(hold);
        let cog = match held {
            Held::Row(place, _) => place.cog,
            Held::Family(cog) => cog,
        };
        let keyless = self.model().specs[cog].space.is_none();
        let stays = self.holds.iter().any(|(other, ..)| match other {
            Held::Family(other) => *other == cog,
            Held::Row(place, _) => keyless && place.cog == cog,
        });
        if !stays && !self.lost.contains(&cog) {
            self.mirrors.remove(&cog);
        }
    }

    /// Registers a reaction.
    pub(crate) fn react(&mut self, wishes: &[StepWish], effect: Effect) {
        let number = {
            let mut model = self.model();
            let spaces: Vec<_> = model
                .specs
                .iter()
                .map(|spec| (spec.space, spec.hidden))
                .collect();
            let steps = wishes.iter().filter_map(|wish| step(*wish, &spaces, None));
            let steps = steps.map(|step| spec::Step {
                how: if step.how == How::Peek {
                    How::Lookup
                } else {
                    step.how
                },
                ..step
            });
            let number = model.watchers.add(steps.collect(), effect, false);
            if model.is_failing(number) {
                // Whether a reaction stays after a failed first run can't be told from outside.
                model.watchers.list.pop();
                return;
            }
            number
        };
        let (desk, arena) = (Arc::clone(&self.desk), &mut self.arena);
        let ending =
            guarded(|| arena.react(move |reader, later| react(&desk, number, reader, later)));
        match ending {
            Ok(handle) => self.registered(number, handle),
            Err(payload) => self.turn_is_over(Ending::<()>::Err(payload)),
        }
    }

    /// Registers a watch.
    #[expect(
        clippy::clone_on_copy,
        reason = "a keyless handle is `Copy`, a row of a family is not"
    )]
    pub(crate) fn watch(&mut self, cog: u8, key: u8, runs_first: bool, effect: Effect) {
        let (number, place) = {
            let mut model = self.model();
            let place = model.readable(cog, key);
            if is_partial(&model.specs, place.cog) || model.truth(place).is_err() {
                return;
            }
            let keyed = model.specs[place.cog].space.is_some();
            let only = spec::Step {
                cog: place.cog,
                keyed,
                pick: Pick::Fixed(place.key),
                how: How::Lookup,
                stop: Stop::Never,
            };
            let number = model.watchers.add(vec![only], effect, true);
            (number, place)
        };
        let first = if runs_first { First::Run } else { First::Skip };
        let desk = Arc::clone(&self.desk);
        let arena = &mut self.arena;
        let handle = self.desk.game.handle(place.cog);
        let ending = guarded(|| {
            with_row!(handle, place.key, row => {
                arena.watch(row.clone(), first, move |old, new, later| deliver(&desk, number, place, old, new, later))
            })
        });
        if !runs_first {
            // The silent run has settled the row by now.
            self.model().skip_first(number, place);
        }
        match ending {
            Ok(handle) => self.registered(number, handle),
            Err(payload) => self.turn_is_over(Ending::<()>::Err(payload)),
        }
    }

    /// A registration is complete, with the turns that its first run asked for.
    fn registered(&mut self, number: usize, handle: Reaction) {
        self.model().watchers.list[number].handle = Some(handle);
        self.turn_is_over(Ending::Ok(()));
    }

    /// Ends a reaction.
    pub(crate) fn end(&mut self, number: usize) {
        let (handle, was_alive) = {
            let watchers = &mut self.model().watchers;
            if watchers.list.is_empty() {
                return;
            }
            let number = number % watchers.list.len();
            let (handle, was_alive) = (watchers.list[number].handle, watchers.list[number].alive);
            if handle.is_some() {
                watchers.end(number);
            }
            (handle, was_alive)
        };
        if let Some(handle) = handle
            && self.arena.end(handle) != was_alive
        {
            self.model().complain(format!(
                "ending a reaction that was alive ({was_alive}) said otherwise"
            ));
        }
    }

    /// Notes the slots of all live keys, and which are from the past now.
    pub(crate) fn note_slots(&mut self) {
        for space in 0..2 {
            for key in 0..KEYS {
                let slot = self.arena.slot(self.desk.spaces[space], &Tag::new(key));
                if let Some(old) = self.desk.note_slot(space, key, slot) {
                    self.stale.push((space, old));
                }
            }
        }
    }

    /// A slot of a removed key is an error, never another row.
    pub(crate) fn stale(&mut self, cog: u8, number: u8) {
        if self.stale.is_empty() {
            return;
        }
        let (space, slot) = self.stale[usize::from(number) % self.stale.len()];
        self.check_stale(cog, space, slot);
    }
}
