//! Descriptors: how a declaration says what a function gets.
//!
//! Takes: handles. Leaves: plain values that name an input and how it is read.
//! Never: fetches anything.

use std::marker::PhantomData;

use crate::handle::{Derived, DerivedFamily, Source, SourceFamily};
use crate::ids::{ColumnId, Row, SpaceId, StoreId};
use crate::sync::ArenaId;

/// Gives a descriptor the traits of plain data, whatever its type parameters are.
macro_rules! descriptor {
    ($name:ident<$($param:ident),*>) => {
        impl<$($param),*> Clone for $name<$($param),*> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($param),*> Copy for $name<$($param),*> {}

        impl<$($param),*> std::fmt::Debug for $name<$($param),*> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}

/// A keyless cog, handed to all rows.
pub struct Shared<T> {
    pub(crate) arena: ArenaId,
    pub(crate) row: Row,
    pub(crate) store: StoreId,
    value: PhantomData<fn() -> T>,
}

/// A keyless cog that may hold nothing.
pub struct SharedOptional<T>(pub(crate) Shared<T>);

/// The same key's value in another family.
pub struct Aligned<K, T> {
    pub(crate) arena: ArenaId,
    pub(crate) column: ColumnId,
    pub(crate) store: StoreId,
    pub(crate) space: SpaceId,
    pub(crate) value: PhantomData<fn() -> (K, T)>,
}

/// The same key's value in another family, if there is one.
pub struct Optional<K, T>(pub(crate) Aligned<K, T>);

/// Any key's value in a family, tracked as it is looked up.
pub struct Lookups<K, T>(pub(crate) Aligned<K, T>);

/// A [`Reader`](crate::Reader): tracked reads of anything.
#[derive(Clone, Copy, Debug)]
pub struct Reads;

/// The row's own last value.
pub struct Previous<T>(PhantomData<fn() -> T>);

/// The row's key.
pub struct OwnKey<K>(PhantomData<fn() -> K>);

descriptor!(Shared<T>);
descriptor!(SharedOptional<T>);
descriptor!(Aligned<K, T>);
descriptor!(Optional<K, T>);
descriptor!(Lookups<K, T>);
descriptor!(Previous<T>);
descriptor!(OwnKey<K>);

impl<T> Previous<T> {
    /// The descriptor.
    #[must_use]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for Previous<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> OwnKey<K> {
    /// The descriptor.
    #[must_use]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<K> Default for OwnKey<K> {
    fn default() -> Self {
        Self::new()
    }
}

macro_rules! keyless_inputs {
    ($name:ident) => {
        impl<T> $name<T> {
            /// As an input of a declared function: handed to every row.
            pub fn shared(self) -> Shared<T> {
                Shared {
                    arena: self.arena,
                    row: self.row,
                    store: self.store,
                    value: PhantomData,
                }
            }

            /// As an input that may hold nothing.
            pub fn shared_optional(self) -> SharedOptional<T> {
                SharedOptional(self.shared())
            }
        }
    };
}

keyless_inputs!(Source);
keyless_inputs!(Derived);

macro_rules! family_inputs {
    ($name:ident) => {
        impl<K, T> $name<K, T> {
            /// As an input of a declared function: the same key's value. Rows exist only where it does.
            pub fn aligned(self) -> Aligned<K, T> {
                Aligned {
                    arena: self.arena,
                    column: self.column,
                    store: self.store,
                    space: self.space,
                    value: PhantomData,
                }
            }

            /// As an input: the same key's value, if there is one.
            pub fn optional(self) -> Optional<K, T> {
                Optional(self.aligned())
            }

            /// As an input: any key's value, tracked as it is looked up, absence too.
            pub fn lookup(self) -> Lookups<K, T> {
                Lookups(self.aligned())
            }
        }
    };
}

family_inputs!(SourceFamily);
family_inputs!(DerivedFamily);
