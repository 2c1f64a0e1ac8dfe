//! Seeding sources, for tests.
//!
//! Takes: values. Leaves: sources that hold them. Never: has logic of its own.

use crate::arena::owner::Arena;
use crate::engine::Step;
use crate::error::raise;
use crate::staging::Writable;

/// Seeding, for tests. Feature `testing`.
impl Arena {
    /// Lets `source` hold `value`, quietly: it is no turn, and no reaction runs for it now.
    ///
    /// For the state that a test begins with. Equality is asked as ever. What depends on the source is computed anew when it
    /// is read, or now if it is held. A reaction that reads it, or a host that publishes it, is told with the next turn,
    /// whatever that turn writes; register reactions after seeding, if they are to know nothing but what was seeded.
    ///
    /// # Cost
    ///
    /// That of a turn with one write.
    ///
    /// # Panics
    ///
    /// If a turn is open, or the handle is stale or of another arena; with the first panic of a held cog's function or of
    /// an equality.
    ///
    /// # Examples
    ///
    /// ```
    /// use cog_arena::{Arena, First};
    ///
    /// let mut arena = Arena::new();
    /// let stock = arena.source(100);
    /// let is_low = arena.derived(move |r| *r.get(stock) < 10);
    ///
    /// arena.seed(stock, 12);
    /// assert!(!*arena.read(is_low));
    /// assert_eq!(arena.totals().revision, 0, "there was no turn");
    /// arena.watch(is_low, First::Skip, |_, low, _| assert!(*low));
    /// arena.turn(|w| w.update(stock, |stock| *stock -= 5));
    /// ```
    #[track_caller]
    pub fn seed<W: Writable>(&mut self, source: W, value: W::Value) {
        let step = self.engine.step;
        assert!(
            step == Step::Idle,
            "sources are seeded between turns, but one is open, at the step {step:?}: write in it, or end it first"
        );
        self.engine.step = Step::Writing;
        let seeded = self
            .engine
            .write(|w| w.set(source, value))
            .and_then(|()| self.engine.settle_quietly());
        if let Err(panic) = seeded {
            raise(panic);
        }
    }
}
