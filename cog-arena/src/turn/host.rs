//! What the steps of a turn ask of the engine: the only calls into user code.
//!
//! Takes: rows to recompute. Leaves: whether their values moved. Never: lets a
//! panic of user code through; it comes back as a value, so that the steps can
//! put the graph right first.

use crate::error::Panic;
use crate::graph::Graph;
use crate::graph::nodes::Flags;
use crate::ids::{Change, ChunkId, ColumnId, Item, KeyRow, Moved, NodeIndex, RecipeId, Row};
use crate::turn::state::{State, Subject};

/// The engine, as the steps see it.
pub(crate) trait Host {
    /// The shape.
    fn graph(&mut self) -> &mut Graph;

    /// The turn's buffers.
    fn state(&mut self) -> &mut State;

    /// Both at once.
    fn parts(&mut self) -> (&mut Graph, &mut State);

    /// Runs the function of a tracked row or reaction and keeps its value.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    fn recompute(
        &mut self,
        node: NodeIndex,
        flags: Flags,
        recipe: RecipeId,
    ) -> Result<Change, Panic>;

    /// Runs the function of a keyless declared cog and keeps its value.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    fn recompute_lane(&mut self, recipe: RecipeId, row: Row) -> Result<Change, Panic>;

    /// Runs the function of a declared family for the rows of `items`, in one
    /// loop. Afterwards the items say what moved; rows that failed bear their
    /// chunk's `failed` bit, and the first panic is returned.
    fn recompute_rows(&mut self, column: ColumnId, items: &mut [Item]) -> Option<Panic>;

    /// Drops the row's value, if it has one.
    fn drop_value(&mut self, row: Row) -> Change;

    /// Makes a total source's row for a key that was only read.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    fn materialise(&mut self, column: ColumnId, key: KeyRow) -> Result<(), Panic>;

    /// What a row fails with that is known to have failed already.
    fn failed_again(&mut self, row: Row) -> Panic;

    /// Whether a writer staged anything.
    fn has_staged(&self) -> bool;

    /// Compares and makes current in one, where all that is staged lies in one
    /// chunk: the chunk, and what moved. Does nothing where it is more.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    fn commit_one(&mut self) -> Result<Option<(ChunkId, Item)>, Panic>;

    /// Compares staged values with committed ones. Changes nothing.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    fn compare_staged(&mut self, moved: &mut Vec<Moved>) -> Result<(), Panic>;

    /// Makes staged values current, and membership what was asked for.
    fn apply_staged(&mut self, moved: &mut Vec<Moved>);

    /// A cycle through the rows `path`, as a panic that names them.
    fn cycle(&mut self, path: &[Subject]) -> Panic;

    /// Where a reaction stands in the order of registration; `None` if the node isn't one's (any more).
    fn order(&self, reaction: NodeIndex) -> Option<u64>;

    /// Does what the reaction that just ran asked for: queues turns, registers and ends reactions.
    fn between_reactions(&mut self);

    /// Drops replaced values and released keys. Collects panics of their `Drop`.
    fn release(&mut self);
}
