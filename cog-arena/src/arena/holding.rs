//! Holds, feeds and reactions: what is needed whether read or not, and what follows.
//!
//! Takes: handles and functions. Leaves: tokens that end them. Never: has logic of its own.

use crate::access::Readable;
use crate::arena::owner::Arena;
use crate::engine::Step;
use crate::error::{ReadError, raise};
use crate::handle::{Grip, Held, Hold, Reaction};
use crate::kinds::feed::{Depth, Feed};
use crate::kinds::hold::Holdable;
use crate::kinds::reaction::{First, Later, body, watch};
use crate::reader::Reader;

/// Holds, feeds and reactions.
impl Arena {
    /// Keeps a cog hot: it settles in every turn from now on, asked or not, and now. A family held as a whole is *eager*,
    /// and the next turn's [`moved`](Self::moved) lists all rows that it has.
    ///
    /// While the open turn is being written, it runs nothing: the cog settles with that turn, and sees what the turn
    /// writes.
    ///
    /// # Cost
    ///
    /// Settling it once, and what it is declared over, unless that is hot already; however much else is held. A family:
    /// one pass over the chunks of its key space, and over its members where it is made of a total family.
    ///
    /// # Panics
    ///
    /// If the open turn has settled, or the handle is stale or of another arena; with the first panic of a function that
    /// runs now. The hold is taken all the same then, for good.
    #[track_caller]
    pub fn hold(&mut self, cog: impl Holdable) -> Hold {
        let settles_now = self.engine.step != Step::Writing;
        if settles_now {
            self.engine.expect(Step::Idle);
        }
        match cog.grip(&mut self.engine) {
            Ok(Grip(held)) => {
                if settles_now {
                    self.engine.hold(held);
                    self.engine.settle_idle();
                    self.engine.note_hold(held);
                    self.engine.raise_kept();
                } else {
                    self.engine.holds_to_come.push(held);
                }
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
    /// # Cost
    ///
    /// O(what turns cold with it, and the inputs of that); however much else is held. A tracked family: one pass over its
    /// rows.
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

    /// Takes the values of a cog out of the arena, for any thread to read: the one it has now first, then each that
    /// really differs, after the turn that led to it. A turn never waits for the reader: `depth` says what is lost when
    /// the reader is late.
    ///
    /// The value is told of when it is published and before any reaction runs. See [`Feed`] for what it tells of, and
    /// how it ends.
    ///
    /// # Cost
    ///
    /// Allocates for the queue. A turn in which the cog moved costs a run of a tracked row and a clone of the value, and
    /// allocates only if the queue is longer than ever before; one in which it did not move costs nothing, but to see
    /// whether a feed was dropped.
    ///
    /// # Panics
    ///
    /// If a turn is open, the handle is stale or of another arena ([`try_feed`](Self::try_feed) gives an error), or
    /// `depth` is zero; with what the cog's function panics with, or the value's `Clone`. There is no feed then.
    #[track_caller]
    pub fn feed<C>(&mut self, cog: C, depth: Depth) -> Feed<C::Value>
    where
        C: Readable + Send + Sync + 'static,
        C::Value: Clone,
    {
        match self.try_feed(cog, depth) {
            Ok(feed) => feed,
            Err(error) => panic!("{error}"),
        }
    }

    /// As [`feed`](Self::feed), with a handle that leads nowhere as an error.
    ///
    /// # Errors
    ///
    /// [`ReadError::Stale`] and [`ReadError::Foreign`].
    ///
    /// # Panics
    ///
    /// As [`feed`](Self::feed), but for the handle.
    #[track_caller]
    pub fn try_feed<C>(&mut self, cog: C, depth: Depth) -> Result<Feed<C::Value>, ReadError>
    where
        C: Readable + Send + Sync + 'static,
        C::Value: Clone,
    {
        self.engine.expect(Step::Idle);
        assert!(
            !matches!(depth, Depth::Newest(0) | Depth::Oldest(0)),
            "a feed of no depth loses every value: keep at least one, as `Depth::Newest(1)` does"
        );
        let feed = self
            .engine
            .add_feed(cog, depth, std::panic::Location::caller())?;
        self.react_now();
        Ok(feed)
    }

    /// Registers a reaction: runs once now, then after each turn that really changed what it read, in the order of
    /// registration, on settled state. After a run that panicked, as soon as anything may have changed that this run read,
    /// or the last one that did not panic.
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

    /// # Panics
    ///
    /// If one of our own promises is broken.
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
