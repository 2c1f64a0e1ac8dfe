//! The right to stage values, for one turn.
//!
//! Takes: values. Leaves: them staged; nothing is current before the turn
//! commits. Never: outlives the body it was given to.

use crate::access::Readable;
use crate::engine::Engine;
use crate::engine::reactions::TurnBody;
use crate::engine::reading::Mode;
use crate::error::raise;
use crate::graph::columns::Kind;
use crate::handle::{KeySlot, KeySpace, Source, SourceAt, SourceFamily, Which};
use crate::ids::{KeyRow, SpaceId, StoreId};
use crate::staging::{Rows, Spot, Writable, is_live, stage_member};
use crate::values::keys::Key;
use crate::values::store::{Staged, Store};

/// The right to stage values in a turn's body.
///
/// Writers see what they staged, and else what is committed; everybody else sees what is committed.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let (gold, gems) = (arena.source(10), arena.source(1));
/// arena.turn(|w| {
///     w.set(gold, 4);
///     let left = *w.get(gold);
///     w.set(gems, left * 2);
/// });
/// assert_eq!(*arena.read(gems), 8);
/// ```
pub struct Writer<'turn> {
    engine: &'turn mut Engine,
}

impl std::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<'turn> Writer<'turn> {
    pub(crate) fn new(engine: &'turn mut Engine) -> Self {
        Self { engine }
    }

    /// Runs the body of a queued turn.
    pub(crate) fn run(&mut self, body: TurnBody<Engine>) {
        body(self.engine);
    }

    #[inline]
    #[track_caller]
    fn store<T: Send + Sync + 'static>(&mut self, id: StoreId) -> &mut Store<T> {
        if self.engine.values.store_mut::<T>(id).list() {
            self.engine.staged.push(id);
        }
        self.engine.values.store_mut::<T>(id)
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    #[inline]
    #[track_caller]
    fn spot<W: Writable>(&mut self, source: &W) -> Spot {
        match source.spot(self.engine) {
            Ok(spot) => spot,
            Err(error) => panic!("{error}"),
        }
    }

    /// Stages `value` as the next value of `source`.
    ///
    /// Readers see the old value until the turn commits. The last value staged in a turn wins. Staging an equal
    /// value moves nothing and runs nothing. A key that isn't a member becomes one.
    ///
    /// # Cost
    ///
    /// O(1). Allocates only when more sources are staged than in any turn before, or for a new row's chunk.
    ///
    /// # Panics
    ///
    /// If the handle is stale or belongs to another arena.
    #[inline]
    #[track_caller]
    pub fn set<W: Writable>(&mut self, source: W, value: W::Value) {
        let at = self.spot(&source);
        self.store(at.store).stage(at.local, at.offset, value);
    }

    /// As [`set`](Self::set), but clones `value` only if it differs from what is staged or committed.
    ///
    /// # Panics
    ///
    /// As [`set`](Self::set).
    #[track_caller]
    pub fn set_ref<W: Writable>(&mut self, source: W, value: &W::Value)
    where
        W::Value: Clone,
    {
        let at = self.spot(&source);
        self.store(at.store).stage_ref(at.local, at.offset, value);
    }

    /// What is staged for `source`, else its committed value.
    ///
    /// # Panics
    ///
    /// If it has no value ([`try_get`](Self::try_get) gives an option), or the handle is stale or of another arena.
    #[track_caller]
    pub fn get<W: Writable>(&mut self, source: W) -> &W::Value {
        let place = match source.locate(self.engine) {
            Ok(place) => place,
            Err(error) => panic!("{error}"),
        };
        let error = self.engine.absent(place.0);
        match self.try_get(source) {
            Some(value) => value,
            None => panic!("{error}"),
        }
    }

    /// As [`get`](Self::get), where there may be no value.
    ///
    /// # Panics
    ///
    /// If the handle is stale or of another arena.
    #[track_caller]
    pub fn try_get<W: Writable>(&mut self, source: W) -> Option<&W::Value> {
        let place = match source.locate(self.engine) {
            Ok(place) => place,
            Err(error) => panic!("{error}"),
        };
        let (store, local) = self.engine.local(place.0);
        let offset = place.0.offset();
        match self
            .engine
            .values
            .store::<W::Value>(store)
            .staged(local, offset)
        {
            Staged::Value(_) => {}
            Staged::Cleared => self.engine.stage_first_if_total(place.0),
            Staged::None => {
                if let Err(panic) = self.engine.read(place.0, Mode::Peek) {
                    raise(panic);
                }
            }
        }
        let store = self.engine.values.store::<W::Value>(store);
        match store.staged(local, offset) {
            Staged::Value(value) => Some(value),
            Staged::Cleared => None,
            Staged::None => store.get(local, offset),
        }
    }

    /// Stages a changed copy of what [`get`](Self::get) gives.
    ///
    /// # Panics
    ///
    /// As [`get`](Self::get). If `change` panics, nothing is staged by this call.
    #[track_caller]
    pub fn update<W: Writable + Copy>(&mut self, source: W, change: impl FnOnce(&mut W::Value))
    where
        W::Value: Clone,
    {
        let mut value = self.get(source).clone();
        change(&mut value);
        self.set(source, value);
    }

    /// Stages that `source` hold nothing, as before its first value.
    ///
    /// # Panics
    ///
    /// If the source was not declared with [`Arena::absent_source`](crate::Arena::absent_source), or belongs to another arena.
    #[track_caller]
    pub fn clear<T: Send + Sync + 'static>(&mut self, source: Source<T>) {
        let at = self.spot(&source);
        let clearable =
            self.engine.graph.rows[source.row.chunk()].clearable & source.row.bit() != 0;
        assert!(
            clearable,
            "{} always holds a value; declare it with `absent_source` to clear it",
            self.engine.name(source.row)
        );
        self.store::<T>(at.store).stage_clear(at.local, at.offset);
    }

    /// Stages that a member family have no row for the key. The key stays a member. A total family's row starts anew, at its first value.
    ///
    /// # Panics
    ///
    /// If the slot is stale, or the handle of another arena.
    #[track_caller]
    pub fn remove<K: Key, T: Send + Sync + 'static>(&mut self, at: SourceAt<K, T>) {
        let found = match at.find(self.engine) {
            Ok(found) => found,
            Err(error) => panic!("{error}"),
        };
        let row = match (&at.which, found) {
            (Which::Slot(row, _), _) => Some(*row),
            (Which::Key(key), _) => self.engine.values.space::<K>(at.family.space).find(key),
        };
        let Some(row) = row else { return };
        if self.engine.graph.columns[at.family.column].total {
            self.engine.stage_first(at.family.column, row);
        } else {
            self.store::<T>(at.family.store)
                .stage_clear(row.chunk(), row.offset());
        }
    }

    /// Stages that `key` be a member, and gives its slot, which holds from now on.
    ///
    /// # Cost
    ///
    /// One hash. Allocates for a new key.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn insert_key<K: Key>(&mut self, space: KeySpace<K>, key: K) -> KeySlot<K> {
        self.engine.own(space.arena);
        let row = self.engine.key_row(space.id, &key);
        stage_member(self.engine, space.id, row, true);
        let generation = self.engine.values.erased_space(space.id).generation(row);
        KeySlot::new(space.arena, space.id, row, generation)
    }

    /// Stages that `key` be no member and have no row in any family. Whether it was one.
    ///
    /// # Cost
    ///
    /// One hash, and O(families of the space), here and when the turn commits.
    ///
    /// # Panics
    ///
    /// If the space belongs to another arena.
    #[track_caller]
    pub fn remove_key<K: Key>(&mut self, space: KeySpace<K>, key: &K) -> bool {
        self.engine.own(space.arena);
        match self.engine.values.space::<K>(space.id).find(key) {
            Some(row) => self.remove_row(space.id, row),
            None => false,
        }
    }

    /// As [`remove_key`](Self::remove_key), without hashing. A stale slot removes nothing.
    ///
    /// # Panics
    ///
    /// If the slot belongs to another arena.
    #[track_caller]
    pub fn remove_slot<K: Key>(&mut self, slot: KeySlot<K>) -> bool {
        self.engine.own(slot.arena);
        let live = is_live(
            self.engine.values.erased_space(slot.space),
            slot.row,
            slot.generation,
        );
        live && self.remove_row(slot.space, slot.row)
    }

    fn remove_row(&mut self, space: SpaceId, row: KeyRow) -> bool {
        if !self.engine.values.erased_space(space).is_member_staged(row) {
            return false;
        }
        stage_member(self.engine, space, row, false);
        let member = self.engine.values.erased_space(space).is_member(row);
        for at in 0..self.engine.space_columns[space.index()].len() {
            let column = &self.engine.graph.columns[self.engine.space_columns[space.index()][at]];
            if column.kind == Kind::Source {
                let id = column.store;
                if member {
                    self.engine.stage_clear(id, row);
                } else {
                    // It was no member before this turn: what was only read stays.
                    self.engine
                        .values
                        .erased_mut(id)
                        .unstage(row.chunk(), row.offset());
                }
            }
        }
        true
    }

    /// The committed, settled value of any cog. What this turn staged is not in it.
    ///
    /// # Panics
    ///
    /// As [`Reader::get`](crate::Reader::get).
    #[track_caller]
    pub fn read<C: Readable>(&mut self, cog: C) -> &C::Value {
        self.engine.read_outside(&cog)
    }

    /// A turn within this one: it joins, and commits with it.
    ///
    /// If `body` panics and the panic is caught inside the outer body, what was staged before it stays staged.
    pub fn turn<R>(&mut self, body: impl FnOnce(&mut Writer<'_>) -> R) -> R {
        body(&mut Writer {
            engine: self.engine,
        })
    }

    /// The rows of one family, to write many by slot: the family is found once.
    ///
    /// # Panics
    ///
    /// If the family belongs to another arena.
    #[track_caller]
    pub fn rows<K: Key, T: Send + Sync + 'static>(
        &mut self,
        family: SourceFamily<K, T>,
    ) -> Rows<'_, K, T> {
        self.engine.own(family.arena);
        if self.engine.values.store_mut::<T>(family.store).list() {
            self.engine.staged.push(family.store);
        }
        let engine = &mut *self.engine;
        let (store, space) = engine
            .values
            .store_and_space::<K, T>(family.store, family.space);
        Rows {
            store,
            space,
            family,
            columns: &engine.graph.columns,
            functions: &engine.functions,
        }
    }
}
