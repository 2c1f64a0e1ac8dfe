//! Holds: who keeps a cog hot.
//!
//! Takes: handles. Leaves: their rows, or their family as a whole, needed
//! whether read or not. Never: keeps what nobody holds.

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
    /// Takes the hold.
    #[doc(hidden)]
    fn hold(self, engine: &mut Engine) -> Result<Grip, ReadError>;
}

impl<T: Send + Sync + 'static> Holdable for Derived<T> {
    fn hold(self, engine: &mut Engine) -> Result<Grip, ReadError> {
        let row = self.locate(engine)?.0;
        engine.hold_row(row);
        Ok(Grip(Held::Row(row)))
    }
}

impl<K: Key, T: Send + Sync + 'static> Holdable for DerivedAt<K, T> {
    fn hold(self, engine: &mut Engine) -> Result<Grip, ReadError> {
        let row = self.locate(engine)?.0;
        engine.hold_row(row);
        Ok(Grip(Held::Row(row)))
    }
}

impl<K: Key, T: Send + Sync + 'static> Holdable for DerivedFamily<K, T> {
    fn hold(self, engine: &mut Engine) -> Result<Grip, ReadError> {
        if self.arena != engine.id {
            return Err(ReadError::Foreign);
        }
        engine.hold_column(self.column);
        Ok(Grip(Held::Column(self.column)))
    }
}

macro_rules! source {
    ($name:ident<$($param:ident),*>) => {
        impl<$($param),*> Holdable for $name<$($param),*> {
            fn hold(self, _: &mut Engine) -> Result<Grip, ReadError> {
                Ok(Grip(Held::Source))
            }
        }
    };
}

source!(Source<T>);
source!(SourceAt<K, T>);
source!(SourceFamily<K, T>);
