//! The arena: every public verb, each a line or two into a lower room.
//!
//! Takes: what a user asks. Leaves: it done. Never: has logic of its own.

use std::fmt;

use crate::engine::{Engine, Step};
use crate::error::{ReadError, TurnError, Warning, raise};
use crate::handle::{
    Derived, DerivedFamily, Held, Hold, KeySlot, KeySpace, Reaction, Source, SourceFamily,
};
use crate::kinds::declare::Declare;
use crate::kinds::hold::Holdable;
use crate::kinds::moved::MovedRows;
use crate::kinds::reaction::{First, Later, body, queued, watch};
use crate::reader::{Readable, Reader};
use crate::recipes::inputs::Inputs;
use crate::turn::host::Host;
use crate::turn::state::TurnCounts;
use crate::values::keys::Key;
use crate::writer::Writer;

/// A reactive graph: sources, values derived from them, and reactions.
///
/// Single-owner and `Send + Sync`; has no thread, clock or global of its own.
///
/// # Examples
///
/// ```
/// use cog_arena::Arena;
///
/// let mut arena = Arena::new();
/// let price = arena.source(5);
/// let count = arena.source(2);
/// let total = arena.derived(move |r| r.get(price) * r.get(count));
/// assert_eq!(*arena.read(total), 10);
///
/// arena.turn(|w| {
///     w.set(price, 6);
///     w.set(count, 3);
/// });
/// assert_eq!(*arena.read(total), 18);
/// ```
pub struct Arena {
    engine: Box<Engine>,
}

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena")
            .field("step", &self.engine.step)
            .field("totals", &self.engine.totals)
            .finish_non_exhaustive()
    }
}

/// Declaring. Nothing runs when it is declared. A cog without a name is called by file and line.
impl Arena {
    /// An arena without cogs.
    #[must_use]
    pub fn new() -> Self {
        Self {
            engine: Box::new(Engine::new()),
        }
    }

    /// A cog with a name, or with an equality of its own: say so, then what it is.
    #[track_caller]
    pub fn cog(&mut self) -> Declare<'_> {
        Declare::new(&mut self.engine)
    }

    /// A keyless source that starts at `first`.
    ///
    /// # Cost
    ///
    /// A row in the pool of its type; allocates for every 64th.
    #[track_caller]
    pub fn source<T: PartialEq + Send + Sync + 'static>(&mut self, first: T) -> Source<T> {
        self.cog().source(first)
    }

    /// A keyless source that holds nothing until it is set, and again after [`Writer::clear`].
    #[track_caller]
    pub fn absent_source<T: PartialEq + Send + Sync + 'static>(&mut self) -> Source<T> {
        self.cog().absent_source()
    }

    /// A keyless derived value whose function reads as it runs. Each read is a dependency until the next run.
    ///
    /// Runs when it is read and something it read really changed; when held, in the turn.
    ///
    /// # Cost
    ///
    /// A row, a node of 64 bytes, a boxed function.
    #[track_caller]
    pub fn derived<T, F>(&mut self, function: F) -> Derived<T>
    where
        T: PartialEq + Send + Sync + 'static,
        F: Fn(&Reader<'_>) -> T + Send + Sync + 'static,
    {
        self.cog().derived(function)
    }

    /// A keyless derived value that is handed its inputs. Cheaper than tracked reads, but unconditional: all inputs
    /// are settled before it runs.
    ///
    /// # Panics
    ///
    /// If an input belongs to another arena.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut arena = cog_arena::Arena::new();
    /// let (width, height) = (arena.source(3), arena.source(4));
    /// let area = arena.derived_from((width.shared(), height.shared()), |(width, height)| width * height);
    /// assert_eq!(*arena.read(area), 12);
    /// ```
    #[track_caller]
    pub fn derived_from<T, I, F>(&mut self, inputs: I, function: F) -> Derived<T>
    where
        T: PartialEq + Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> T + Send + Sync + 'static,
    {
        self.cog().derived_from(inputs, function)
    }

    /// As [`derived_from`](Self::derived_from), where the function may give nothing.
    ///
    /// # Panics
    ///
    /// If an input belongs to another arena.
    #[track_caller]
    pub fn partial_from<T, I, F>(&mut self, inputs: I, function: F) -> Derived<T>
    where
        T: PartialEq + Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> Option<T> + Send + Sync + 'static,
    {
        self.cog().partial_from(inputs, function)
    }

    /// A key space whose keys are hashed.
    pub fn key_space<K: Key>(&mut self) -> KeySpace<K> {
        let id = self.engine.add_space::<K>(None);
        KeySpace::new(self.engine.id, id)
    }

    /// A key space over an array: `index` gives a small number that is, as a rule, the key's own, such as an entity's
    /// index. Keys may share a number; looking them up costs a hash then.
    ///
    /// # Cost
    ///
    /// Four bytes for each number up to the largest.
    pub fn key_space_indexed<K: Key>(&mut self, index: fn(&K) -> u32) -> KeySpace<K> {
        let id = self.engine.add_space::<K>(Some(index));
        KeySpace::new(self.engine.id, id)
    }

    /// Sources by key, *total*: every key reads as `first(key)` until it is written.
    ///
    /// Reading makes the key's row, but no member of the key.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn source_family<K, T, F>(&mut self, space: KeySpace<K>, first: F) -> SourceFamily<K, T>
    where
        K: Key,
        T: PartialEq + Send + Sync + 'static,
        F: Fn(&K) -> T + Send + Sync + 'static,
    {
        self.cog().source_family(space, first)
    }

    /// Sources by key, only where one was set, until it is removed.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn member_family<K: Key, T: PartialEq + Send + Sync + 'static>(
        &mut self,
        space: KeySpace<K>,
    ) -> SourceFamily<K, T> {
        self.cog().member_family(space)
    }

    /// Derived values by key whose function reads as it runs. Total: reading a key makes its row.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn derived_family<K, T, F>(
        &mut self,
        space: KeySpace<K>,
        function: F,
    ) -> DerivedFamily<K, T>
    where
        K: Key,
        T: PartialEq + Send + Sync + 'static,
        F: Fn(&Reader<'_>, &K) -> T + Send + Sync + 'static,
    {
        self.cog().derived_family(space, function)
    }

    /// Derived values by key that are handed their inputs. Rows exist where all required inputs have one.
    ///
    /// # Cost
    ///
    /// No edge a row: one bit for each row and input that moved, and a loop that knows all types.
    ///
    /// # Panics
    ///
    /// If the space or an input belongs to another arena, or an aligned input to another space.
    #[track_caller]
    pub fn derived_family_from<K, T, I, F>(
        &mut self,
        space: KeySpace<K>,
        inputs: I,
        function: F,
    ) -> DerivedFamily<K, T>
    where
        K: Key,
        T: PartialEq + Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> T + Send + Sync + 'static,
    {
        self.cog().derived_family_from(space, inputs, function)
    }

    /// As [`derived_family_from`](Self::derived_family_from), where the function may give no row.
    ///
    /// # Panics
    ///
    /// If the space or an input belongs to another arena, or an aligned input to another space.
    #[track_caller]
    pub fn partial_family_from<K, T, I, F>(
        &mut self,
        space: KeySpace<K>,
        inputs: I,
        function: F,
    ) -> DerivedFamily<K, T>
    where
        K: Key,
        T: PartialEq + Send + Sync + 'static,
        I: Inputs,
        F: for<'i> Fn(I::Items<'i>) -> Option<T> + Send + Sync + 'static,
    {
        self.cog().partial_family_from(space, inputs, function)
    }

    /// A handle now, its function later ([`Declare::define`]): for values that depend on one another by turns.
    #[track_caller]
    pub fn reserve<T: PartialEq + Send + Sync + 'static>(&mut self) -> Derived<T> {
        self.cog().reserve()
    }

    /// As [`reserve`](Self::reserve), for a family ([`Declare::define_family`]) whose rows read one another.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn reserve_family<K: Key, T: PartialEq + Send + Sync + 'static>(
        &mut self,
        space: KeySpace<K>,
    ) -> DerivedFamily<K, T> {
        self.cog().reserve_family(space)
    }
}

/// Turns.
impl Arena {
    /// One atomic batch of writes and everything it causes: settling, reactions, and the turns they ask for.
    ///
    /// # Cost
    ///
    /// In proportion to what changed. A warm turn allocates nothing.
    ///
    /// # Panics
    ///
    /// If a turn is open. With what `body` panics with, after everything staged was discarded; with the first panic
    /// of a function, equality or reaction, after the turn was completed as far as it goes; and if turns cause turns
    /// without end ([`set_turns_max`](Self::set_turns_max)).
    #[track_caller]
    pub fn turn<R>(&mut self, body: impl FnOnce(&mut Writer<'_>) -> R) -> R {
        match self.try_turn(body) {
            Ok(result) => result,
            Err(error) => panic!("{error}"),
        }
    }

    /// As [`turn`](Self::turn), with a name for records.
    ///
    /// # Panics
    ///
    /// As [`turn`](Self::turn).
    #[track_caller]
    pub fn turn_named<R>(
        &mut self,
        name: &'static str,
        body: impl FnOnce(&mut Writer<'_>) -> R,
    ) -> R {
        self.engine.turn_name = Some(name);
        self.turn(body)
    }

    /// As [`turn`](Self::turn), where a runaway chain of turns is an error. What `body` wrote is written all the same.
    ///
    /// # Errors
    ///
    /// [`TurnError::Runaway`] if more turns than [`set_turns_max`](Self::set_turns_max) allows follow from this one.
    /// Those still queued are dropped.
    ///
    /// # Panics
    ///
    /// As [`turn`](Self::turn), but for the runaway.
    #[track_caller]
    pub fn try_turn<R>(&mut self, body: impl FnOnce(&mut Writer<'_>) -> R) -> Result<R, TurnError> {
        self.engine.open();
        let result = self.engine.write(body);
        let finished = self.engine.finish();
        let chain = self.engine.run_queue();
        match (result, finished.err().or(chain.panic)) {
            (Err(panic), _) | (_, Some(panic)) => raise(panic),
            (Ok(result), None) => chain.runaway.map_or(Ok(result), Err),
        }
    }

    /// Queues a turn: it runs after the next one, or as the next [`begin`](Self::begin).
    ///
    /// # Cost
    ///
    /// Allocates for the body.
    #[track_caller]
    pub fn queue(&mut self, body: impl FnOnce(&mut Writer<'_>) + Send + Sync + 'static) {
        self.engine.queue.push_back(queued(body));
    }

    /// How many turns wait.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.engine.queue.len()
    }

    /// Opens a turn to be taken in steps: `begin`, [`writer`](Self::writer), [`settle`](Self::settle),
    /// [`publish`](Self::publish), [`run_reactions`](Self::run_reactions), [`release`](Self::release). Runs the body
    /// of the oldest queued turn, if one waits.
    ///
    /// # Panics
    ///
    /// If a turn is open; with what the queued body panics with, after that turn was abandoned.
    #[track_caller]
    pub fn begin(&mut self) {
        self.engine.open();
        if let Some(queued) = self.engine.queue.pop_front() {
            self.engine.note_cause(queued.cause);
            let run = queued.body;
            if let Err(panic) = self.engine.write(move |w| w.run(run)) {
                raise(panic);
            }
        }
    }

    /// Where the open turn stands.
    #[must_use]
    pub fn step(&self) -> Step {
        self.engine.step
    }

    /// The right to stage values in the open turn.
    ///
    /// # Panics
    ///
    /// If no turn is open, or it has settled.
    #[track_caller]
    pub fn writer(&mut self) -> Writer<'_> {
        self.engine.expect(Step::Writing);
        Writer::new(&mut self.engine)
    }

    /// Whether anything is staged in the open turn: a value, a removal, a key's membership.
    #[must_use]
    pub fn has_staged(&self) -> bool {
        self.engine.has_staged()
    }

    /// Discards what is staged in the open turn and ends it. Does nothing if no turn is open, and only ends one that has settled.
    pub fn abandon(&mut self) {
        self.engine.abandon();
    }

    /// Commits what is staged, and settles everything held.
    ///
    /// # Panics
    ///
    /// If no turn is open, or it has settled; with what an equality panics with, after everything staged was
    /// discarded and the turn ended. Panics of functions wait for [`release`](Self::release).
    #[track_caller]
    pub fn settle(&mut self) {
        if let Err(panic) = self.engine.settle() {
            raise(panic);
        }
    }

    /// The rows of a held family that moved, from [`settle`](Self::settle) to [`release`](Self::release).
    ///
    /// # Panics
    ///
    /// If the family belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn moved<K: Key, T: Send + Sync + 'static>(
        &self,
        family: DerivedFamily<K, T>,
    ) -> MovedRows<'_, K, T> {
        self.engine.own(family.arena);
        MovedRows::new(&self.engine, family)
    }

    /// The value of a held keyless cog, if it moved: `Some(None)` if it holds nothing now.
    ///
    /// # Panics
    ///
    /// If the cog belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn moved_value<T: Send + Sync + 'static>(&self, cog: Derived<T>) -> Option<Option<&T>> {
        self.engine.own(cog.arena);
        self.engine
            .has_moved(cog.row)
            .then(|| self.engine.value::<T>(cog.row))
    }

    /// Says that the host has published what moved.
    ///
    /// # Panics
    ///
    /// If the open turn hasn't settled, or no turn is open.
    #[track_caller]
    pub fn publish(&mut self) {
        self.engine.expect(Step::Settled);
        self.engine.step = Step::Published;
    }

    /// Runs the reactions that are due.
    ///
    /// # Panics
    ///
    /// If the open turn hasn't settled, or no turn is open. Panics of reactions wait for [`release`](Self::release).
    #[track_caller]
    pub fn run_reactions(&mut self) {
        self.engine.run_reactions();
    }

    /// Ends the turn: replaced values go. Whether further turns wait to be begun.
    ///
    /// # Panics
    ///
    /// If no turn is open; with the first panic of user code in the turn; and if turns cause turns without end.
    #[track_caller]
    pub fn release(&mut self) -> bool {
        if let Err(panic) = self.engine.release() {
            raise(panic);
        }
        match self.engine.check_chain() {
            Some(error) => panic!("{error}"),
            None => !self.engine.queue.is_empty(),
        }
    }
}

/// Reading from outside.
impl Arena {
    /// The value of `cog`, settled.
    ///
    /// # Cost
    ///
    /// One hash for a key; what it takes to settle the cog.
    ///
    /// # Panics
    ///
    /// If there is no value, with a cycle, a stale or foreign handle ([`try_read`](Self::try_read) gives an error),
    /// and with whatever the function panics with.
    #[track_caller]
    pub fn read<C: Readable>(&mut self, cog: C) -> &C::Value {
        self.engine.read_outside(&cog)
    }

    /// As [`read`](Self::read), with errors as values.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    ///
    /// # Panics
    ///
    /// With whatever a function panics with.
    #[track_caller]
    pub fn try_read<C: Readable>(&mut self, cog: C) -> Result<&C::Value, ReadError> {
        self.engine.try_read_outside(&cog)
    }

    /// The value of `cog`, if there is one.
    ///
    /// # Panics
    ///
    /// As [`read`](Self::read), but for an absent value.
    #[track_caller]
    pub fn lookup<C: Readable>(&mut self, cog: C) -> Option<&C::Value> {
        match self.engine.try_read_outside(&cog) {
            Ok(value) => Some(value),
            Err(ReadError::Absent { .. }) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// The value of `cog`, if it has one and nothing must run to read it. Many threads may ask at once.
    ///
    /// # Panics
    ///
    /// If the handle belongs to another arena. A stale one gives `None`.
    #[must_use]
    #[track_caller]
    pub fn settled<C: Readable>(&self, cog: C) -> Option<&C::Value> {
        match cog.find(&self.engine) {
            Ok(place) => place
                .filter(|place| self.engine.is_settled(place.0))
                .and_then(|place| self.engine.value(place.0)),
            Err(ReadError::Stale) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// The members of a key space, in the order of their row numbers.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn keys<K: Key>(&self, space: KeySpace<K>) -> impl Iterator<Item = &K> {
        self.engine.own(space.arena);
        self.engine.members_of(space.id)
    }

    /// How many members a key space has.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn len<K: Key>(&self, space: KeySpace<K>) -> usize {
        self.engine.own(space.arena);
        self.engine.values.erased_space(space.id).member_count()
    }

    /// Whether `key` is a member.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn contains<K: Key>(&self, space: KeySpace<K>, key: &K) -> bool {
        self.slot(space, key).is_some()
    }

    /// The slot of a member.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn slot<K: Key>(&self, space: KeySpace<K>, key: &K) -> Option<KeySlot<K>> {
        self.engine.own(space.arena);
        let row = self.engine.values.space::<K>(space.id).find(key)?;
        let keys = self.engine.values.erased_space(space.id);
        keys.is_member(row)
            .then(|| KeySlot::new(space.arena, space.id, row, keys.generation(row)))
    }

    /// The key behind a slot, unless it is stale.
    ///
    /// # Panics
    ///
    /// If the slot belongs to another arena.
    #[must_use]
    #[track_caller]
    pub fn key<K: Key>(&self, slot: KeySlot<K>) -> Option<&K> {
        self.engine.own(slot.arena);
        let live = self
            .engine
            .values
            .erased_space(slot.space)
            .generation(slot.row)
            == slot.generation;
        if live {
            self.engine.values.space::<K>(slot.space).key(slot.row)
        } else {
            None
        }
    }
}

/// Holds and reactions.
impl Arena {
    /// Keeps a cog hot: it settles in every turn from now on, asked or not, and now. A family held as a whole is *eager*.
    ///
    /// # Cost
    ///
    /// Settling it once. A family: one pass over the chunks of its key space.
    ///
    /// # Panics
    ///
    /// If a turn is open, or the handle is stale or of another arena; with the first panic of a function that runs.
    /// The hold is taken all the same then, for good.
    #[track_caller]
    pub fn hold(&mut self, cog: impl Holdable) -> Hold {
        self.engine.expect(Step::Idle);
        match cog.hold(&mut self.engine) {
            Ok(held) => {
                self.settle_now();
                Hold {
                    arena: self.engine.id,
                    held,
                }
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Gives a hold back. The cog keeps its value, and is settled again when it is read.
    ///
    /// # Panics
    ///
    /// If a turn is open, or the hold belongs to another arena.
    #[track_caller]
    pub fn let_go(&mut self, hold: Hold) {
        self.engine.expect(Step::Idle);
        self.engine.own(hold.arena);
        match hold.held {
            Held::Row(row) => self.engine.let_row_go(row),
            Held::Column(column) => self.engine.let_column_go(column),
            Held::Source => {}
        }
        self.engine.release_keys();
    }

    /// Registers a reaction: runs once now, then after each turn that really changed what it read, in the order of
    /// registration, on settled state.
    ///
    /// # Cost
    ///
    /// Allocates for the function. A run costs what a tracked row's does.
    ///
    /// # Panics
    ///
    /// If a turn is open; with what the function panics with. It stays registered then.
    #[track_caller]
    pub fn react(
        &mut self,
        function: impl FnMut(&Reader<'_>, &mut Later<'_>) + Send + Sync + 'static,
    ) -> Reaction {
        self.engine.expect(Step::Idle);
        let number = self.engine.reactions.next_number;
        self.engine.reactions.next_number += 1;
        self.engine
            .add_reaction(number, body(function), std::panic::Location::caller());
        let reaction = Reaction {
            arena: self.engine.id,
            number,
        };
        self.react_now();
        reaction
    }

    /// A reaction to one cog, told its old and new value.
    ///
    /// # Cost
    ///
    /// As [`react`](Self::react), and a clone of each new value.
    ///
    /// # Panics
    ///
    /// As [`react`](Self::react), and if the cog has no value.
    #[track_caller]
    pub fn watch<C, F>(&mut self, cog: C, first: First, function: F) -> Reaction
    where
        C: Readable + Send + Sync + 'static,
        C::Value: Clone,
        F: FnMut(Option<&C::Value>, &C::Value, &mut Later<'_>) + Send + Sync + 'static,
    {
        self.react(watch(cog, first, function))
    }

    /// Ends a reaction. Whether it was there.
    ///
    /// # Panics
    ///
    /// If the reaction belongs to another arena; with what the `Drop` of something it captured panics with.
    #[track_caller]
    pub fn end(&mut self, reaction: Reaction) -> bool {
        self.engine.own(reaction.arena);
        let ended = self.engine.end_reaction(reaction.number);
        self.engine.raise_kept();
        ended
    }

    #[track_caller]
    fn settle_now(&mut self) {
        self.engine.settle_idle();
        self.engine.raise_kept();
    }

    #[track_caller]
    fn react_now(&mut self) {
        self.engine.react_idle();
        let kept = self.engine.state.panic.take();
        let chain = self.engine.run_queue();
        if let Some(panic) = kept.or(chain.panic) {
            raise(panic);
        }
        if let Some(error) = chain.runaway {
            panic!("{error}");
        }
    }
}

/// Limits, figures and names.
impl Arena {
    /// How deep functions may nest, each reading an unsettled row: 1,000,000 at first. Past it a read fails with
    /// [`ReadError::TooDeep`].
    pub fn set_depth_max(&mut self, depth: u32) {
        self.engine.state.depth_max = depth as usize;
    }

    /// How many turns may follow from one: 100,000 at first.
    pub fn set_turns_max(&mut self, turns: u32) {
        self.engine.chain.turns_max = turns;
    }

    /// Who is told of warnings. Nobody, at first.
    pub fn on_warning(&mut self, function: impl FnMut(&Warning) + Send + Sync + 'static) {
        self.engine.warn = Some(Box::new(function));
    }

    /// Figures of the last turn, and of what was read, held and registered since.
    #[must_use]
    pub fn counts(&self) -> TurnCounts {
        self.engine.state.counts
    }

    /// Figures since the start.
    #[must_use]
    pub fn totals(&self) -> TurnCounts {
        let mut totals = self.engine.totals;
        totals.add(&self.engine.state.counts);
        totals
    }

    /// What a cog is called, with its key.
    ///
    /// # Panics
    ///
    /// If the handle is stale or of another arena.
    #[track_caller]
    pub fn name(&mut self, cog: impl Readable) -> String {
        match cog.locate(&mut self.engine) {
            Ok(place) => self.engine.name(place.0),
            Err(error) => panic!("{error}"),
        }
    }

    /// How many tracked rows and reactions read this cog, hot and cold.
    ///
    /// # Panics
    ///
    /// If the handle is of another arena.
    #[must_use]
    #[track_caller]
    pub fn consumer_count(&self, cog: impl Readable) -> usize {
        match cog.find(&self.engine) {
            Ok(place) => place.map_or(0, |place| self.engine.consumer_count(place.0)),
            Err(ReadError::Stale) => 0,
            Err(error) => panic!("{error}"),
        }
    }

    /// Panics at the first broken invariant. O(rows + edges).
    #[cfg(any(test, feature = "testing"))]
    pub fn check(&self) {
        self.engine.check();
    }

    /// Starts or stops to log runs.
    #[cfg(any(test, feature = "testing"))]
    pub fn log_runs(&mut self, on: bool) {
        self.engine.log = on.then(Vec::new);
    }

    /// The rows whose function ran since the last call, in order, by name.
    #[cfg(any(test, feature = "testing"))]
    pub fn take_runs(&mut self) -> Vec<String> {
        self.engine
            .log
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }
}
