//! Recipes of tracked rows: functions that read as they run.
//!
//! Takes: the user's function. Leaves: a recipe that runs it with a reader and
//! puts its result in place. Never: holds a borrow of the engine across the run.

use std::marker::PhantomData;

use crate::engine::Engine;
use crate::ids::{Change, NodeIndex, SpaceId};
use crate::reader::Reader;
use crate::recipes::fetch::Fetch;
use crate::recipes::inputs::Inputs;
use crate::recipes::install::{Equality, Shape, install_node};
use crate::values::functions::Run;
use crate::values::keys::Key;

/// A keyless tracked cog's.
pub(crate) struct Tracked<T, F, E> {
    pub(crate) function: F,
    pub(crate) equality: E,
    pub(crate) value: PhantomData<fn() -> T>,
}

impl<T, F, E> Run<Engine> for Tracked<T, F, E>
where
    T: Send + Sync + 'static,
    F: Fn(&Reader<'_>) -> T + Send + Sync + 'static,
    E: Equality<T>,
{
    #[inline]
    fn row(&self, engine: &mut Engine, node: NodeIndex) -> Change {
        let value = (self.function)(&Reader::new(engine));
        install_node(engine, node, Some(value), self.equality)
    }
}

/// A tracked family's.
pub(crate) struct TrackedFamily<K, T, F, E> {
    pub(crate) function: F,
    pub(crate) equality: E,
    pub(crate) space: SpaceId,
    pub(crate) types: PhantomData<fn() -> (K, T)>,
}

impl<K, T, F, E> Run<Engine> for TrackedFamily<K, T, F, E>
where
    K: Key,
    T: Send + Sync + 'static,
    F: Fn(&Reader<'_>, &K) -> T + Send + Sync + 'static,
    E: Equality<T>,
{
    fn row(&self, engine: &mut Engine, node: NodeIndex) -> Change {
        let key = engine.graph.rows.key_row(engine.graph.nodes[node].row);
        let keys = &engine.values.space::<K>(self.space).keys;
        let key = std::ptr::from_ref(
            keys.get(key.chunk(), key.offset())
                .expect("a row's key is kept while the row is"),
        );
        // SAFETY: the key lies in a chunk, and stays there while its row has a node.
        let key = unsafe { &*key };
        let value = (self.function)(&Reader::new(engine), key);
        install_node(engine, node, Some(value), self.equality)
    }
}

/// A function with declared inputs that reads as it runs, too.
pub(crate) struct Mixed<I, T, F, E, S> {
    pub(crate) inputs: I,
    pub(crate) function: F,
    pub(crate) equality: E,
    pub(crate) space: SpaceId,
    pub(crate) types: PhantomData<fn() -> (T, S)>,
}

impl<I, T, F, E, S> Run<Engine> for Mixed<I, T, F, E, S>
where
    I: Inputs,
    T: Send + Sync + 'static,
    S: Shape<T>,
    F: for<'a> Fn(I::Items<'a>) -> S::Out + Send + Sync + 'static,
    E: Equality<T>,
{
    fn row(&self, engine: &mut Engine, node: NodeIndex) -> Change {
        let row = engine.graph.nodes[node].row;
        let (store, local) = engine.local(row);
        let pointer: *mut Engine = engine;
        // SAFETY: the run has the engine to itself until it returns.
        let reader = Reader::new(unsafe { &mut *pointer });
        let fetch = Fetch {
            engine: pointer,
            reader: Some(&reader),
            store,
            space: self.space,
            local,
        };
        let chunk = self.inputs.chunk(&fetch);
        // SAFETY: the chunk was fetched for this row's; its required inputs
        // have values, or it would not run, and all inputs are settled.
        let items = unsafe { I::item(chunk, &fetch, row.offset()) };
        let value = S::value((self.function)(items));
        install_node(engine, node, value, self.equality)
    }
}
