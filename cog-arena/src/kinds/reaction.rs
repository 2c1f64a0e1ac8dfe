//! Reactions: what happens because something changed.
//!
//! Takes: functions. Leaves: them run on settled state, in the order of
//! registration. Never: gives them a way to write in the turn that runs them.

use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};

use crate::access::Readable;
use crate::engine::Engine;
use crate::engine::reactions::{Body, Command, Queued};
use crate::error::{Panic, TurnError};
use crate::handle::Reaction;
use crate::ids::NodeIndex;
use crate::reader::Reader;
use crate::sync::ArenaId;
use crate::writer::Writer;

/// Whether a watch tells of the value that it finds.
///
/// # Examples
///
/// ```
/// use cog_arena::{Arena, First};
///
/// let mut arena = Arena::new();
/// let gold = arena.source(1);
/// arena.watch(gold, First::Skip, |old, new, _| assert_eq!((old, new), (Some(&1), &5)));
/// arena.turn(|w| w.set(gold, 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Only of changes.
    Skip,
    /// Of the first value, too; there is no old one then.
    Run,
}

/// What a reaction may ask for: things that happen after it.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let (gold, taxes) = (arena.source(100), arena.source(0));
/// arena.react(move |r, later| {
///     let due = r.get(gold) / 10;
///     later.turn(move |w| w.set(taxes, due));
/// });
/// assert_eq!(*arena.read(taxes), 10);
/// ```
pub struct Later<'r> {
    arena: ArenaId,
    next_number: &'r mut u64,
    commands: Vec<Command<Engine>>,
}

impl std::fmt::Debug for Later<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Later")
            .field("waiting", &self.commands.len())
            .finish_non_exhaustive()
    }
}

impl Later<'_> {
    /// Queues a turn. It runs after the one in progress, complete, before any that is queued later.
    ///
    /// # Cost
    ///
    /// Allocates for the body.
    #[track_caller]
    pub fn turn(&mut self, body: impl FnOnce(&mut Writer<'_>) + Send + Sync + 'static) {
        self.commands.push(Command::Turn(queued(body)));
    }

    /// Registers a reaction. It first runs at the end of the flush in progress.
    ///
    /// # Cost
    ///
    /// Allocates for the function.
    #[track_caller]
    pub fn react(
        &mut self,
        function: impl FnMut(&Reader<'_>, &mut Later<'_>) + Send + Sync + 'static,
    ) -> Reaction {
        let number = *self.next_number;
        *self.next_number += 1;
        self.commands
            .push(Command::React(number, body(function), Location::caller()));
        Reaction {
            arena: self.arena,
            number,
        }
    }

    /// Ends a reaction: it will not run again, not even if it waits to in this flush. May be the running one.
    ///
    /// # Panics
    ///
    /// If the reaction belongs to another arena.
    #[track_caller]
    pub fn end(&mut self, reaction: Reaction) {
        assert!(
            reaction.arena == self.arena,
            "{}",
            crate::error::ReadError::Foreign
        );
        self.commands.push(Command::End(reaction.number));
    }
}

/// A turn that waits, with its cause.
#[track_caller]
pub(crate) fn queued(body: impl FnOnce(&mut Writer<'_>) + Send + Sync + 'static) -> Queued<Engine> {
    Queued {
        cause: Location::caller(),
        body: Box::new(move |engine| body(&mut Writer::new(engine))),
    }
}

/// A reaction's function, made ready for the engine.
pub(crate) fn body(
    mut function: impl FnMut(&Reader<'_>, &mut Later<'_>) + Send + Sync + 'static,
) -> Body<Engine> {
    Box::new(move |engine: &mut Engine, _: NodeIndex| {
        let mut next_number = engine.reactions.next_number;
        let mut later = Later {
            arena: engine.id,
            next_number: &mut next_number,
            commands: Vec::new(),
        };
        let ran = catch_unwind(AssertUnwindSafe(|| {
            function(&Reader::new(engine), &mut later);
        }));
        // What was asked for before a panic was asked for.
        let commands = later.commands;
        engine.reactions.next_number = next_number;
        engine.reactions.commands.extend(commands);
        if let Err(panic) = ran {
            resume_unwind(panic);
        }
    })
}

/// A reaction to one cog that gets its old value, too.
pub(crate) fn watch<C, F>(
    cog: C,
    first: First,
    mut function: F,
) -> impl FnMut(&Reader<'_>, &mut Later<'_>) + Send + Sync + 'static
where
    C: Readable + Send + Sync + 'static,
    C::Value: Clone,
    F: FnMut(Option<&C::Value>, &C::Value, &mut Later<'_>) + Send + Sync + 'static,
{
    let mut last = None;
    let mut silent = first == First::Skip;
    move |r, later| {
        let new = r.get(&cog);
        let old = last.replace(new.clone());
        if !std::mem::take(&mut silent) {
            function(old.as_ref(), new, later);
        }
    }
}

/// What became of the turns that followed from one.
#[derive(Default)]
pub(crate) struct Chain {
    /// The first panic of user code.
    pub(crate) panic: Option<Panic>,
    /// Turns that caused turns without end.
    pub(crate) runaway: Option<TurnError>,
}

impl Engine {
    /// Runs a turn's body. If it panics, everything staged is discarded and the turn ends.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    pub(crate) fn write<R>(&mut self, body: impl FnOnce(&mut Writer<'_>) -> R) -> Result<R, Panic> {
        let written = catch_unwind(AssertUnwindSafe(|| body(&mut Writer::new(self))));
        if written.is_err() {
            self.abandon();
        }
        written
    }

    /// Runs queued turns, each complete before the next, until none waits.
    #[inline]
    pub(crate) fn run_queue(&mut self) -> Chain {
        if self.queue.is_empty() {
            self.end_chain();
            return Chain::default();
        }
        self.run_queued()
    }

    #[inline(never)]
    fn run_queued(&mut self) -> Chain {
        let mut chain = Chain::default();
        loop {
            chain.runaway = self.check_chain();
            let Some(queued) = self.queue.pop_front() else {
                return chain;
            };
            self.note_cause(queued.cause);
            self.open();
            let run = queued.body;
            let written = self.write(move |w| w.run(run));
            let panic = written.err().or(self.finish().err());
            if chain.panic.is_none() {
                chain.panic = panic;
            }
        }
    }
}
