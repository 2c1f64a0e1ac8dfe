//! What the arena runs as reactions and watches.
//!
//! Takes: readers from the arena. Leaves: in the model what each saw, and turns in the queue.
//! Never: keeps the model locked while the arena has control.

use crate::net::bodies::{Desk, queued_body};
use crate::net::functions::{Game, Given, Reading};
use crate::net::ops::Write;
use crate::net::spec::{How, Place, play_steps};
use crate::net::value::{Value, boom};
use crate::net::watchers::{Effect, REACTION};
use cog_arena::{Later, Reader};
use std::sync::Arc;

/// Reactions in a game at most.
const REACTIONS_MAX: usize = 12;

/// One run of one reaction. Dropped before its end, it is a failed one.
struct Reacting<'g, 'a> {
    game: &'g Game,
    number: usize,
    reading: Reading<'g, 'a>,
    is_over: bool,
}

impl Drop for Reacting<'_, '_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.reading.check_failure();
            self.game.model().reaction_failed(self.number);
        }
    }
}

/// Reaction `number` runs.
pub(crate) fn react(desk: &Arc<Desk>, number: usize, reader: &Reader<'_>, later: &mut Later<'_>) {
    let game = &*desk.game;
    let steps = {
        let mut model = game.model();
        model.reaction_begins(number);
        model.watchers.list[number].steps.clone()
    };
    let mut run = Reacting {
        game,
        number,
        reading: Reading::new(game, REACTION),
        is_over: false,
    };
    let given = Given {
        reader: Some(reader),
        ..Given::default()
    };
    let mut seen = Vec::new();
    let sum = play_steps(&steps, REACTION, 0, &mut |place, how| {
        let value = run.reading.read(&given, place, how);
        seen.push(value);
        Ok(value)
    });
    run.reading.check_lent();
    let was_new = {
        let mut model = game.model();
        let was_new = model.watchers.list[number].is_new;
        model.reaction_has_read(number, std::mem::take(&mut run.reading.reads), seen);
        was_new
    };
    let sum = sum.expect("reads through a reader unwind or succeed");
    take_effect(desk, number, later, sum, was_new);
    run.is_over = true;
}

/// Watch `number` delivers.
pub(crate) fn deliver(
    desk: &Arc<Desk>,
    number: usize,
    place: Place,
    old: Option<&Value>,
    new: &Value,
    later: &mut Later<'_>,
) {
    let game = &*desk.game;
    let mut run = Reacting {
        game,
        number,
        reading: Reading::new(game, REACTION),
        is_over: false,
    };
    let (old, new) = (old.map(Value::number), new.number());
    let was_new = {
        let mut model = game.model();
        model.reaction_begins(number);
        let was_new = model.watchers.list[number].is_new;
        let last = model.last_seen(number);
        if old != last {
            model.complain(format!(
                "watch {number} delivered {old:?} as the old value, where {last:?} was seen last"
            ));
        }
        model.check_read(REACTION, place, Some(new));
        model.reaction_has_read(number, vec![(place, Some(new))], vec![Some(new)]);
        was_new
    };
    take_effect(desk, number, later, new, was_new);
    run.is_over = true;
}

fn take_effect(desk: &Arc<Desk>, number: usize, later: &mut Later<'_>, sum: i64, was_new: bool) {
    let effect = desk.game.model().watchers.list[number].effect;
    match effect {
        Effect::Write { cog, key, value } => queue(
            desk,
            later,
            &[Write::Set {
                cog,
                key,
                value: add(value, sum),
            }],
            false,
        ),
        Effect::WriteTwice { cog, key, value } => {
            queue(
                desk,
                later,
                &[Write::Set {
                    cog,
                    key,
                    value: add(value, sum),
                }],
                false,
            );
            queue(desk, later, &[Write::Set { cog, key, value }], true);
        }
        Effect::End(other) => end(desk, later, usize::from(other)),
        Effect::Register => register(desk, later, number),
        Effect::Boom if sum % 2 == 0 && !was_new => boom(),
        Effect::Boom | Effect::Nothing => {}
    }
}

/// Write-backs depend on what was seen, so that chains end by themselves or by the budget.
fn add(value: u8, sum: i64) -> u8 {
    u8::try_from((i64::from(value) + sum).rem_euclid(8)).expect("a remainder by eight")
}

fn queue(desk: &Arc<Desk>, later: &mut Later<'_>, writes: &[Write], fails: bool) {
    let ticket = {
        let watchers = &mut desk.game.model().watchers;
        if watchers.budget == 0 {
            return;
        }
        watchers.budget -= 1;
        watchers.ticket += 1;
        let ticket = watchers.ticket;
        watchers.queue.push_back(ticket);
        ticket
    };
    let (desk, writes) = (Arc::clone(desk), writes.to_vec());
    later.turn(move |writer| queued_body(&desk, writer, &writes, fails, ticket));
}

fn end(desk: &Desk, later: &mut Later<'_>, other: usize) {
    let handle = {
        let watchers = &mut desk.game.model().watchers;
        let other = other % watchers.list.len();
        let handle = watchers.list[other].handle;
        if handle.is_some() {
            watchers.end(other);
        }
        handle
    };
    if let Some(handle) = handle {
        later.end(handle);
    }
}

fn register(desk: &Arc<Desk>, later: &mut Later<'_>, number: usize) {
    let new = {
        let watchers = &mut desk.game.model().watchers;
        if REACTIONS_MAX <= watchers.list.len() {
            return;
        }
        let steps = watchers.list[number].steps.iter().map(|step| {
            let how = if step.how == How::Peek {
                How::Lookup
            } else {
                step.how
            };
            crate::net::spec::Step { how, ..*step }
        });
        let steps = steps.collect();
        watchers.add_at_tail(steps, Effect::Nothing)
    };
    let its_desk = Arc::clone(desk);
    let handle = later.react(move |reader, later| react(&its_desk, new, reader, later));
    desk.game.model().watchers.list[new].handle = Some(handle);
}
