//! What readers and writers ask of the engine about keys and rows of any type.
//!
//! Takes: keys and handles. Leaves: row numbers. Never: makes a key a member.

use crate::engine::labels::Label;
use crate::engine::reading::Mode;
use crate::engine::state::{Engine, Step};
use crate::graph::columns::{Column, Kind};
use crate::graph::spaces::Space as SpaceShape;
use crate::ids::RecipeId;
use crate::ids::{ColumnId, KeyRow, Row, SpaceId, StoreId};
use crate::sync::ArenaId;
use crate::values::keys::{ErasedSpace, Key, Space};
use crate::values::store::{Equal, Store};

impl Engine {
    /// Panics unless a handle of `arena` is one of this engine's.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[inline]
    #[track_caller]
    pub(crate) fn own(&self, arena: ArenaId) {
        assert!(arena == self.id, "{}", crate::error::ReadError::Foreign);
    }

    /// The key's row number; given out if it has none.
    #[inline]
    pub(crate) fn key_row<K: Key>(&mut self, space: SpaceId, key: &K) -> KeyRow {
        if let Some(row) = self.values.space::<K>(space).find(key) {
            return row;
        }
        let row = self.values.space_mut::<K>(space).ensure(key);
        let chunk_count = &mut self.graph.spaces[space.index()].chunk_count;
        *chunk_count = (*chunk_count).max(row.chunk() as usize + 1);
        self.loosen_key(space, row);
        row
    }

    /// A key may not be needed any more: the turn's end looks at it, once, however many of its rows lost their readers.
    pub(crate) fn loosen_key(&mut self, space: SpaceId, key: KeyRow) {
        if self.values.erased_space_mut(space).loosen(key) {
            self.loose_keys.push((space, key));
        }
    }

    /// A new key space: over an array, if the keys have an index.
    pub(crate) fn add_space<K: Key>(&mut self, index: Option<fn(&K) -> u32>) -> SpaceId {
        let space = index.map_or_else(Space::<K>::hashed, Space::<K>::indexed);
        let id = self.values.insert_space(space);
        self.graph.spaces.push(SpaceShape::default());
        self.space_columns.push(Vec::new());
        id
    }

    /// The members of a key space, by row number.
    pub(crate) fn members_of<K: Key>(&self, id: SpaceId) -> impl Iterator<Item = &K> {
        let space = self.values.space::<K>(id);
        let rows = (0..space.row_count()).map(KeyRow::at);
        rows.filter(|&row| space.is_member(row))
            .filter_map(|row| space.key(row))
    }

    /// The row's value, if it has one.
    pub(crate) fn value<T: 'static>(&self, row: Row) -> Option<&T> {
        let (store, local) = self.local(row);
        self.values.store::<T>(store).get(local, row.offset())
    }

    fn list_staged(&mut self, store: StoreId) {
        if self.values.erased_mut(store).list() {
            self.staged.push(store);
        }
    }

    /// Stages that a source's row have no value.
    pub(crate) fn stage_clear(&mut self, store: StoreId, key: KeyRow) {
        self.list_staged(store);
        self.values
            .erased_mut(store)
            .stage_clear(key.chunk(), key.offset());
    }

    /// Stages the first value of a total source's row.
    pub(crate) fn stage_first(&mut self, column: ColumnId, key: KeyRow) {
        let store = self.graph.columns[column].store;
        self.list_staged(store);
        self.function_of(column).stage_first(self, key);
    }

    /// As [`Self::stage_first`], if the row is a total source's.
    pub(crate) fn stage_first_if_total(&mut self, row: Row) {
        let column = self.graph.rows[row.chunk()].column;
        if !column.is_nil() && self.graph.columns[column].total {
            let key = self.graph.rows.key_row(row);
            self.stage_first(column, key);
        }
    }

    /// The pool for keyless cogs of this type and equality.
    pub(crate) fn pool<T: Send + Sync + 'static>(&mut self, equal: Equal<T>) -> StoreId {
        let kind = (std::any::TypeId::of::<T>(), equal as usize);
        if let Some(&store) = self.pools.get(&kind) {
            return store;
        }
        let store = self.add_store(equal, ColumnId::NIL);
        self.pools.insert(kind, store);
        store
    }

    /// A new store, for a family's column or for a pool.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    pub(crate) fn add_store<T: Send + Sync + 'static>(
        &mut self,
        equal: Equal<T>,
        column: ColumnId,
    ) -> StoreId {
        let store = self.values.insert(Store::new(equal));
        let shaped = self.graph.rows.add_store();
        assert!(store == shaped, "shape and contents number stores alike");
        self.owners.push((column, 0));
        store
    }

    /// A new row in a pool.
    pub(crate) fn add_row(&mut self, store: StoreId) -> Row {
        let (_, count) = &mut self.owners[store.index()];
        let at = KeyRow::new(*count);
        *count += 1;
        let chunk = self.ensure_chunk(store, at.chunk());
        Row::of(chunk, at.offset())
    }

    /// The column through which a keyless cog takes part in declared dependencies.
    pub(crate) fn ensure_lane(&mut self, row: Row) -> ColumnId {
        let found = self.graph.rows.lane(row);
        if !found.is_nil() {
            return found;
        }
        let node = self.graph.rows.node(row);
        let tracked = !node.is_nil()
            && self.graph.nodes[node]
                .flags
                .any(crate::graph::nodes::Flags::TRACKED);
        let (kind, recipe) = if tracked {
            (Kind::Tracked, self.graph.nodes[node].recipe)
        } else {
            (Kind::Source, RecipeId::NIL)
        };
        let store = self.graph.rows[row.chunk()].store;
        let mut lane = Column::new(kind, store, SpaceId::NIL, row, recipe);
        lane.anchored = !tracked && !node.is_nil();
        let id = self.graph.columns.insert(lane);
        self.graph.rows.set_lane(row, id);
        id
    }

    /// Names a cog anew: a family by its store, a keyless one by its row.
    pub(crate) fn rename(&mut self, store: StoreId, row: Row, label: Label) {
        let at = if row.is_nil() {
            0
        } else {
            (self.local(row).1 << 6 | row.offset()) as usize
        };
        self.labels.set(store, at, label);
    }

    /// Reads from outside any function.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    pub(crate) fn read_row(&mut self, row: Row) -> Result<bool, crate::error::Panic> {
        let read = self.read(row, Mode::Peek);
        self.settle_between();
        read
    }

    /// Gives back keys that an outside read named and nothing needs.
    pub(crate) fn forget_read(&mut self) {
        if self.step == Step::Idle && self.graph.capture.is_idle() {
            self.release_keys();
        }
    }
}
