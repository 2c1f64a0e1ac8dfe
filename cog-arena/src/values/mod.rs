//! The contents: typed values, keys and functions. Knows nothing of the shape.
//!
//! Takes: values with the number of their store. Leaves: them, typed again.
//! Never: decides who depends on whom. The only place that downcasts.

pub(crate) mod chunk;

pub(crate) mod view;

pub(crate) mod store;

mod staged;

pub(crate) mod functions;
pub(crate) mod keys;

#[cfg(test)]
mod tests;

use std::any::Any;

use crate::error::Panic;
use crate::ids::{Item, Moved, SpaceId, StoreId};
use keys::{ErasedSpace, Key, Space};
use store::Store;

/// What can be done to a store without knowing `T`.
pub(crate) trait ErasedStore: Send + Sync + Any {
    /// See [`Store::has_staged`].
    fn has_staged(&self) -> bool;
    /// See [`Store::list`].
    fn list(&mut self) -> bool;
    /// See [`Store::compare`].
    fn compare(&self, id: StoreId, moved: &mut Vec<Moved>);
    /// See [`Store::apply`].
    fn apply(&mut self, local: u32, mask: u64);
    /// See [`Store::commit_one`].
    fn commit_one(&mut self) -> Option<Item>;
    /// See [`Store::clean`].
    fn clean(&mut self) -> Option<Panic>;
    /// See [`Store::stage_clear`].
    fn stage_clear(&mut self, local: u32, offset: u32);
    /// See [`Store::unstage`].
    fn unstage(&mut self, local: u32, offset: u32);
    /// See [`Store::stage_unlike`].
    fn stage_unlike(&mut self, local: u32, offset: u32);
    /// See [`Store::drop_row`].
    fn drop_row(&mut self, local: u32, offset: u32) -> (bool, Option<Panic>);
    /// Where a row's value lies; null if there is no room for it yet.
    fn address(&self, local: u32, offset: u32) -> *mut ();
    /// Which rows of a chunk have values.
    #[cfg(any(test, feature = "testing"))]
    fn filled(&self, local: u32) -> u64;
    /// See [`Store::listed`].
    #[cfg(any(test, feature = "testing"))]
    fn is_listed(&self) -> bool;
}

impl<T: Send + Sync + 'static> ErasedStore for Store<T> {
    fn has_staged(&self) -> bool {
        Self::has_staged(self)
    }

    fn list(&mut self) -> bool {
        Self::list(self)
    }

    fn compare(&self, id: StoreId, moved: &mut Vec<Moved>) {
        Self::compare(self, id, moved);
    }

    fn apply(&mut self, local: u32, mask: u64) {
        Self::apply(self, local, mask);
    }

    fn commit_one(&mut self) -> Option<Item> {
        Self::commit_one(self)
    }

    fn clean(&mut self) -> Option<Panic> {
        Self::clean(self)
    }

    fn stage_clear(&mut self, local: u32, offset: u32) {
        Self::stage_clear(self, local, offset);
    }

    fn unstage(&mut self, local: u32, offset: u32) {
        Self::unstage(self, local, offset);
    }

    fn stage_unlike(&mut self, local: u32, offset: u32) {
        Self::stage_unlike(self, local, offset);
    }

    fn drop_row(&mut self, local: u32, offset: u32) -> (bool, Option<Panic>) {
        Self::drop_row(self, local, offset)
    }

    fn address(&self, local: u32, offset: u32) -> *mut () {
        let (slots, _) = self.chunk(local);
        if slots.is_none() {
            std::ptr::null_mut()
        } else {
            slots.at(offset).cast()
        }
    }

    #[cfg(any(test, feature = "testing"))]
    fn filled(&self, local: u32) -> u64 {
        self.chunk(local).1
    }

    #[cfg(any(test, feature = "testing"))]
    fn is_listed(&self) -> bool {
        self.listed
    }
}

/// All stores and key spaces.
#[derive(Default)]
pub(crate) struct Values {
    stores: Vec<Box<dyn ErasedStore>>,
    spaces: Vec<Box<dyn ErasedSpace>>,
}

impl Values {
    /// Adds a store; its number is the one that the shape gave it.
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, store: Store<T>) -> StoreId {
        self.stores.push(Box::new(store));
        StoreId::at(self.stores.len() - 1)
    }

    /// Adds a key space.
    pub(crate) fn insert_space<K: Key>(&mut self, space: Space<K>) -> SpaceId {
        self.spaces.push(Box::new(space));
        SpaceId::at(self.spaces.len() - 1)
    }

    /// The store, typed. Handles carry the type, and only the arena makes them.
    #[inline]
    pub(crate) fn store<T: 'static>(&self, id: StoreId) -> &Store<T> {
        let store: &dyn ErasedStore = &*self.stores[id.index()];
        debug_assert!((store as &dyn Any).is::<Store<T>>(), "the store holds `T`");
        // SAFETY: a handle's type is its store's, since both were made together
        // and handles of other arenas are refused before they come here.
        unsafe { &*std::ptr::from_ref(store).cast::<Store<T>>() }
    }

    /// The store, typed, to write to.
    #[inline]
    pub(crate) fn store_mut<T: 'static>(&mut self, id: StoreId) -> &mut Store<T> {
        let store: &mut dyn ErasedStore = &mut *self.stores[id.index()];
        debug_assert!((store as &dyn Any).is::<Store<T>>(), "the store holds `T`");
        // SAFETY: as in `store`.
        unsafe { &mut *std::ptr::from_mut(store).cast::<Store<T>>() }
    }

    /// Whether the store holds values of type `T`.
    pub(crate) fn holds<T: 'static>(&self, id: StoreId) -> bool {
        let store: &dyn ErasedStore = &*self.stores[id.index()];
        (store as &dyn Any).is::<Store<T>>()
    }

    /// A store and a key space at once.
    pub(crate) fn store_and_space<K: Key, T: 'static>(
        &mut self,
        store: StoreId,
        space: SpaceId,
    ) -> (&mut Store<T>, &Space<K>) {
        let typed: *mut Store<T> = self.store_mut(store);
        // SAFETY: stores and spaces are boxed one by one; the two borrows don't overlap.
        (unsafe { &mut *typed }, self.space(space))
    }

    /// The store, whatever it holds.
    #[inline]
    pub(crate) fn erased(&self, id: StoreId) -> &dyn ErasedStore {
        &*self.stores[id.index()]
    }

    /// The store, whatever it holds, to write to.
    #[inline]
    pub(crate) fn erased_mut(&mut self, id: StoreId) -> &mut dyn ErasedStore {
        &mut *self.stores[id.index()]
    }

    /// The key space, typed.
    #[inline]
    pub(crate) fn space<K: Key>(&self, id: SpaceId) -> &Space<K> {
        let space: &dyn ErasedSpace = &*self.spaces[id.index()];
        debug_assert!(
            (space as &dyn Any).is::<Space<K>>(),
            "the space has keys of type `K`"
        );
        // SAFETY: as in `store`: a handle's key type is its space's.
        unsafe { &*std::ptr::from_ref(space).cast::<Space<K>>() }
    }

    /// The key space, typed, to write to.
    #[inline]
    pub(crate) fn space_mut<K: Key>(&mut self, id: SpaceId) -> &mut Space<K> {
        let space: &mut dyn ErasedSpace = &mut *self.spaces[id.index()];
        debug_assert!(
            (space as &dyn Any).is::<Space<K>>(),
            "the space has keys of type `K`"
        );
        // SAFETY: as in `store`: a handle's key type is its space's.
        unsafe { &mut *std::ptr::from_mut(space).cast::<Space<K>>() }
    }

    /// The key space, whatever its keys.
    #[inline]
    pub(crate) fn erased_space(&self, id: SpaceId) -> &dyn ErasedSpace {
        &*self.spaces[id.index()]
    }

    /// The key space, whatever its keys, to write to.
    #[inline]
    pub(crate) fn erased_space_mut(&mut self, id: SpaceId) -> &mut dyn ErasedSpace {
        &mut *self.spaces[id.index()]
    }
}
