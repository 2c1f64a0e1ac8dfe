//! Handles: names of cogs, families, keys and reactions.
//!
//! Takes: places. Leaves: small values that can be copied and kept anywhere.
//! Never: keeps anything alive, or leads to another cog than the one it names.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use crate::ids::{ColumnId, Generation, KeyRow, Row, SpaceId, StoreId};
use crate::sync::ArenaId;

/// Gives a handle the traits of a plain name, whatever its type parameters are.
macro_rules! handle {
    ($name:ident<$($param:ident),*> { $($field:ident),* }) => {
        impl<$($param),*> Clone for $name<$($param),*> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($param),*> Copy for $name<$($param),*> {}

        impl<$($param),*> PartialEq for $name<$($param),*> {
            fn eq(&self, other: &Self) -> bool {
                $(self.$field == other.$field)&&*
            }
        }

        impl<$($param),*> Eq for $name<$($param),*> {}

        impl<$($param),*> Hash for $name<$($param),*> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                $(self.$field.hash(state);)*
            }
        }

        impl<$($param),*> fmt::Debug for $name<$($param),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($field), &self.$field))*.finish()
            }
        }
    };
}

/// A keyless source: one value, written from outside.
///
/// Made by [`Arena::source`](crate::Arena::source). Twelve bytes; copy it freely.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let gold = arena.source(10);
/// arena.turn(|w| w.set(gold, 12));
/// assert_eq!(*arena.read(gold), 12);
/// ```
pub struct Source<T> {
    pub(crate) arena: ArenaId,
    pub(crate) row: Row,
    pub(crate) store: StoreId,
    value: PhantomData<fn() -> T>,
}

handle!(Source<T> { arena, row });

/// A keyless derived value: a function of other cogs.
///
/// Made by [`Arena::derived`](crate::Arena::derived) and its kin. Has no way to be written.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let gold = arena.source(10);
/// let rich = arena.derived(move |r| *r.get(gold) > 100);
/// assert!(!*arena.read(rich));
/// ```
pub struct Derived<T> {
    pub(crate) arena: ArenaId,
    pub(crate) row: Row,
    pub(crate) store: StoreId,
    value: PhantomData<fn() -> T>,
}

handle!(Derived<T> { arena, row });

/// The keys that families of one kind share. Rows of one space are aligned: the same key, the same row number.
///
/// Made by [`Arena::key_space`](crate::Arena::key_space).
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// arena.turn(|w| { w.insert_key(units, 7); });
/// assert_eq!(arena.keys(units).collect::<Vec<_>>(), [&7]);
/// ```
pub struct KeySpace<K> {
    pub(crate) arena: ArenaId,
    pub(crate) id: SpaceId,
    key: PhantomData<fn() -> K>,
}

handle!(KeySpace<K> { arena, id });

/// A key that was looked up: reaching its rows hashes nothing.
///
/// Stale once the key is removed; then it reaches nothing, not even if the key comes back.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<&str>();
/// let health = arena.member_family::<_, i32>(units);
/// let orc = arena.turn(|w| w.insert_key(units, "orc"));
/// arena.turn(|w| w.set(health.at_slot(orc), 8));
/// assert_eq!(*arena.read(health.at("orc")), 8);
/// ```
pub struct KeySlot<K> {
    pub(crate) arena: ArenaId,
    pub(crate) space: SpaceId,
    pub(crate) row: KeyRow,
    pub(crate) generation: Generation,
    key: PhantomData<fn() -> K>,
}

handle!(KeySlot<K> { arena, space, row, generation });

/// Sources by key: one declaration, one value per key.
///
/// *Total* families ([`Arena::source_family`](crate::Arena::source_family)) have a value for every key;
/// *member* families ([`Arena::member_family`](crate::Arena::member_family)) only where one was set.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// let level = arena.source_family(units, |_| 1);
/// assert_eq!(*arena.read(level.at(9)), 1);
/// ```
pub struct SourceFamily<K, T> {
    pub(crate) arena: ArenaId,
    pub(crate) column: ColumnId,
    pub(crate) store: StoreId,
    pub(crate) space: SpaceId,
    value: PhantomData<fn() -> (K, T)>,
}

handle!(SourceFamily<K, T> { arena, column });

/// Derived values by key.
///
/// Made by [`Arena::derived_family`](crate::Arena::derived_family) and its kin.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// let level = arena.source_family(units, |_| 1);
/// let health = arena.derived_family_from(units, level.aligned(), |level| level * 10);
/// assert_eq!(*arena.read(health.at(9)), 10);
/// ```
pub struct DerivedFamily<K, T> {
    pub(crate) arena: ArenaId,
    pub(crate) column: ColumnId,
    pub(crate) store: StoreId,
    pub(crate) space: SpaceId,
    value: PhantomData<fn() -> (K, T)>,
}

handle!(DerivedFamily<K, T> { arena, column });

/// A reaction: what [`Arena::end`](crate::Arena::end) ends.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let gold = arena.source(1);
/// let reaction = arena.react(move |r, _| { r.get(gold); });
/// assert!(arena.end(reaction));
/// assert!(!arena.end(reaction), "ended already");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reaction {
    pub(crate) arena: ArenaId,
    /// The order of registration; never given twice.
    pub(crate) number: u64,
}

/// What a hold is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grip(pub(crate) Held);

/// What a hold is of, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// One row.
    Row(Row),
    /// A family as a whole.
    Column(ColumnId),
    /// A source: it stays anyway.
    Source,
}

/// Keeps a cog hot until it is given back to [`Arena::let_go`](crate::Arena::let_go).
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let gold = arena.source(1);
/// let rich = arena.derived(move |r| *r.get(gold) > 100);
/// let hold = arena.hold(rich);
/// arena.turn(|w| w.set(gold, 500));
/// assert_eq!(arena.counts().run, 1, "a held cog settles in the turn, unasked");
/// arena.let_go(hold);
/// ```
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a hold lasts until it is given back to `Arena::let_go`; losing it holds the cog for good"]
pub struct Hold {
    pub(crate) arena: ArenaId,
    pub(crate) held: Held,
}

/// One key's row: by key, or by a slot that was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Which<K> {
    /// By key.
    Key(K),
    /// By slot.
    Slot(KeyRow, Generation),
}

/// One key's source: what [`SourceFamily::at`] gives.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<String>();
/// let level = arena.source_family(units, |_| 1);
/// let orc = level.at("orc".to_owned());
/// arena.turn(|w| w.set(&orc, 5));
/// assert_eq!(*arena.read(&orc), 5);
/// ```
#[derive(Debug)]
pub struct SourceAt<K, T> {
    pub(crate) family: SourceFamily<K, T>,
    pub(crate) which: Which<K>,
}

/// One key's derived value: what [`DerivedFamily::at`] gives.
///
/// # Examples
///
/// ```
/// let mut arena = cog_arena::Arena::new();
/// let units = arena.key_space::<u32>();
/// let square = arena.derived_family(units, |_, key| key * key);
/// let four = square.at(4);
/// assert_eq!(*arena.read(four), 16);
/// ```
#[derive(Debug)]
pub struct DerivedAt<K, T> {
    pub(crate) family: DerivedFamily<K, T>,
    pub(crate) which: Which<K>,
}

macro_rules! family {
    ($family:ident, $at:ident) => {
        impl<K: Clone, T> Clone for $at<K, T> {
            fn clone(&self) -> Self {
                Self {
                    family: self.family,
                    which: self.which.clone(),
                }
            }
        }

        impl<K: Copy, T> Copy for $at<K, T> {}

        impl<K: PartialEq, T> PartialEq for $at<K, T> {
            fn eq(&self, other: &Self) -> bool {
                self.family == other.family && self.which == other.which
            }
        }

        impl<K: Eq, T> Eq for $at<K, T> {}

        impl<K, T> $family<K, T> {
            pub(crate) fn new(
                arena: ArenaId,
                column: ColumnId,
                store: StoreId,
                space: SpaceId,
            ) -> Self {
                Self {
                    arena,
                    column,
                    store,
                    space,
                    value: PhantomData,
                }
            }

            /// The cog of `key`. Looks nothing up and allocates nothing.
            #[inline]
            pub fn at(self, key: K) -> $at<K, T> {
                $at {
                    family: self,
                    which: Which::Key(key),
                }
            }

            /// The cog of a key that was looked up before: reading it hashes nothing.
            ///
            /// # Panics
            ///
            /// If the slot belongs to another key space.
            #[inline]
            #[track_caller]
            pub fn at_slot(self, slot: KeySlot<K>) -> $at<K, T> {
                assert!(
                    slot.arena == self.arena && slot.space == self.space,
                    "the slot belongs to another key space; use it with families of its own space"
                );
                $at {
                    family: self,
                    which: Which::Slot(slot.row, slot.generation),
                }
            }
        }
    };
}

family!(SourceFamily, SourceAt);
family!(DerivedFamily, DerivedAt);

impl<T> Source<T> {
    pub(crate) fn new(arena: ArenaId, row: Row, store: StoreId) -> Self {
        Self {
            arena,
            row,
            store,
            value: PhantomData,
        }
    }
}

impl<T> Derived<T> {
    pub(crate) fn new(arena: ArenaId, row: Row, store: StoreId) -> Self {
        Self {
            arena,
            row,
            store,
            value: PhantomData,
        }
    }
}

impl<K> KeySpace<K> {
    pub(crate) fn new(arena: ArenaId, id: SpaceId) -> Self {
        Self {
            arena,
            id,
            key: PhantomData,
        }
    }
}

impl<K> KeySlot<K> {
    /// The key's row number in its space: small and dense, given out again after the key is removed.
    ///
    /// For hosts that walk rows in order; `index / 64` is the chunk of [`MovedRows::chunk`](crate::MovedRows::chunk).
    #[inline]
    #[must_use]
    pub fn index(self) -> u32 {
        self.row.raw()
    }

    pub(crate) fn new(arena: ArenaId, space: SpaceId, row: KeyRow, generation: Generation) -> Self {
        Self {
            arena,
            space,
            row,
            generation,
            key: PhantomData,
        }
    }
}
