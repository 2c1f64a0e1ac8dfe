//! Keyed projection: which of many keys is the selected one, told to the two whose answer flips.
//!
//! Takes: what is selected. Leaves: it, and the rows whose answer flips. Never: looks at the others.

use crate::engine::Engine;
use crate::ids::{Change, KeyRow, Row, SpaceId};
use crate::recipes::descriptors::Shared;
use crate::recipes::install::{ByPartialEq, install_lane};
use crate::values::functions::Run;
use crate::values::keys::Key;

/// What names at most one key: the key itself, or an option of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't select one `{K}`",
    label = "neither a `{K}` nor an `Option<{K}>`"
)]
pub trait Selects<K>: Send + Sync + 'static {
    /// The key that it names.
    #[doc(hidden)]
    fn selected(&self) -> Option<&K>;
}

impl<K: Key> Selects<K> for K {
    fn selected(&self) -> Option<&K> {
        Some(self)
    }
}

impl<K: Key> Selects<K> for Option<K> {
    fn selected(&self) -> Option<&K> {
        self.as_ref()
    }
}

/// A keyless cog that copies the selected key, if any, and knows the family that asks which one it is.
pub(crate) struct Selected<K, C> {
    pub(crate) from: Shared<C>,
    pub(crate) space: SpaceId,
    pub(crate) key: std::marker::PhantomData<fn() -> K>,
}

impl<K: Key, C: Selects<K>> Run<Engine> for Selected<K, C> {
    fn lane(&self, engine: &mut Engine, row: Row) -> Change {
        let (store, local) = engine.local(row);
        let from = engine.local(self.from.row).1;
        let chosen = engine.values.store::<C>(self.from.store);
        let chosen = chosen.get(from, self.from.row.offset());
        let new = chosen.and_then(C::selected).cloned();
        let old = engine.values.store::<Option<K>>(store);
        let old = old.get(local, row.offset());
        let failed = engine.graph.rows[row.chunk()].failed & row.bit() != 0;
        if let Some(old) = old.filter(|old| **old != new && !failed) {
            // A key without a row number has no row to tell. One that gets a row later is told what holds then.
            let keys = engine.values.space::<K>(self.space);
            let found = |key: &Option<K>| key.as_ref().and_then(|key| keys.find(key));
            let flipped = [old, &new].map(|key| found(key).unwrap_or(KeyRow::NIL));
            let lane = engine.graph.rows.lane(row);
            engine.graph.columns.flip_rows(lane, flipped);
        }
        install_lane(engine, row, (store, local), new, ByPartialEq)
    }
}
