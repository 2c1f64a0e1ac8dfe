//! Plays a game: every move on both sides, and the checks after it.
//!
//! Takes: wishes and moves. Leaves: a panic that names the first thing that went wrong. Never:
//! lets the two sides drift; a complaint ends the game.

use crate::net::audit::Mirror;
use crate::net::bodies::{Desk, body, queued_body};
use crate::net::declare::{COGS_MAX, Plan, declare, reserve};
use crate::net::feeds::Pair;
use crate::net::functions::Game;
use crate::net::model::Model;
use crate::net::ops::{Form, Look, Op, Wish, Write};
use crate::net::plan::{foundations, plan};
use crate::net::spec::{KEYS, Place, Spec};
use crate::net::value::{Boom, Tag};
use cog_arena::{Arena, Hold, KeySlot};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What a hold holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// A row, as of a generation of its key.
    Row(Place, u32),
    /// A whole family.
    Family(usize),
}

/// A game in progress.
pub(crate) struct Table {
    pub(crate) arena: Arena,
    pub(crate) desk: Arc<Desk>,
    /// What is held, with when it was asked for.
    pub(crate) holds: Vec<(Held, Hold, u64)>,
    /// Feeds, in the model's order.
    pub(crate) feeds: Vec<Pair>,
    /// For each cog held as a whole, what its publications add up to.
    pub(crate) mirrors: BTreeMap<usize, Mirror>,
    /// Families whose hold was lost when a row failed.
    pub(crate) lost: BTreeSet<usize>,
    /// The last turn whose publications the mirrors know, or have taken for granted.
    pub(crate) resynced_at: u64,
    /// Slots of keys that were removed.
    pub(crate) stale: Vec<(usize, KeySlot<Tag>)>,
}

/// How a call into the arena ended.
pub(crate) type Ending<T> = Result<T, Box<dyn Any + Send>>;

/// Calls the arena, which may unwind.
pub(crate) fn guarded<T>(call: impl FnOnce() -> T) -> Ending<T> {
    catch_unwind(AssertUnwindSafe(call))
}

impl Table {
    /// Lays out the first cogs.
    pub(crate) fn new(wishes: &[Wish]) -> Self {
        let mut arena = Arena::new();
        let spaces = [
            arena.key_space::<Tag>(),
            arena.key_space_indexed(Tag::number),
        ];
        let game = Game::new(Model::new(KEYS));
        let desk = Desk::new(&game, spaces);
        let mut table = Self {
            arena,
            desk,
            holds: Vec::new(),
            feeds: Vec::new(),
            mirrors: BTreeMap::new(),
            lost: BTreeSet::new(),
            resynced_at: 0,
            stale: Vec::new(),
        };
        let foundations: Vec<_> = foundations().into_iter().map(Arc::new).collect();
        table.declare_all(0, &foundations);
        table.declare(wishes);
        table
    }

    /// Both sides.
    pub(crate) fn model(&self) -> std::sync::MutexGuard<'_, Model> {
        self.desk.game.model()
    }

    fn declare(&mut self, wishes: &[Wish]) {
        let mut specs = self.model().specs.clone();
        let from = specs.len();
        plan(wishes, &mut specs, COGS_MAX);
        self.declare_all(from, &specs[from..]);
    }

    /// All reserved handles first: a function may look up what is declared after it.
    fn declare_all(&mut self, from: usize, specs: &[Arc<Spec>]) {
        let game = Arc::clone(&self.desk.game);
        let spaces = self.desk.spaces;
        for spec in specs {
            game.model().declare(Arc::clone(spec));
        }
        let plan = |at: usize| Plan {
            spaces,
            game: &game,
            cog: from + at,
            spec: &specs[at],
        };
        for at in 0..specs.len() {
            reserve(&mut self.arena, &plan(at));
        }
        for at in 0..specs.len() {
            declare(&mut self.arena, &plan(at));
        }
    }

    /// Plays one move.
    pub(crate) fn play(&mut self, op: &Op) {
        self.model().attempt += 1;
        self.model().watchers.budget = 6;
        match op {
            Op::Declare(wishes) => self.declare(wishes),
            Op::Turn {
                form,
                writes,
                fails,
            } => self.turn(*form, writes, *fails),
            Op::Queue { writes, fails } => self.queue(writes, *fails),
            Op::Look { look, cog, key } => {
                let place = self.model().readable(*cog, *key);
                self.look(*look, place);
            }
            Op::LookAtAll => self.look_at_all(),
            Op::Hold { cog, key } => self.hold(*cog, *key),
            Op::HoldFamily { cog } => self.hold_family(*cog),
            Op::LetGo(number) => self.let_go(*number),
            Op::React { steps, effect } => self.react(steps, *effect),
            Op::Watch {
                cog,
                key,
                runs_first,
                effect,
            } => self.watch(*cog, *key, *runs_first, *effect),
            Op::End(number) => self.end(usize::from(*number)),
            Op::Feed { cog, key, newest } => self.feed(*cog, *key, *newest),
            Op::DropFeed(number) => self.drop_feed(*number),
            Op::Arm(armed) => {
                let mut model = self.model();
                model.fuse.arm(*armed);
                model.forget();
            }
            Op::Stale { cog, slot } => self.stale(*cog, *slot),
        }
        self.drain();
        self.read_feeds();
        self.audit();
    }

    fn turn(&mut self, form: Form, writes: &[Write], fails: bool) {
        let desk = Arc::clone(&self.desk);
        let arena = &mut self.arena;
        let ending = match form {
            Form::Plain => guarded(|| arena.turn(|writer| body(&desk, writer, writes, fails))),
            Form::Named => {
                guarded(|| arena.turn_named("named", |writer| body(&desk, writer, writes, fails)))
            }
            Form::Try => {
                guarded(
                    || match arena.try_turn(|writer| body(&desk, writer, writes, fails)) {
                        Ok(()) => {}
                        Err(error) => panic!("no chain here is a runaway, {error:?}"),
                    },
                )
            }
            Form::Steps | Form::StepsWithReads | Form::StepsWithHold { .. } => {
                self.turn_in_steps(writes, form);
                return;
            }
        };
        self.turn_is_over(ending);
    }

    /// The turn or turns of one call are over.
    pub(crate) fn turn_is_over<T>(&mut self, ending: Ending<T>) {
        let mut model = self.model();
        model.commit_if_due();
        model.discard();
        model.flush_ended();
        check_ending(&mut model, &ending, "a turn");
        let committed_at = model.committed_at;
        drop(model);
        if self.resynced_at < committed_at {
            self.resynced_at = committed_at;
            self.resync_mirrors();
        }
    }

    fn queue(&mut self, writes: &[Write], fails: bool) {
        let ticket = {
            let watchers = &mut self.model().watchers;
            watchers.ticket += 1;
            let ticket = watchers.ticket;
            watchers.queue.push_back(ticket);
            ticket
        };
        let (desk, writes) = (Arc::clone(&self.desk), writes.to_vec());
        self.arena
            .queue(move |writer| queued_body(&desk, writer, &writes, fails, ticket));
    }

    /// Takes turns until none is queued.
    fn drain(&mut self) {
        for _ in 0..40 {
            if self.arena.queued() == 0 {
                break;
            }
            let desk = Arc::clone(&self.desk);
            let arena = &mut self.arena;
            let ending = guarded(|| arena.turn(|writer| body(&desk, writer, &[], false)));
            self.turn_is_over(ending);
        }
        let mut model = self.model();
        if !model.watchers.queue.is_empty() {
            let left = model.watchers.queue.len();
            model.complain(format!("{left} queued turns never ran"));
        }
    }

    fn look_at_all(&mut self) {
        let places = {
            let model = self.model();
            let all = model.places().into_iter();
            all.filter(|place| !model.specs[place.cog].hidden)
                .collect::<Vec<_>>()
        };
        for place in places {
            self.look(Look::Lookup, place);
        }
    }

    /// The arena unwound where nothing should have.
    pub(crate) fn unwound(&mut self, payload: Box<dyn Any + Send>, what: &str) {
        let message = describe(&*payload);
        let mut model = self.model();
        model.booms = 0;
        model.complain(format!("{what} unwound: {message}"));
    }
}

/// A call unwinds if something failed that was meant to. What fails beside the row that a call asked for is raised by
/// a later turn, so once something failed, any call may raise it.
pub(crate) fn check_ending<T>(model: &mut Model, ending: &Ending<T>, what: &str) {
    let booms = std::mem::take(&mut model.booms);
    match ending {
        Ok(_) if 0 < booms => model.complain(format!("{what} did not report {booms} failures")),
        Err(payload) if booms == 0 && !(model.may_unwind && is_planned(&**payload)) => {
            model.complain(format!("{what} unwound: {}", describe(&**payload)));
        }
        _ => {}
    }
}

/// Whether a panic is one that games are made to raise: a planted failure, a value that is not there, a cycle; or what a
/// second reader of such a row is told.
fn is_planned(payload: &(dyn Any + Send)) -> bool {
    let message = describe(payload);
    let texts = ["holds no value", " → ", "failed already in this turn"];
    payload.is::<Boom>() || texts.iter().any(|text| message.contains(text))
}

/// What a panic said.
pub(crate) fn describe(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| {
        payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
    });
    let planted = payload
        .downcast_ref::<Boom>()
        .map(|_| "a planted failure".to_owned());
    text.or(planted)
        .unwrap_or_else(|| "something that is no text".to_owned())
}
