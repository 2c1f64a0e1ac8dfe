//! Recipes of declared rows: functions of declared inputs only, run in one loop.
//!
//! Takes: the user's function. Leaves: a loop over rows that knows all types,
//! so that a row costs its function, a comparison and a bit. Never: lets a row
//! that panics keep the others from running.

use std::any::Any;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::Engine;
use crate::error::Panic;
use crate::ids::{
    CHUNK_ROWS, Change, ColumnId, Item, KeyRow, Row, SpaceId, StoreId, bits_of, row_count,
};
use crate::recipes::fetch::Fetch;
use crate::recipes::inputs::Inputs;
use crate::recipes::install::{Equality, Shape, install_lane};
use crate::turn::host::Host;
use crate::values::chunk::{Slots, drop_caught};
use crate::values::functions::Run;
use crate::values::keys::Key;

/// A declared cog's, keyless or a family's.
pub(crate) struct Declared<I, T, F, E, S> {
    pub(crate) inputs: I,
    pub(crate) function: F,
    pub(crate) equality: E,
    pub(crate) space: SpaceId,
    pub(crate) store: StoreId,
    pub(crate) types: PhantomData<fn() -> (T, S)>,
}

/// How far a loop over a chunk has come. Outlives a row that panics.
struct Progress {
    /// Rows that haven't started.
    left: u64,
    /// The row that runs.
    current: u32,
    /// Rows that moved.
    moved: u64,
    /// Rows that have values.
    filled: u64,
    /// Rows that failed.
    failed: u64,
    /// The first panic.
    panic: Option<Panic>,
}

/// In place of a row: none runs.
const NO_ROW: u32 = CHUNK_ROWS;

impl<I, T, F, E, S> Declared<I, T, F, E, S>
where
    I: Inputs,
    T: Send + Sync + 'static,
    S: Shape<T>,
    F: for<'a> Fn(I::Items<'a>) -> S::Out + Send + Sync + 'static,
    E: Equality<T>,
{
    /// Runs the rows `progress.left` of one chunk, whose inputs all have values.
    fn run_chunk(&self, engine: &Engine, local: u32, slots: Slots<T>, progress: &mut Progress) {
        let fetch = Fetch {
            engine,
            reader: None,
            store: self.store,
            space: self.space,
            local,
        };
        let chunk = self.inputs.chunk(&fetch);
        if progress.left == u64::MAX && progress.filled == u64::MAX {
            for offset in 0..CHUNK_ROWS {
                progress.left = (u64::MAX << 1) << offset;
                self.run_row(chunk, &fetch, slots, offset, progress);
            }
            return;
        }
        while progress.left != 0 {
            let offset = progress.left.trailing_zeros();
            progress.left &= progress.left - 1;
            self.run_row(chunk, &fetch, slots, offset, progress);
        }
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "the loop's body: a call a row would cost as much as the function"
    )]
    fn run_row<'f>(
        &self,
        chunk: I::Chunk,
        fetch: &'f Fetch<'f>,
        slots: Slots<T>,
        offset: u32,
        progress: &mut Progress,
    ) {
        progress.current = offset;
        // SAFETY: the chunk was fetched for this `fetch`; the row's required
        // inputs have values; nothing replaces them while the column runs.
        let items = unsafe { I::item(chunk, fetch, offset) };
        let value = S::value((self.function)(items));
        let (slot, bit) = (slots.at(offset), 1_u64 << offset);
        if progress.filled & bit == 0 {
            let Some(value) = value else { return };
            // SAFETY: the slot is in the chunk's room and holds nothing.
            unsafe { slot.write(value) };
            progress.filled |= bit;
            progress.moved |= bit;
            return;
        }
        let Some(value) = value else {
            progress.filled &= !bit;
            progress.moved |= bit;
            progress.current = NO_ROW;
            // SAFETY: the slot held a value, and is marked empty now.
            unsafe { slot.drop_in_place() };
            return;
        };
        // SAFETY: the slot is filled, and nothing else borrows it: its readers ran before, or will.
        let current = unsafe { &mut *slot };
        if self.equality.equal(current, &value) {
            return;
        }
        let old = std::mem::replace(current, value);
        progress.moved |= bit;
        // A panic of the old value's `Drop` isn't the row's failure.
        progress.current = NO_ROW;
        drop(old);
    }

    fn run_item(&self, engine: &mut Engine, column: ColumnId, item: &mut Item) -> Option<Panic> {
        let store = engine.values.store_mut::<T>(self.store);
        let runs = item.mask & item.present;
        let (slots, filled) = if runs == 0 {
            store.chunk(item.chunk)
        } else {
            store.room(item.chunk)
        };
        let gone = item.mask & !item.present & filled;
        let mut progress = Progress {
            left: runs,
            current: NO_ROW,
            moved: gone,
            filled: filled & !gone,
            failed: 0,
            panic: None,
        };
        if gone != 0 {
            // SAFETY: these slots hold values, and are marked empty below.
            progress.panic = unsafe { slots.drop_values(gone) };
        }
        while progress.left != 0 {
            let ran = catch_unwind(AssertUnwindSafe(|| {
                self.run_chunk(engine, item.chunk, slots, &mut progress);
            }));
            if let Err(panic) = ran {
                if progress.current != NO_ROW {
                    progress.failed |= 1 << progress.current;
                }
                progress.panic.get_or_insert(panic);
            }
        }
        if filled != progress.filled || progress.failed != 0 {
            self.note_chunk(engine, item.chunk, progress.filled, progress.failed);
        }
        engine.state.counts.run += row_count(runs);
        let cut = runs & !(progress.moved | progress.failed);
        if cut != 0 {
            engine.state.counts.cut += row_count(cut);
        }
        self.log(engine, column, item.chunk, runs);
        item.mask = progress.moved;
        item.present = progress.filled;
        progress.panic
    }

    /// Notes which rows of a chunk have values now, and which failed.
    #[inline(never)]
    fn note_chunk(&self, engine: &mut Engine, local: u32, filled: u64, failed: u64) {
        // SAFETY: the loop kept `filled` true to the slots, row by row.
        unsafe {
            engine
                .values
                .store_mut::<T>(self.store)
                .set_filled(local, filled);
        };
        let chunk = engine.ensure_chunk(self.store, local);
        let head = &mut engine.graph.rows[chunk];
        head.present = filled;
        head.failed |= failed;
    }

    fn log(&self, engine: &mut Engine, column: ColumnId, chunk: u32, runs: u64) {
        if cfg!(any(test, feature = "testing")) {
            for offset in bits_of(runs) {
                let row = engine.graph.row_at(column, chunk, offset);
                engine.log_run(row);
            }
        }
    }
}

impl<I, T, F, E, S> Run<Engine> for Declared<I, T, F, E, S>
where
    I: Inputs,
    T: Send + Sync + 'static,
    S: Shape<T>,
    F: for<'a> Fn(I::Items<'a>) -> S::Out + Send + Sync + 'static,
    E: Equality<T>,
{
    fn rows(&self, engine: &mut Engine, column: ColumnId, items: &mut [Item]) -> Option<Panic> {
        let mut first = None;
        for item in items {
            let panic = self.run_item(engine, column, item);
            if first.is_none() {
                first = panic;
            } else if let Some(panic) = panic {
                engine.state.keep(panic);
            }
        }
        first
    }

    fn lane(&self, engine: &mut Engine, row: Row) -> Change {
        let (store, local) = engine.local(row);
        let value = {
            let fetch = Fetch {
                engine,
                reader: None,
                store,
                space: SpaceId::NIL,
                local,
            };
            let chunk = self.inputs.chunk(&fetch);
            // SAFETY: the chunk was fetched for this row's, whose required
            // inputs have values, or it would not run.
            let items = unsafe { I::item(chunk, &fetch, row.offset()) };
            S::value((self.function)(items))
        };
        match value {
            Some(value) => install_lane(engine, row, (store, local), value, self.equality),
            None => {
                engine.graph.rows[row.chunk()].known |= row.bit();
                engine.drop_value(row)
            }
        }
    }
}

/// The first values of a total source's rows.
pub(crate) struct FirstValues<K, T, F> {
    pub(crate) first: F,
    pub(crate) space: SpaceId,
    pub(crate) store: StoreId,
    pub(crate) types: PhantomData<fn() -> (K, T)>,
}

impl<K, T, F> Run<Engine> for FirstValues<K, T, F>
where
    K: Key,
    T: Send + Sync + 'static,
    F: Fn(&K) -> T + Send + Sync + 'static,
{
    fn first(&self, engine: &mut Engine, key: KeyRow) {
        // The value first, then the row: a function that panics leaves no row behind.
        let value = (self.first)(
            engine
                .values
                .space::<K>(self.space)
                .key(key)
                .expect("a row's key is kept while the row is"),
        );
        let old = engine
            .values
            .store_mut::<T>(self.store)
            .put(key.chunk(), key.offset(), value);
        debug_assert!(old.is_none(), "a row is made once");
        drop_caught(old);
    }

    fn stage_first(&self, engine: &mut Engine, key: KeyRow) {
        let value = (self.first)(
            engine
                .values
                .space::<K>(self.space)
                .key(key)
                .expect("a row's key is kept while the row is"),
        );
        engine
            .values
            .store_mut::<T>(self.store)
            .stage(key.chunk(), key.offset(), value);
    }

    fn first_value(&self, key: &dyn Any, value: &mut dyn Any) {
        let key = key.downcast_ref::<K>();
        let key = key.expect("a family's recipe gets keys of its space");
        let value = value.downcast_mut::<Option<T>>();
        *value.expect("a family's recipe makes its values") = Some((self.first)(key));
    }
}
