//! The engine: shape and contents in one plain struct. Here, and only here, they meet.
//!
//! Takes: nothing. Leaves: access to all parts. Never: decides an order of
//! things; that is what `turn` is for.

use std::any::TypeId;
use std::collections::VecDeque;
use std::panic::Location;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::engine::labels::Labels;
use crate::engine::reactions::{Queued, Reactions};
use crate::error::{ReadError, Warning};
use crate::graph::Graph;
use crate::handle::Held;
use crate::ids::{ChunkId, ColumnId, KeyRow, Row, SpaceId, StoreId};
use crate::sync::{ArenaId, Bell};
use crate::turn::state::{State, TurnCounts};
use crate::values::Values;
use crate::values::functions::Functions;
use crate::values::keys::Membership;

/// Where an open turn stands.
///
/// # Examples
///
/// ```
/// use cog_arena::{Arena, Step};
///
/// let mut arena = Arena::new();
/// assert_eq!(arena.step(), Step::Idle);
/// arena.begin();
/// assert_eq!(arena.step(), Step::Writing);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// No turn is open.
    Idle,
    /// Writers may stage values.
    Writing,
    /// Everything needed is settled; what moved can be read.
    Settled,
    /// What moved was published, and fed.
    Published,
    /// Reactions ran.
    Reacted,
}

/// A function that is told of warnings.
pub(crate) type Warn = Box<dyn FnMut(&Warning) + Send + Sync>;

/// Everything an arena is made of.
pub struct Engine {
    pub(crate) id: ArenaId,
    pub(crate) graph: Graph,
    pub(crate) state: State,
    pub(crate) values: Values,
    pub(crate) functions: Functions<Engine>,
    pub(crate) labels: Labels,
    pub(crate) reactions: Reactions<Engine>,
    /// Rung by feeds that were dropped; there once there was a feed.
    pub(crate) bell: Option<Arc<Bell>>,
    pub(crate) queue: VecDeque<Queued<Engine>>,
    /// The pool of each type and equality. Never iterated.
    pub(crate) pools: FxHashMap<(TypeId, usize), StoreId>,
    /// For each store: its family's column, or nil; and how many rows its pool has.
    pub(crate) owners: Vec<(ColumnId, u32)>,
    /// For each key space: its columns.
    pub(crate) space_columns: Vec<Vec<ColumnId>>,
    /// How often each row is held by itself.
    pub(crate) hold_counts: FxHashMap<Row, u32>,
    /// Stores with something staged.
    pub(crate) staged: Vec<StoreId>,
    /// Key spaces with membership staged.
    pub(crate) staged_spaces: Vec<SpaceId>,
    /// Holds that begin when the open turn settles.
    pub(crate) holds_to_come: Vec<Held>,
    pub(crate) memberships: Vec<Membership>,
    /// Keys that go and come back in the turn that commits.
    pub(crate) renewed: Vec<KeyRow>,
    /// Rows of held families that were only read until this turn made their key a member.
    pub(crate) strangers: Vec<(ColumnId, KeyRow)>,
    /// Keys that may not be needed any more.
    pub(crate) loose_keys: Vec<(SpaceId, KeyRow)>,
    pub(crate) step: Step,
    pub(crate) totals: TurnCounts,
    /// The last error of ours that was raised as a panic inside a function.
    pub(crate) raised: Option<Arc<ReadError>>,
    pub(crate) chain: Chain,
    pub(crate) warn: Option<Warn>,
    /// What the open turn is called.
    pub(crate) turn_name: Option<&'static str>,
    #[cfg(any(test, feature = "testing"))]
    pub(crate) log: Option<Vec<String>>,
    /// What a snapshot holds.
    #[cfg(feature = "serialize")]
    pub(crate) saved: crate::engine::saved::SavedCogs<Engine>,
}

/// Turns in a row, each asked for by one before.
pub(crate) struct Chain {
    /// How many ran.
    pub(crate) turn_count: u32,
    /// How many may.
    pub(crate) turns_max: u32,
    /// Who asked for the last few.
    pub(crate) causes: VecDeque<&'static Location<'static>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("id", &self.id)
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine without cogs.
    pub(crate) fn new() -> Self {
        Self {
            id: ArenaId::new(),
            graph: Graph::default(),
            state: State {
                depth_max: 1_000_000,
                ..State::default()
            },
            values: Values::default(),
            functions: Functions::default(),
            labels: Labels::default(),
            reactions: Reactions::default(),
            bell: None,
            queue: VecDeque::new(),
            pools: FxHashMap::default(),
            owners: Vec::new(),
            space_columns: Vec::new(),
            hold_counts: FxHashMap::default(),
            staged: Vec::new(),
            staged_spaces: Vec::new(),
            holds_to_come: Vec::new(),
            memberships: Vec::new(),
            renewed: Vec::new(),
            strangers: Vec::new(),
            loose_keys: Vec::new(),
            step: Step::Idle,
            totals: TurnCounts::default(),
            raised: None,
            chain: Chain {
                turn_count: 0,
                turns_max: 100_000,
                causes: VecDeque::new(),
            },
            warn: None,
            turn_name: None,
            #[cfg(any(test, feature = "testing"))]
            log: None,
            #[cfg(feature = "serialize")]
            saved: crate::engine::saved::SavedCogs::default(),
        }
    }

    /// Where a store's row lies: its chunk's number in the store.
    #[inline]
    pub(crate) fn local(&self, row: Row) -> (StoreId, u32) {
        let head = &self.graph.rows[row.chunk()];
        (head.store, head.local)
    }

    /// The chunk `local` of a store; made if it isn't there.
    pub(crate) fn ensure_chunk(&mut self, store: StoreId, local: u32) -> ChunkId {
        let column = self.owners[store.index()].0;
        self.graph.rows.ensure_chunk(store, local, column)
    }

    /// What a row is called, with its key.
    pub(crate) fn name(&self, row: Row) -> String {
        let head = &self.graph.rows[row.chunk()];
        let text = self
            .labels
            .text(head.store, head.local, row, head.column.is_nil());
        if head.column.is_nil() {
            return text;
        }
        let space = self.graph.columns[head.column].space;
        let key = self
            .values
            .erased_space(space)
            .describe(self.graph.rows.key_row(row));
        format!("{text}[{key}]")
    }

    /// Notes a run, if runs are logged.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn log_run(&mut self, row: Row) {
        if self.log.is_some() && !row.is_nil() {
            let name = self.name(row);
            self.log.get_or_insert_default().push(name);
        }
    }

    /// Runs are not logged in this build.
    #[cfg(not(any(test, feature = "testing")))]
    #[expect(clippy::unused_self, reason = "the same call in every build")]
    pub(crate) fn log_run(&mut self, _row: Row) {}

    /// Notes a tracked row's run, if runs are logged.
    #[inline]
    pub(crate) fn log_node_run(&mut self, node: crate::ids::NodeIndex) {
        if cfg!(any(test, feature = "testing")) {
            self.log_run(self.graph.nodes[node].row);
        }
    }

    /// Makes everything reached through this key go away at the turn's end, if nothing needs it.
    pub(crate) fn loosen(&mut self, row: Row) {
        let head = &self.graph.rows[row.chunk()];
        if !head.column.is_nil() {
            let space = self.graph.columns[head.column].space;
            self.loosen_key(space, self.graph.rows.key_row(row));
        }
    }
}
