//! Key spaces: key to row and back.
//!
//! Takes: keys. Leaves: for each a row number, the same in all columns of the
//! space, and whether it is a member. Never: iterates a map; orders are those
//! of the row numbers.
//!
//! A key gets a row number when it is first written, inserted or read. Only
//! written and inserted keys are members. A key that is neither a member nor
//! read by anything gives its number back at the end of the turn.

use std::fmt::Debug;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::ids::{Generation, KeyRow};
use crate::values::store::Store;

/// What a key must be.
///
/// Implemented for every type that fits. Hashing is paid once per look-up by
/// key and not at all by slot; `Debug` is how errors show the key.
pub trait Key: Hash + Eq + Clone + Debug + Send + Sync + 'static {}

impl<K: Hash + Eq + Clone + Debug + Send + Sync + 'static> Key for K {}

#[derive(Debug)]
enum Map<K> {
    Hashed(FxHashMap<K, KeyRow>),
    /// An array over a small number that the key has, such as an entity's
    /// index. Of two keys with one number, the older one moves to the side.
    Indexed {
        index: fn(&K) -> u32,
        rows: Vec<KeyRow>,
        aside: FxHashMap<K, KeyRow>,
    },
}

#[derive(Clone, Copy, Debug)]
struct State {
    generation: Generation,
    member: bool,
    staged: Option<bool>,
    /// Removed in this turn, even if it was inserted again since.
    renewed: bool,
    /// Listed among the keys that may not be needed any more.
    loose: bool,
}

/// The keys of one kind.
#[derive(Debug)]
pub(crate) struct Space<K> {
    map: Map<K>,
    /// At stable addresses: functions borrow their key while others come to life.
    pub(crate) keys: Store<K>,
    states: Vec<State>,
    free: Vec<KeyRow>,
    touched: Vec<KeyRow>,
    member_count: usize,
}

/// How a key's membership changed in a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Membership {
    /// The key.
    pub(crate) row: KeyRow,
    /// Whether it was a member.
    pub(crate) was: bool,
    /// Whether it is one now.
    pub(crate) is: bool,
    /// Whether it was removed in between.
    pub(crate) renewed: bool,
}

impl<K: Key> Space<K> {
    /// A space that hashes.
    pub(crate) fn hashed() -> Self {
        Self::with(Map::Hashed(FxHashMap::default()))
    }

    /// A space over an array.
    pub(crate) fn indexed(index: fn(&K) -> u32) -> Self {
        Self::with(Map::Indexed {
            index,
            rows: Vec::new(),
            aside: FxHashMap::default(),
        })
    }

    fn with(map: Map<K>) -> Self {
        let keys = Store::new(|_: &K, _: &K| false);
        Self {
            map,
            keys,
            states: Vec::new(),
            free: Vec::new(),
            touched: Vec::new(),
            member_count: 0,
        }
    }

    /// The key's row number, if it has one.
    #[inline]
    pub(crate) fn find(&self, key: &K) -> Option<KeyRow> {
        match &self.map {
            Map::Hashed(map) => map.get(key).copied(),
            Map::Indexed { index, rows, aside } => {
                let row = rows
                    .get(index(key) as usize)
                    .copied()
                    .unwrap_or(KeyRow::NIL);
                if !row.is_nil() && self.key(row) == Some(key) {
                    Some(row)
                } else {
                    aside.get(key).copied()
                }
            }
        }
    }

    /// The key's row number; given out if it has none.
    #[inline]
    pub(crate) fn ensure(&mut self, key: &K) -> KeyRow {
        match self.find(key) {
            Some(row) => row,
            None => self.insert(key),
        }
    }

    /// # Panics
    ///
    /// If one of our own promises is broken.
    fn insert(&mut self, key: &K) -> KeyRow {
        let owned = key.clone();
        let row = self.free.pop().unwrap_or_else(|| {
            self.states.push(State {
                generation: Generation(0),
                member: false,
                staged: None,
                renewed: false,
                loose: false,
            });
            KeyRow::at(self.states.len() - 1)
        });
        match &mut self.map {
            Map::Hashed(map) => {
                map.insert(owned.clone(), row);
            }
            Map::Indexed { index, rows, aside } => {
                let at = index(key) as usize;
                if rows.len() <= at {
                    rows.resize((at + 1).next_power_of_two(), KeyRow::NIL);
                }
                let older = std::mem::replace(&mut rows[at], row);
                if !older.is_nil() {
                    let older_key = self
                        .keys
                        .get(older.chunk(), older.offset())
                        .expect("a numbered key is kept");
                    aside.insert(older_key.clone(), older);
                }
            }
        }
        self.keys.put(row.chunk(), row.offset(), owned);
        row
    }

    /// Whether a handle of this generation reaches a member, for writers.
    #[inline]
    pub(crate) fn is_live(&self, row: KeyRow, generation: Generation) -> bool {
        let state = &self.states[row.index()];
        let current = state.generation.0.wrapping_add(u32::from(state.renewed));
        current == generation.0 && state.staged.unwrap_or(state.member)
    }

    /// The key behind a row number.
    #[inline]
    pub(crate) fn key(&self, row: KeyRow) -> Option<&K> {
        self.keys.get(row.chunk(), row.offset())
    }
}

/// What can be done to a key space without knowing its keys' type.
pub(crate) trait ErasedSpace: Send + Sync + std::any::Any {
    /// The key as errors show it.
    fn describe(&self, row: KeyRow) -> String;
    /// The generation that a handle made now must bear.
    fn generation(&self, row: KeyRow) -> Generation;
    /// Whether the key is a member (committed).
    fn is_member(&self, row: KeyRow) -> bool;
    /// Whether the key is a member for writers.
    fn is_member_staged(&self, row: KeyRow) -> bool;
    /// Stages membership. Whether it is the first that is staged in this turn and differs from what was.
    fn stage_member(&mut self, row: KeyRow, member: bool) -> bool;
    /// The keys that are to be removed and made members again.
    fn renewed(&self, keys: &mut Vec<KeyRow>);
    /// Makes staged membership current.
    fn commit(&mut self, changes: &mut Vec<Membership>);
    /// Forgets staged membership; the keys it touched.
    fn discard(&mut self, touched: &mut Vec<KeyRow>);
    /// Notes that the key may not be needed any more; whether that is new.
    fn loosen(&mut self, row: KeyRow) -> bool;
    /// Takes that back; whether the number belongs to a key that isn't a member.
    fn take_loose(&mut self, row: KeyRow) -> bool;
    /// Takes the row number back from a key that nothing needs. Handles of it are stale from now on.
    fn free(&mut self, row: KeyRow);
    /// How many row numbers were ever in use at once.
    fn row_count(&self) -> usize;
    /// How many members there are.
    fn member_count(&self) -> usize;
}

impl<K: Key> ErasedSpace for Space<K> {
    fn describe(&self, row: KeyRow) -> String {
        self.key(row)
            .map_or_else(|| "a key that is gone".to_owned(), |key| format!("{key:?}"))
    }

    fn generation(&self, row: KeyRow) -> Generation {
        let state = self.states[row.index()];
        Generation(state.generation.0.wrapping_add(u32::from(state.renewed)))
    }

    fn is_member(&self, row: KeyRow) -> bool {
        self.states[row.index()].member
    }

    fn is_member_staged(&self, row: KeyRow) -> bool {
        let state = &self.states[row.index()];
        state.staged.unwrap_or(state.member)
    }

    fn stage_member(&mut self, row: KeyRow, member: bool) -> bool {
        let state = &mut self.states[row.index()];
        let mut first = false;
        if state.staged.is_none() {
            if state.member == member {
                return false;
            }
            first = self.touched.is_empty();
            self.touched.push(row);
        }
        state.staged = Some(member);
        state.renewed |= state.member && !member;
        first
    }

    fn renewed(&self, keys: &mut Vec<KeyRow>) {
        let renewed = |row: &&KeyRow| self.states[row.index()].renewed;
        keys.extend(self.touched.iter().filter(renewed));
    }

    fn commit(&mut self, changes: &mut Vec<Membership>) {
        for row in self.touched.drain(..) {
            let state = &mut self.states[row.index()];
            let is = state
                .staged
                .take()
                .expect("a touched key has staged membership");
            changes.push(Membership {
                row,
                was: state.member,
                is,
                renewed: state.renewed,
            });
            self.member_count = self.member_count + usize::from(is) - usize::from(state.member);
            state.member = is;
            state.generation.0 = state
                .generation
                .0
                .wrapping_add(u32::from(std::mem::take(&mut state.renewed)));
        }
    }

    fn discard(&mut self, touched: &mut Vec<KeyRow>) {
        for row in self.touched.drain(..) {
            let state = &mut self.states[row.index()];
            state.staged = None;
            state.renewed = false;
            touched.push(row);
        }
    }

    fn loosen(&mut self, row: KeyRow) -> bool {
        !std::mem::replace(&mut self.states[row.index()].loose, true)
    }

    fn take_loose(&mut self, row: KeyRow) -> bool {
        let state = &mut self.states[row.index()];
        state.loose = false;
        !state.member && self.key(row).is_some()
    }

    fn free(&mut self, row: KeyRow) {
        let key = self
            .keys
            .take(row.chunk(), row.offset())
            .expect("a numbered key is kept");
        match &mut self.map {
            Map::Hashed(map) => {
                map.remove(&key);
            }
            Map::Indexed { index, rows, aside } => {
                let at = index(&key) as usize;
                if rows[at] == row {
                    rows[at] = KeyRow::NIL;
                } else {
                    aside.remove(&key);
                }
            }
        }
        let state = &mut self.states[row.index()];
        state.generation.0 = state.generation.0.wrapping_add(1);
        // A slot whose generations are used up retires: it is never given out again.
        if state.generation.0 != u32::MAX {
            self.free.push(row);
        }
    }

    fn row_count(&self) -> usize {
        self.states.len()
    }

    fn member_count(&self) -> usize {
        self.member_count
    }
}
