//! The right to read, and to be remembered as having read.
//!
//! Takes: cogs. Leaves: `&T` into columns whose chunks never move. Never:
//! outlives its run, or lets a value be replaced while it is lent.
//!
//! Why `&T` out of a graph that is settling is sound: a reader is `!Sync` and
//! lives for one run; a row is settled before it is lent, and runs again in the
//! same turn only if something failed and recovered, between two runs; a
//! source's old value waits in the bin until the turn's end; and chunks are
//! reached by raw pointer only, so a column that grows covers none of them.

use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::access::{Place, Readable};
use crate::engine::reading::Mode;
use crate::engine::{Engine, Step};
use crate::error::{Panic, Raised, ReadError, raise};
use crate::graph::nodes::Flags;
use crate::ids::Row;

// SAFETY: everything that an engine owns is `Send`: values, keys and functions
// by their bounds; the addresses in nodes lead into stores that it owns.
unsafe impl Send for Engine {}
// SAFETY: through `&Engine` values are only read, and they are `Sync`.
unsafe impl Sync for Engine {}

/// The right of a running function to read cogs, each read a dependency.
///
/// A reader can't outlive its run, and gives no way to write.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let (name, shout) = (arena.source("cog".to_owned()), arena.source(false));
/// let greeting = arena.derived(move |r| if *r.get(shout) { r.get(name).to_uppercase() } else { r.get(name).clone() });
/// assert_eq!(arena.read(greeting), "cog");
/// arena.turn(|w| w.set(shout, true));
/// assert_eq!(arena.read(greeting), "COG");
/// ```
#[derive(Debug)]
pub struct Reader<'run> {
    engine: NonNull<Engine>,
    run: PhantomData<std::cell::Cell<&'run mut ()>>,
}

impl<'run> Reader<'run> {
    /// A reader for the run that was just begun.
    #[inline]
    pub(crate) fn new(engine: &'run mut Engine) -> Self {
        Self {
            engine: NonNull::from(engine),
            run: PhantomData,
        }
    }

    #[inline]
    #[expect(
        clippy::mut_from_ref,
        reason = "the one recursion: a read settles; each use is shorter than a call"
    )]
    fn engine(&self) -> &mut Engine {
        // SAFETY: the run has the engine to itself, and hands it to nobody but
        // this reader, which is on one thread. No reference made here outlives
        // the method that made it: what is lent lies in chunks, not in the engine.
        unsafe { &mut *self.engine.as_ptr() }
    }

    /// The value of `cog`, as a dependency.
    ///
    /// Settles it first, if it isn't. Reading it again costs the same and adds nothing.
    ///
    /// # Cost
    ///
    /// A few instructions where the run reads what it read last time, in the same order; else one hash for a key
    /// and one entry in a list. Allocates only for the first read of a row, or when the list grows.
    ///
    /// # Panics
    ///
    /// If there is no value ([`lookup`](Self::lookup) gives an option), if the value would depend on itself, if the
    /// handle is stale or of another arena, and with whatever the function of `cog` panics with.
    /// A function that panicked is not run again in the same turn, unless something that failed and that it needs is well
    /// again: who reads it later gets a text that names it, or, if it is part of a cycle, the same error.
    #[inline]
    #[track_caller]
    pub fn get<C: Readable>(&self, cog: C) -> &C::Value {
        match self.expected(&cog) {
            Some(value) => value,
            None => self.get_slow(&cog, Mode::Track),
        }
    }

    /// The value of `cog`, if there is one, as a dependency. That there is none is one, too.
    ///
    /// A total family has every key and never gives `None`.
    ///
    /// # Cost
    ///
    /// As [`get`](Self::get).
    ///
    /// # Panics
    ///
    /// As [`get`](Self::get), but for an absent value.
    #[inline]
    #[track_caller]
    pub fn lookup<C: Readable>(&self, cog: C) -> Option<&C::Value> {
        match self.expected(&cog) {
            Some(value) => Some(value),
            None => self.read_slow(&cog, Mode::Track).1,
        }
    }

    /// The value of `cog`, settled, without becoming a dependency. A tracked read of the same cog stays one.
    ///
    /// # Cost
    ///
    /// One hash for a key; what it takes to settle the cog.
    ///
    /// # Panics
    ///
    /// As [`get`](Self::get).
    #[track_caller]
    pub fn peek<C: Readable>(&self, cog: C) -> &C::Value {
        self.get_slow(&cog, Mode::Peek)
    }

    /// As [`peek`](Self::peek), where there may be no value.
    ///
    /// # Panics
    ///
    /// As [`lookup`](Self::lookup).
    #[track_caller]
    pub fn peek_lookup<C: Readable>(&self, cog: C) -> Option<&C::Value> {
        self.read_slow(&cog, Mode::Peek).1
    }

    /// The running row's own last value; `None` in its first run.
    ///
    /// # Panics
    ///
    /// If `T` isn't the type of the running cog.
    #[track_caller]
    pub fn previous<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let engine = self.engine();
        let row = engine.graph.nodes[engine.graph.capture.top.node].row;
        if row.is_nil() {
            return None;
        }
        let (store, local) = engine.local(row);
        assert!(
            engine.values.holds::<T>(store),
            "`previous` was asked for a type that the running cog doesn't have"
        );
        let value = engine
            .values
            .store::<T>(store)
            .get(local, row.offset())
            .map(std::ptr::from_ref)?;
        // SAFETY: the value lies in a chunk, and is replaced after the run, which this reader doesn't outlive.
        Some(unsafe { &*value })
    }

    /// The value, if it is what the last run read at this point, and settled.
    #[inline]
    #[track_caller]
    fn expected<C: Readable>(&self, cog: &C) -> Option<&C::Value> {
        let engine = self.engine();
        let at = engine.graph.capture.top.expected;
        if at.is_nil() {
            return None;
        }
        let node = &engine.graph.nodes[at];
        let (flags, value) = (node.flags, node.value.cast::<C::Value>());
        if value.is_null() || !cog.is_at(engine, Place(node.row)) {
            return None;
        }
        // A cold row is settled if it was verified since anything changed.
        let slow = if node.verified_at < engine.graph.changed {
            Flags::SLOW
        } else {
            Flags::SLOW.without(Flags::COLD)
        };
        if flags.any(slow) {
            match engine.settle_expected(at) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(panic) => self.fail(panic),
            }
        }
        let graph = &mut engine.graph;
        graph.capture.advance(&graph.nodes, &graph.blocks);
        // SAFETY: the node's row is the cog's, so the address is that of a
        // value of its type; it isn't absent; and it is settled, so it stays
        // for the turn.
        Some(unsafe { &*value })
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[inline(never)]
    #[track_caller]
    fn get_slow<C: Readable>(&self, cog: &C, mode: Mode) -> &C::Value {
        match self.read_slow(cog, mode) {
            (_, Some(value)) => value,
            (Place(row), None) => panic!("{}", self.engine().absent(row)),
        }
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[inline(never)]
    #[track_caller]
    fn read_slow<C: Readable>(&self, cog: &C, mode: Mode) -> (Place, Option<&C::Value>) {
        let place = match cog.locate(self.engine()) {
            Ok(place) => place,
            Err(error) => panic!("{error}"),
        };
        match self.engine().read(place.0, mode) {
            Ok(true) => {
                let address = self.engine().address(place.0).cast::<C::Value>();
                // SAFETY: as in `expected`; the row was just found to have a value.
                (place, Some(unsafe { &*address }))
            }
            Ok(false) => (place, None),
            Err(panic) => self.fail(panic),
        }
    }

    #[cold]
    #[track_caller]
    fn fail(&self, panic: Panic) -> ! {
        self.engine().note_raised(&panic);
        raise(panic)
    }
}

/// Reading from outside any function: nothing is recorded.
impl Engine {
    /// The value of `cog`, settled.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[inline]
    #[track_caller]
    pub(crate) fn read_outside<C: Readable>(&mut self, cog: &C) -> &C::Value {
        let row = match cog.locate(self) {
            Ok(place) => place.0,
            Err(error) => panic!("{error}"),
        };
        let address = self.settle_outside(row);
        if address.is_null() {
            return self.read_row_outside(row);
        }
        self.raise_kept();
        // SAFETY: the node is the row's, so the address is that of a value of
        // its type; it isn't absent; `&mut self` is lent with it.
        unsafe { &*address.cast() }
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[inline(never)]
    #[track_caller]
    fn read_row_outside<T: 'static>(&mut self, row: Row) -> &T {
        let read = self.read_row(row);
        let absent = matches!(read, Ok(false)).then(|| self.absent(row));
        self.forget_read();
        self.raise_kept();
        match (read, absent) {
            (Err(panic), _) => raise(panic),
            (_, Some(error)) => panic!("{error}"),
            (Ok(_), None) => self.value(row).expect("a present row holds a value"),
        }
    }

    /// As [`Self::read_outside`], with errors as values.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[track_caller]
    pub(crate) fn try_read_outside<C: Readable>(
        &mut self,
        cog: &C,
    ) -> Result<&C::Value, ReadError> {
        let row = cog.locate(self)?.0;
        self.raised = None;
        let read = self.read_row(row);
        let absent = matches!(read, Ok(false)).then(|| self.absent(row));
        self.forget_read();
        self.raise_kept();
        match (read, absent) {
            (Err(panic), _) => Err(self.error_of(panic)),
            (_, Some(error)) => Err(error),
            (Ok(_), None) => Ok(self.value(row).expect("a present row holds a value")),
        }
    }

    /// Raises what was kept for the end of a turn, if no turn is open.
    #[inline]
    #[track_caller]
    pub(crate) fn raise_kept(&mut self) {
        if self.step == Step::Idle
            && let Some(panic) = self.state.panic.take()
        {
            raise(panic);
        }
    }

    /// The error of ours that a panic stands for; any other panic goes on.
    #[track_caller]
    fn error_of(&mut self, panic: Panic) -> ReadError {
        self.note_raised(&panic);
        match self.raised.take() {
            Some(error) if stands_for(&panic, &error) => Arc::unwrap_or_clone(error),
            _ => raise(panic),
        }
    }
}

fn stands_for(panic: &Panic, error: &ReadError) -> bool {
    panic.is::<Raised>()
        || panic
            .downcast_ref::<String>()
            .is_some_and(|text| *text == error.to_string())
}
