//! Declaring keyed projections: for each key, whether it is the selected one.
//!
//! Takes: a keyless cog that names a key. Leaves: a family of answers. Never: has an edge for each key.

use std::marker::PhantomData;

use crate::engine::Engine;
use crate::engine::labels::Label;
use crate::graph::columns::Kind;
use crate::handle::{Derived, DerivedFamily, KeySpace};
use crate::ids::SpaceId;
use crate::kinds::declare::{Declare, NewColumn};
use crate::recipes::descriptors::{OwnKey, Shared, SharedOptional};
use crate::recipes::install::ByPartialEq;
use crate::recipes::selected::{Selected, Selects};
use crate::values::keys::Key;

impl Declare<'_> {
    /// Whether each key is the selected one. See [`Arena::selected_family`](crate::Arena::selected_family).
    ///
    /// # Panics
    ///
    /// If the space or the cog belongs to another arena.
    #[track_caller]
    pub fn selected_family<K: Key, C: Selects<K>>(
        self,
        space: KeySpace<K>,
        selected: Shared<C>,
    ) -> DerivedFamily<K, bool> {
        self.engine.own(space.arena);
        let Self { engine, label, .. } = self;
        let mut declare = again(engine, &label);
        let inputs = declare.inputs::<Option<K>, _>(SharedOptional(selected), SpaceId::NIL, None);
        let (store, row) = declare.keyless::<Option<K>>();
        let local = declare.engine.local(row).1;
        declare
            .engine
            .values
            .store_mut::<Option<K>>(store)
            .ensure(local);
        let recipe = declare.recipe(Selected::<K, C> {
            from: selected,
            space: space.id,
            key: PhantomData,
        });
        declare.column(NewColumn {
            kind: Kind::Declared,
            inputs,
            recipe,
            space: SpaceId::NIL,
            lane: row,
            store,
        });
        let chosen = Derived::<Option<K>>::new(declare.engine.id, row, store);
        let family = again(engine, &label).derived_family_from(
            space,
            (chosen.shared(), OwnKey::<K>::new()),
            |(chosen, key): (&Option<K>, &K)| chosen.as_ref() == Some(key),
        );
        engine.graph.columns[family.column].narrow = Some(Box::default());
        engine.ensure_eager(family.column);
        engine.settle_between();
        family
    }
}

fn again<'a>(engine: &'a mut Engine, label: &Label) -> Declare<'a> {
    Declare {
        engine,
        label: label.clone(),
        equality: ByPartialEq,
    }
}
