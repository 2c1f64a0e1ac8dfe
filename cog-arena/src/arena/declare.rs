//! Declaring keyless cogs.
//!
//! Takes: values and functions. Leaves: handles. Never: runs anything.

use crate::arena::owner::Arena;
use crate::handle::{Derived, Source};
use crate::kinds::declare::Declare;
use crate::reader::Reader;
use crate::recipes::inputs::Inputs;

/// Declaring. Nothing runs when it is declared. A cog without a name is called by file and line.
impl Arena {
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

    /// A keyless source that holds nothing until it is set, and again after [`Writer::clear`](crate::Writer::clear).
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
}
