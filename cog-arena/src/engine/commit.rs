//! Making staged values and memberships current, and letting go at the turn's end.
//!
//! Takes: what writers staged. Leaves: it current, and the list of what moved.
//! Never: runs user code but equality, before anything changed, and `Drop`, at the end.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::state::Engine;
use crate::error::Panic;
use crate::graph::columns::Kind;
use crate::graph::nodes::Flags;
use crate::ids::{ChunkId, ColumnId, Item, KeyRow, Moved, Row, SpaceId, StoreId};
use crate::turn::tell;
use crate::values::keys::Membership;

impl Engine {
    /// Compares and makes current in one, where one chunk is all that is staged.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    #[inline]
    pub(crate) fn commit_single(&mut self) -> Result<Option<(ChunkId, Item)>, Panic> {
        let &[store] = self.staged.as_slice() else {
            return Ok(None);
        };
        if !self.staged_spaces.is_empty() {
            return Ok(None);
        }
        let typed = self.values.erased_mut(store);
        let Some(item) = catch_unwind(AssertUnwindSafe(|| typed.commit_one()))? else {
            return Ok(None);
        };
        let mut chunk = self.graph.rows.chunk(store, item.chunk);
        if item.mask != 0 {
            if chunk.is_nil() {
                chunk = self.ensure_chunk(store, item.chunk);
            }
            self.graph.rows[chunk].present = item.present;
        }
        Ok(Some((chunk, item)))
    }

    /// Which staged values really differ.
    ///
    /// # Errors
    ///
    /// With the first panic of user code.
    pub(crate) fn compare(&mut self, moved: &mut Vec<Moved>) -> Result<(), Panic> {
        self.renew();
        catch_unwind(AssertUnwindSafe(|| {
            for &store in &self.staged {
                self.values.erased(store).compare(store, moved);
            }
        }))
    }

    /// A key that was removed and is back begins a new life: its sources' values are not compared with the old ones.
    fn renew(&mut self) {
        for at in 0..self.staged_spaces.len() {
            let space = self.staged_spaces[at];
            let mut renewed = std::mem::take(&mut self.renewed);
            self.values.erased_space(space).renewed(&mut renewed);
            for key in renewed.drain(..) {
                for &id in &self.space_columns[space.index()] {
                    let column = &self.graph.columns[id];
                    if column.kind == Kind::Source {
                        let store = self.values.erased_mut(column.store);
                        store.stage_unlike(key.chunk(), key.offset());
                    }
                }
            }
            self.renewed = renewed;
        }
    }

    /// Makes them current.
    pub(crate) fn apply(&mut self, moved: &mut Vec<Moved>) {
        for &Moved { store, item } in moved.iter() {
            if self.graph.rows.chunk(store, item.chunk).is_nil() {
                self.ensure_chunk(store, item.chunk);
            }
            self.values.erased_mut(store).apply(item.chunk, item.mask);
            let chunk = self.graph.rows.chunk(store, item.chunk);
            self.graph.rows[chunk].present = item.present;
        }
        while let Some(space) = self.staged_spaces.pop() {
            let mut changes = std::mem::take(&mut self.memberships);
            self.values.erased_space_mut(space).commit(&mut changes);
            self.graph.spaces[space.index()].chunk_count =
                self.values.erased_space(space).row_count().div_ceil(64);
            for change in changes.drain(..) {
                self.apply_membership(space, change, moved);
            }
            self.memberships = changes;
        }
    }

    fn apply_membership(&mut self, space: SpaceId, change: Membership, moved: &mut Vec<Moved>) {
        if !change.is {
            self.loosen_key(space, change.row);
        }
        self.graph.spaces[space.index()].set_member(change.row, change.is);
        if change.was == change.is && !change.renewed {
            return;
        }
        for at in 0..self.space_columns[space.index()].len() {
            let id = self.space_columns[space.index()][at];
            if change.was {
                self.key_went(id, change, moved);
            }
            if change.is {
                self.key_came(id, change.row, moved);
            }
            if self.graph.columns[id].folded {
                tell::member_changed(&mut self.graph, id, change.row.chunk(), change.row.bit());
            }
        }
    }

    /// Eager columns without a required input have a row for every member, and
    /// those above which there are only total sources. Others have one that
    /// fails, if an input was read before the key came, and failed.
    fn key_came(&mut self, id: ColumnId, key: KeyRow, moved: &mut Vec<Moved>) {
        let column = &self.graph.columns[id];
        let (store, recipe) = (column.store, column.recipe);
        let eager = column.eager
            && (column.boundless || self.graph.blocked(id, key.chunk()) & key.bit() != 0);
        match column.kind {
            Kind::Source => {
                if self.is_needed_everywhere(id) && self.ensure_first(id, key) {
                    let present = self.graph.present(id, false, key.chunk());
                    moved.push(moved_key(store, key, present));
                }
            }
            Kind::Declared => {
                if eager {
                    self.wake_declared(id, key.chunk(), key.bit());
                } else if let Some(row) = self.held_row(store, key) {
                    self.wake_held(row);
                }
                self.note_member(id, key);
            }
            Kind::Tracked => {
                if eager || self.held_row(store, key).is_some() {
                    let chunk = self.ensure_chunk(store, key.chunk());
                    let node = self
                        .graph
                        .ensure_tracked(Row::of(chunk, key.offset()), recipe);
                    self.graph.pending.roots.push(node);
                }
                self.note_member(id, key);
            }
        }
    }

    /// The key's row, if it is held by itself.
    fn held_row(&self, store: StoreId, key: KeyRow) -> Option<Row> {
        let row = self.graph.rows.row(store, key);
        if row.is_nil() {
            return None;
        }
        let node = self.graph.rows.node(row);
        (!node.is_nil() && self.graph.nodes[node].flags.any(Flags::HELD)).then_some(row)
    }

    /// A row that was only read until now belongs to a member.
    fn note_member(&mut self, id: ColumnId, key: KeyRow) {
        let present = self.graph.present(id, false, key.chunk()) & key.bit();
        if 0 < self.graph.columns[id].hold_count && present != 0 {
            self.state.counts.published += self.graph.note_moves(id, key.chunk(), present);
            self.strangers.push((id, key));
        }
    }

    /// Of rows that were only read until this turn made their key a member, those that lost their value in the same
    /// turn are no news: nobody was told of it.
    pub(crate) fn forget_strangers(&mut self) {
        while let Some((id, key)) = self.strangers.pop() {
            let present = self.graph.present(id, false, key.chunk());
            if present & key.bit() == 0 {
                self.graph.columns[id].moved.clear(key.chunk(), key.bit());
                self.state.counts.published -= 1;
            }
        }
    }

    /// A removed key's rows go, those of derived families with those of the sources.
    fn key_went(&mut self, id: ColumnId, change: Membership, moved: &mut Vec<Moved>) {
        let key = change.row;
        let column = &self.graph.columns[id];
        let row = self.graph.rows.row(column.store, key);
        let (kind, store) = (column.kind, column.store);
        if 0 < column.hold_count && !row.is_nil() && self.graph.rows.is_present(row) {
            // Whatever becomes of the row: the key's is gone.
            self.state.counts.published += self.graph.note_gone(id, key.chunk(), key.bit());
        }
        if row.is_nil() {
            return;
        }
        let present = self.graph.rows.is_present(row);
        if kind == Kind::Source {
            return;
        }
        if present {
            let (_, panic) = self
                .values
                .erased_mut(store)
                .drop_row(key.chunk(), key.offset());
            if let Some(panic) = panic {
                self.state.keep(panic);
            }
        }
        let head = &mut self.graph.rows[row.chunk()];
        let (known, failed) = (head.known & row.bit(), head.failed & row.bit());
        head.present &= !row.bit();
        head.known &= !row.bit();
        head.failed &= !row.bit();
        let now = head.present;
        let node = self.graph.rows.node(row);
        if kind == Kind::Declared {
            if present || failed != 0 {
                moved.push(moved_key(store, key, now));
            } else if known != 0 {
                // Whoever read that there was none must look again: what it is made of may be gone, and be told nothing.
                self.state.ended.extend((!node.is_nil()).then_some(node));
            }
            return;
        }
        if !node.is_nil() && self.graph.nodes[node].flags.any(Flags::TRACKED) {
            if !present && failed == 0 && self.graph.nodes[node].is_read() {
                self.graph.reset_tracked(node);
            } else {
                self.graph.end_tracked(node);
            }
            self.state.ended.push(node);
            if present && !self.graph.columns[id].outputs.is_empty() {
                moved.push(moved_key(store, key, now));
            }
        }
    }

    /// Forgets everything staged.
    pub(crate) fn discard_staged(&mut self) {
        self.clean_stores();
        while let Some(space) = self.staged_spaces.pop() {
            let mut touched = Vec::new();
            self.values.erased_space_mut(space).discard(&mut touched);
            for key in touched {
                self.loosen_key(space, key);
            }
        }
        self.free_loose_keys();
    }

    #[inline]
    pub(crate) fn clean_stores(&mut self) {
        let &[store] = self.staged.as_slice() else {
            return self.clean_many();
        };
        self.staged.clear();
        if let Some(panic) = self.values.erased_mut(store).clean() {
            self.state.keep(panic);
        }
    }

    #[inline(never)]
    fn clean_many(&mut self) {
        while let Some(store) = self.staged.pop() {
            if let Some(panic) = self.values.erased_mut(store).clean() {
                self.state.keep(panic);
            }
        }
    }

    /// The turn's end: replaced values go, and keys that nothing needs.
    #[inline]
    pub(crate) fn release_turn(&mut self) {
        if !self.staged.is_empty() {
            self.clean_stores();
        }
        if std::mem::take(&mut self.graph.pending.any_moved) {
            self.forget_moved();
        }
        self.release_keys();
    }

    /// What moved was published, or could have been.
    #[inline(never)]
    fn forget_moved(&mut self) {
        while let Some(id) = self.graph.pending.moved_columns.pop() {
            let column = &mut self.graph.columns[id];
            column.moved.take(|_, _| {});
            column.fresh = false;
            column.is_news = false;
        }
        while let Some(node) = self.graph.pending.moved.pop() {
            let node = &mut self.graph.nodes[node];
            node.flags = node.flags.without(Flags::MOVED);
        }
    }

    /// Keys that nothing needs give their row numbers back.
    #[inline]
    pub(crate) fn release_keys(&mut self) {
        if !self.loose_keys.is_empty() || !self.graph.unread.is_empty() {
            self.release_loose_keys();
        }
    }

    #[inline(never)]
    fn release_loose_keys(&mut self) {
        while let Some(row) = self.graph.unread.pop() {
            if !row.is_nil() {
                self.loosen(row);
            }
        }
        self.free_loose_keys();
    }

    fn free_loose_keys(&mut self) {
        while let Some((space, key)) = self.loose_keys.pop() {
            let free = self.values.erased_space_mut(space).take_loose(key);
            if !free || self.is_key_needed(space, key) {
                continue;
            }
            for &id in &self.space_columns[space.index()] {
                let column = &mut self.graph.columns[id];
                column.dirty.clear(key.chunk(), key.bit());
                column.check.clear(key.chunk(), key.bit());
                let chunk = self.graph.rows.chunk(column.store, key.chunk());
                if !chunk.is_nil() {
                    self.graph.rows[chunk].known &= !key.bit();
                    self.graph.rows[chunk].failed &= !key.bit();
                }
            }
            let keys = self.values.erased_space_mut(space);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| keys.free(key))) {
                self.state.keep(panic);
            }
        }
    }

    fn is_key_needed(&self, space: SpaceId, key: KeyRow) -> bool {
        self.space_columns[space.index()].iter().any(|&id| {
            let row = self.graph.rows.row(self.graph.columns[id].store, key);
            !row.is_nil()
                && (self.graph.rows.is_present(row) || !self.graph.rows.node(row).is_nil())
        })
    }
}

/// One key's row moved.
fn moved_key(store: StoreId, key: KeyRow, present: u64) -> Moved {
    let (chunk, mask) = (key.chunk(), key.bit());
    Moved {
        store,
        item: Item {
            chunk,
            mask,
            present,
        },
    }
}
