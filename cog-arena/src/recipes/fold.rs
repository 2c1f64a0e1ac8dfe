//! Folds: one value made of all rows of a family, brought up to date by the rows that moved.
//!
//! Takes: what a row adds, and how it is taken out again. Leaves: a recipe for a keyless cog that looks at moved rows
//! only. Never: looks at a row's old value, which may be long gone: what a row added is kept beside it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::engine::Engine;
use crate::graph::bits::Bits;
use crate::ids::{CHUNK_ROWS, Change, ColumnId, Row, StoreId, bits_of};
use crate::recipes::descriptors::Aligned;
use crate::recipes::install::{AlwaysChanges, install_row};
use crate::values::chunk::drop_caught;
use crate::values::functions::Run;
use crate::values::keys::Key;

/// How one value is made of all rows of a family: what a row adds to it, and how that is taken out again.
///
/// [`Over`](crate::Over) has the usual ones; this is for those it lacks. The value must not depend on the order in which
/// rows are added. Functions run for rows that moved only, and read nothing but what they are given.
///
/// # Examples
///
/// How many rows there are of each remainder:
///
/// ```
/// use cog_arena::{Arena, Fold};
///
/// struct Remainders;
///
/// impl Fold<u32, u32> for Remainders {
///     type Kept = usize;
///     type State = [u32; 3];
///     type Value = [u32; 3];
///
///     fn start(&self) -> [u32; 3] {
///         [0; 3]
///     }
///
///     fn change(&self, counts: &mut [u32; 3], kept: Option<usize>, row: Option<(&u32, &u32)>) -> Option<usize> {
///         if let Some(old) = kept {
///             counts[old] -= 1;
///         }
///         let new = row.map(|(_, value)| (value % 3) as usize)?;
///         counts[new] += 1;
///         Some(new)
///     }
///
///     fn value(&self, counts: &mut [u32; 3]) -> [u32; 3] {
///         *counts
///     }
/// }
///
/// let mut arena = Arena::new();
/// let units = arena.key_space::<u32>();
/// let level = arena.member_family::<u32, u32>(units);
/// let remainders = arena.over(level.aligned()).with(Remainders);
/// arena.turn(|w| (0..10).for_each(|key| w.set(level.at(key), key)));
/// assert_eq!(*arena.read(remainders), [4, 3, 3]);
/// arena.turn(|w| w.set(level.at(0), 1));
/// assert_eq!(*arena.read(remainders), [3, 4, 3]);
/// ```
pub trait Fold<K, V>: Send + Sync + 'static {
    /// What is kept of a row that counts, so that it can be taken out when its value is gone.
    type Kept: Send + Sync + 'static;

    /// What is kept of all of them.
    type State: Send + Sync + 'static;

    /// What readers see.
    type Value: PartialEq + Send + Sync + 'static;

    /// The state of no rows.
    fn start(&self) -> Self::State;

    /// Takes out what the row added before, if it did, and adds what it adds now. `row` is `None` if the key is gone, or
    /// has no value. Returns what the row added, or `None` if it doesn't count.
    ///
    /// Row numbers are given out again: `kept` may be of another key.
    fn change(
        &self,
        state: &mut Self::State,
        kept: Option<Self::Kept>,
        row: Option<(&K, &V)>,
    ) -> Option<Self::Kept>;

    /// The value of a state.
    fn value(&self, state: &mut Self::State) -> Self::Value;

    /// Brings `value`, made of an earlier state, up to date; whether it really changed. For values that are dear to make
    /// anew. A state that has just started may meet a value that is already there.
    fn refresh(&self, state: &mut Self::State, value: &mut Self::Value) -> bool {
        let new = self.value(state);
        let moved = new != *value;
        if moved {
            *value = new;
        }
        moved
    }
}

/// A fold under way: its state, and what is kept of each row, by row number.
#[derive(Debug)]
pub(crate) struct Running<S, P> {
    state: S,
    kept: Vec<Option<P>>,
}

/// Where a fold under way lies: one box in a store of its own. There is none before the first run, and after one that
/// panicked: what it left may be half done.
type Place<K, V, F> = Box<Running<<F as Fold<K, V>>::State, <F as Fold<K, V>>::Kept>>;

/// A fold's.
pub(crate) struct Folded<K, V, F> {
    pub(crate) fold: F,
    pub(crate) family: Aligned<K, V>,
    /// Where what it keeps lies.
    pub(crate) running: StoreId,
}

impl<K: Key, V: Send + Sync + 'static, F: Fold<K, V>> Folded<K, V, F> {
    /// The store for what a fold keeps.
    pub(crate) fn add_store(engine: &mut Engine) -> StoreId {
        engine.add_store::<Place<K, V, F>>(|_, _| false, ColumnId::NIL)
    }

    /// Looks at every row that moved.
    ///
    /// # Panics
    ///
    /// If one of our own promises is broken.
    fn fold(&self, engine: &Engine, moved: &mut Bits, running: &mut Place<K, V, F>) {
        let values = engine.values.store::<V>(self.family.store);
        let keys = &engine.values.space::<K>(self.family.space).keys;
        let members = &engine.graph.spaces[self.family.space.index()];
        let Running { state, kept } = &mut **running;
        moved.take(|chunk, mask| {
            let (values, keys) = (values.view(chunk), keys.view(chunk));
            let there = values.filled() & members.members(chunk);
            let first = chunk as usize * CHUNK_ROWS as usize;
            if kept.len() <= first && there & mask != 0 {
                kept.resize_with(first + CHUNK_ROWS as usize, || None);
            }
            for offset in bits_of(mask) {
                let place = kept.get_mut(first + offset as usize);
                let old = place.as_ref().is_some_and(|place| place.is_some());
                let is = there >> offset & 1 != 0;
                let Some(place) = place.filter(|_| old || is) else {
                    continue;
                };
                let row = is.then(|| {
                    let key = keys.get(offset).expect("a member has a key");
                    (key, values.get(offset).expect("the row has a value"))
                });
                *place = self.fold.change(state, place.take(), row);
            }
        });
    }

    /// Puts the value in its place.
    fn show(&self, engine: &mut Engine, row: Row, running: &mut Place<K, V, F>) -> Change {
        let (store, local) = engine.local(row);
        let typed = engine.values.store_mut::<F::Value>(store);
        let Some(current) = typed.get_mut(local, row.offset()) else {
            let value = self.fold.value(&mut running.state);
            engine.graph.rows[row.chunk()].known |= row.bit();
            return install_row(engine, row, value, AlwaysChanges);
        };
        if self.fold.refresh(&mut running.state, current) {
            Change::Moved
        } else {
            Change::Kept
        }
    }
}

impl<K: Key, V: Send + Sync + 'static, F: Fold<K, V>> Run<Engine> for Folded<K, V, F> {
    fn lane(&self, engine: &mut Engine, row: Row) -> Change {
        let id = engine.graph.rows.lane(row);
        let mut moved = Bits::default();
        if let Some(whole) = &mut engine.graph.columns[id].whole {
            std::mem::swap(&mut moved, &mut whole.moved);
        }
        let store = engine.values.store_mut::<Place<K, V, F>>(self.running);
        let mut running = store.take(0, 0);
        if running.is_none() {
            for chunk in engine.graph.key_chunks(self.family.column) {
                moved.or(chunk, u64::MAX);
            }
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let running = running.get_or_insert_with(|| {
                Box::new(Running {
                    state: self.fold.start(),
                    kept: Vec::new(),
                })
            });
            self.fold(engine, &mut moved, running);
            self.show(engine, row, running)
        }));
        if let Some(whole) = &mut engine.graph.columns[id].whole {
            std::mem::swap(&mut moved, &mut whole.moved);
        }
        match outcome {
            Ok(change) => {
                let store = engine.values.store_mut::<Place<K, V, F>>(self.running);
                let before = running.and_then(|running| store.put(0, 0, running));
                debug_assert!(before.is_none(), "what is kept was taken out");
                change
            }
            Err(panic) => {
                if let Some(again) = drop_caught(running) {
                    engine.state.keep(again);
                }
                resume_unwind(panic)
            }
        }
    }
}
