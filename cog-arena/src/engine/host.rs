//! What the steps of a turn ask of the engine.
//!
//! Takes: rows to recompute. Leaves: their new values, and what went wrong as a
//! value. Never: lets a panic of user code through.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::engine::reactions::Command;
use crate::engine::state::Engine;
use crate::error::{CogPath, Panic, Raised, ReadError};
use crate::graph::Graph;
use crate::graph::nodes::Flags;
use crate::ids::{Change, ChunkId, ColumnId, Item, KeyRow, Moved, NodeIndex, RecipeId, Row};
use crate::turn::host::Host;
use crate::turn::settle::fail;
use crate::turn::state::{State, Subject};
use crate::values::functions::Run;

/// Stack that a function may count on, and how much more it gets when there is less.
const RED_ZONE_BYTES: usize = 128 * 1024;
const GROWTH_BYTES: usize = 4 * 1024 * 1024;

impl Host for Engine {
    #[inline]
    fn graph(&mut self) -> &mut Graph {
        &mut self.graph
    }

    #[inline]
    fn state(&mut self) -> &mut State {
        &mut self.state
    }

    #[inline]
    fn parts(&mut self) -> (&mut Graph, &mut State) {
        (&mut self.graph, &mut self.state)
    }

    #[inline]
    fn recompute(
        &mut self,
        node: NodeIndex,
        flags: Flags,
        recipe: RecipeId,
    ) -> Result<Change, Panic> {
        if flags.any(Flags::REACTION) {
            return self.run_reaction(node, recipe);
        }
        if recipe.is_nil() {
            return Err(self.undefined(node));
        }
        self.state.counts.run += 1;
        self.log_node_run(node);
        if 1 < self.graph.capture.depth() {
            return self.run_deep(node, recipe);
        }
        let function = self.functions.get(recipe).of(self);
        catch_unwind(AssertUnwindSafe(|| function.row(self, node)))
    }

    #[inline]
    fn recompute_lane(&mut self, recipe: RecipeId, row: Row) -> Result<Change, Panic> {
        self.state.counts.run += 1;
        self.log_run(row);
        let function = self.functions.get(recipe).of(self);
        catch_unwind(AssertUnwindSafe(|| function.lane(self, row)))
    }

    fn recompute_rows(&mut self, column: ColumnId, items: &mut [Item]) -> Option<Panic> {
        let function = self.function_of(column);
        function.rows(self, column, items)
    }

    fn drop_value(&mut self, row: Row) -> Change {
        let (store, local) = self.local(row);
        let (dropped, panic) = self.values.erased_mut(store).drop_row(local, row.offset());
        if let Some(panic) = panic {
            self.state.keep(panic);
        }
        self.graph.rows[row.chunk()].present &= !row.bit();
        let node = self.graph.rows.node(row);
        if !node.is_nil() {
            let node = &mut self.graph.nodes[node];
            node.flags = node.flags.with(Flags::ABSENT);
        }
        if dropped { Change::Moved } else { Change::Kept }
    }

    fn materialise(&mut self, column: ColumnId, key: KeyRow) -> Result<(), Panic> {
        let function = self.function_of(column);
        catch_unwind(AssertUnwindSafe(|| function.first(self, key)))?;
        let store = self.graph.columns[column].store;
        let chunk = self.ensure_chunk(store, key.chunk());
        self.graph.rows[chunk].present |= key.bit();
        Ok(())
    }

    fn has_staged(&self) -> bool {
        !self.staged_spaces.is_empty()
            || self
                .staged
                .iter()
                .any(|&store| self.values.erased(store).has_staged())
    }

    #[inline]
    fn commit_one(&mut self) -> Result<Option<(ChunkId, Item)>, Panic> {
        self.commit_single()
    }

    fn compare_staged(&mut self, moved: &mut Vec<Moved>) -> Result<(), Panic> {
        self.compare(moved)
    }

    fn apply_staged(&mut self, moved: &mut Vec<Moved>) {
        self.apply(moved);
    }

    fn cycle(&mut self, path: &[Subject]) -> Panic {
        let error = Arc::new(ReadError::Cycle(self.path(path.iter().copied())));
        for &subject in path {
            let row = fail::row_of(&self.graph, subject);
            self.graph.pending.failures.note_cycle(row, &error);
        }
        self.raise(error)
    }

    #[cold]
    fn failed_again(&mut self, row: Row) -> Panic {
        self.graph.pending.failures.note_again(row);
        if let Some(aside) = self.state.take_aside(row) {
            return aside;
        }
        match self.graph.pending.failures.cycle_of(row) {
            Some(error) => Box::new(Raised(Arc::clone(error))),
            None => Box::new(format!("{} failed already in this turn", self.name(row))),
        }
    }

    fn order(&self, reaction: NodeIndex) -> Option<u64> {
        let node = &self.graph.nodes[reaction];
        node.flags
            .any(Flags::REACTION)
            .then(|| self.reactions.number(node.recipe))
    }

    fn between_reactions(&mut self) {
        let mut commands = std::mem::take(&mut self.reactions.commands);
        for command in commands.drain(..) {
            match command {
                Command::Turn(queued) => self.queue.push_back(queued),
                Command::React(number, body, location) => {
                    self.add_reaction(number, body, location);
                }
                Command::End(number) => {
                    self.end_reaction(number);
                }
            }
        }
        if self.reactions.commands.is_empty() {
            self.reactions.commands = commands;
        }
    }

    #[inline]
    fn release(&mut self) {
        self.release_turn();
    }
}

impl Engine {
    pub(crate) fn function_of<'a>(&self, column: ColumnId) -> &'a dyn Run<Self> {
        self.functions
            .get(self.graph.columns[column].recipe)
            .of(self)
    }

    /// Runs a row's function inside another's.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    #[inline(never)]
    fn run_deep(&mut self, node: NodeIndex, recipe: RecipeId) -> Result<Change, Panic> {
        if self.state.depth_max < self.graph.capture.depth() {
            return Err(self.too_deep(node));
        }
        let function = self.functions.get(recipe).of(self);
        stacker::maybe_grow(RED_ZONE_BYTES, GROWTH_BYTES, || {
            catch_unwind(AssertUnwindSafe(|| function.row(self, node)))
        })
    }

    #[cold]
    #[inline(never)]
    fn undefined(&self, node: NodeIndex) -> Panic {
        let cog = self.name(self.graph.nodes[node].row);
        Box::new(Raised(Arc::new(ReadError::Undefined { cog })))
    }

    /// # Errors
    ///
    /// With the first panic of user code.
    #[inline(never)]
    fn run_reaction(&mut self, node: NodeIndex, at: RecipeId) -> Result<Change, Panic> {
        let Some(mut body) = self.reactions.take_body(at) else {
            return Ok(Change::Kept);
        };
        let ran = catch_unwind(AssertUnwindSafe(|| body(self, node)));
        self.reactions.put_body(at, body);
        ran.map(|()| Change::Kept)
    }

    /// Registers a reaction. It runs at the flush's tail.
    pub(crate) fn add_reaction(
        &mut self,
        number: u64,
        body: crate::engine::reactions::Body<Self>,
        location: &'static std::panic::Location<'static>,
    ) {
        let graph = &mut self.graph;
        let node = self
            .reactions
            .insert(number, body, location, |at| graph.add_reaction(at));
        self.graph.pending.reactions.push(node);
    }

    /// Ends the feeds whose handles were dropped.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_dropped(&mut self) {
        let Some(bell) = self.bell.clone() else {
            return;
        };
        for number in bell.take() {
            self.end_reaction(number);
        }
        self.release_keys();
    }

    /// Ends a reaction; whether it was there.
    pub(crate) fn end_reaction(&mut self, number: u64) -> bool {
        let Some((node, body)) = self.reactions.remove(number) else {
            return false;
        };
        self.graph.end_reaction(node);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(body))) {
            self.state.keep(panic);
        }
        true
    }

    #[cold]
    fn too_deep(&mut self, node: NodeIndex) -> Panic {
        let row = self.graph.nodes[node].row;
        self.graph.pending.failures.spare(row);
        let path = self.path(self.graph.capture.running().map(Subject::Node));
        self.raise(Arc::new(ReadError::TooDeep(path)))
    }

    /// An error of ours, on its way, and remembered for who asks for it as a value.
    fn raise(&mut self, error: Arc<ReadError>) -> Panic {
        self.raised = Some(Arc::clone(&error));
        Box::new(Raised(error))
    }

    fn path(&self, subjects: impl Iterator<Item = Subject>) -> CogPath {
        let name = |subject| match subject {
            Subject::Row(_, row) => self.name(row),
            Subject::Node(at) if self.graph.nodes[at].row.is_nil() => {
                let recipe = self.graph.nodes[at].recipe;
                let (kind, location) =
                    (self.reactions.kind(recipe), self.reactions.location(recipe));
                format!("{kind} at {}:{}", location.file(), location.line())
            }
            Subject::Node(at) => self.name(self.graph.nodes[at].row),
        };
        CogPath {
            cogs: subjects.map(name).collect(),
        }
    }
}
