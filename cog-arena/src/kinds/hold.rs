//! Holds: who keeps a cog hot.
//!
//! Takes: handles. Leaves: what there is to hold: a row, or a family as a
//! whole. Never: holds it.

use crate::access::Readable;
use crate::engine::Engine;
use crate::error::ReadError;
use crate::handle::{
    Derived, DerivedAt, DerivedFamily, Grip, Held, Source, SourceAt, SourceFamily,
};
use crate::values::keys::Key;

/// What can be held.
///
/// Implemented by [`Derived`], [`DerivedAt`], [`DerivedFamily`] and, though sources stay anyway, by the source kinds.
#[diagnostic::on_unimplemented(message = "`{Self}` can't be held", label = "not a cog")]
pub trait Holdable {
    /// What there is to hold.
    #[doc(hidden)]
    fn grip(self, engine: &mut Engine) -> Result<Grip, ReadError>;
}

impl<T: Send + Sync + 'static> Holdable for Derived<T> {
    fn grip(self, engine: &mut Engine) -> Result<Grip, ReadError> {
        Ok(Grip(Held::Row(self.locate(engine)?.0)))
    }
}

impl<K: Key, T: Send + Sync + 'static> Holdable for DerivedAt<K, T> {
    fn grip(self, engine: &mut Engine) -> Result<Grip, ReadError> {
        Ok(Grip(Held::Row(self.locate(engine)?.0)))
    }
}

impl<K: Key, T: Send + Sync + 'static> Holdable for DerivedFamily<K, T> {
    fn grip(self, engine: &mut Engine) -> Result<Grip, ReadError> {
        if self.arena != engine.id {
            return Err(ReadError::Foreign);
        }
        Ok(Grip(Held::Column(self.column)))
    }
}

macro_rules! source {
    ($name:ident<$($param:ident),*>) => {
        impl<$($param),*> Holdable for $name<$($param),*> {
            fn grip(self, _: &mut Engine) -> Result<Grip, ReadError> {
                Ok(Grip(Held::Source))
            }
        }
    };
}

source!(Source<T>);
source!(SourceAt<K, T>);
source!(SourceFamily<K, T>);
