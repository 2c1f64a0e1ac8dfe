//! The arena itself.
//!
//! Takes: nothing. Leaves: the one owner of an engine. Never: has logic of its own.

use std::fmt;

use crate::engine::Engine;

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
    pub(crate) engine: Box<Engine>,
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

impl Arena {
    /// An arena without cogs.
    #[must_use]
    pub fn new() -> Self {
        Self {
            engine: Box::new(Engine::new()),
        }
    }
}
