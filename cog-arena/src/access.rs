//! Access: where a handle leads.
//!
//! Takes: handles. Leaves: rows, or why there is none. Never: settles or reads anything.

use crate::engine::Engine;
use crate::error::ReadError;
use crate::handle::{Derived, DerivedAt, Source, SourceAt, Which};
use crate::ids::{KeyRow, Row};
use crate::values::keys::Key;

/// A place that a handle names.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub(crate) Row);

/// What can be read: sources and derived values, keyless or one key's.
///
/// Implemented by [`Source`], [`Derived`], [`SourceAt`], [`DerivedAt`] and references to them. Not meant to be implemented outside.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be read",
    label = "not a cog",
    note = "read a Source, a Derived, or one key of a family: `family.at(key)`"
)]
pub trait Readable {
    /// The type of the value.
    type Value: Send + Sync + 'static;

    /// Where the value lies or would lie. Gives the key a row number if it has none.
    #[doc(hidden)]
    fn locate(&self, engine: &mut Engine) -> Result<Place, ReadError>;

    /// Where the value lies, if it was ever asked for.
    #[doc(hidden)]
    fn find(&self, engine: &Engine) -> Result<Option<Place>, ReadError>;

    /// Whether `place` is where [`Self::locate`] would lead. Hashes nothing.
    #[doc(hidden)]
    fn is_at(&self, engine: &Engine, place: Place) -> bool;
}

impl<R: Readable> Readable for &R {
    type Value = R::Value;

    #[inline]
    fn locate(&self, engine: &mut Engine) -> Result<Place, ReadError> {
        (**self).locate(engine)
    }

    fn find(&self, engine: &Engine) -> Result<Option<Place>, ReadError> {
        (**self).find(engine)
    }

    #[inline]
    fn is_at(&self, engine: &Engine, place: Place) -> bool {
        (**self).is_at(engine, place)
    }
}

macro_rules! keyless {
    ($name:ident) => {
        impl<T: Send + Sync + 'static> Readable for $name<T> {
            type Value = T;

            #[inline]
            fn locate(&self, engine: &mut Engine) -> Result<Place, ReadError> {
                if self.arena == engine.id {
                    Ok(Place(self.row))
                } else {
                    Err(ReadError::Foreign)
                }
            }

            fn find(&self, engine: &Engine) -> Result<Option<Place>, ReadError> {
                if self.arena == engine.id {
                    Ok(Some(Place(self.row)))
                } else {
                    Err(ReadError::Foreign)
                }
            }

            #[inline]
            fn is_at(&self, engine: &Engine, place: Place) -> bool {
                self.row == place.0 && self.arena == engine.id
            }
        }
    };
}

keyless!(Source);
keyless!(Derived);

macro_rules! keyed {
    ($at:ident) => {
        impl<K: Key, T: Send + Sync + 'static> Readable for $at<K, T> {
            type Value = T;

            fn locate(&self, engine: &mut Engine) -> Result<Place, ReadError> {
                let family = self.family;
                if family.arena != engine.id {
                    return Err(ReadError::Foreign);
                }
                let key = match &self.which {
                    Which::Key(key) => engine.key_row(family.space, key),
                    Which::Slot(row, generation)
                        if engine.values.erased_space(family.space).generation(*row)
                            == *generation =>
                    {
                        *row
                    }
                    Which::Slot(..) => return Err(ReadError::Stale),
                };
                let chunk =
                    engine
                        .graph
                        .rows
                        .ensure_chunk(family.store, key.chunk(), family.column);
                Ok(Place(Row::of(chunk, key.offset())))
            }

            fn find(&self, engine: &Engine) -> Result<Option<Place>, ReadError> {
                let family = self.family;
                if family.arena != engine.id {
                    return Err(ReadError::Foreign);
                }
                let key = match &self.which {
                    Which::Key(key) => engine.values.space::<K>(family.space).find(key),
                    Which::Slot(row, generation)
                        if engine.values.erased_space(family.space).generation(*row)
                            == *generation =>
                    {
                        Some(*row)
                    }
                    Which::Slot(..) => return Err(ReadError::Stale),
                };
                let row = key.map_or(Row::NIL, |key: KeyRow| {
                    engine.graph.rows.row(family.store, key)
                });
                Ok((!row.is_nil()).then_some(Place(row)))
            }

            #[inline]
            fn is_at(&self, engine: &Engine, place: Place) -> bool {
                let head = &engine.graph.rows[place.0.chunk()];
                if head.column != self.family.column || self.family.arena != engine.id {
                    return false;
                }
                let at = engine.graph.rows.key_row(place.0);
                match &self.which {
                    Which::Key(key) => {
                        engine.values.space::<K>(self.family.space).key(at) == Some(key)
                    }
                    Which::Slot(row, generation) => {
                        *row == at
                            && engine
                                .values
                                .erased_space(self.family.space)
                                .generation(*row)
                                == *generation
                    }
                }
            }
        }
    };
}

keyed!(SourceAt);
keyed!(DerivedAt);
