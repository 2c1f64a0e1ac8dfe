//! A chunk of a store, to read many of its values.
//!
//! Takes: the chunk's room and bits. Leaves: values. Never: outlives the
//! borrow of its store.

use std::marker::PhantomData;

use crate::values::chunk::Slots;

/// The values of one chunk, found once.
#[derive(Debug)]
pub(crate) struct View<'a, T> {
    pub(crate) slots: Slots<T>,
    pub(crate) filled: u64,
    pub(crate) store: PhantomData<&'a T>,
}

impl<T> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for View<'_, T> {}

impl<'a, T> View<'a, T> {
    /// Which rows have values.
    #[inline]
    pub(crate) fn filled(self) -> u64 {
        self.filled
    }

    /// The same, without the rows that aren't in `mask`.
    #[inline]
    pub(crate) fn only(self, mask: u64) -> Self {
        Self {
            filled: self.filled & mask,
            ..self
        }
    }

    /// The current value.
    #[inline]
    pub(crate) fn get(&self, offset: u32) -> Option<&'a T> {
        // SAFETY: a filled slot holds a value, and the store is borrowed for as long as the view.
        (self.filled >> offset & 1 != 0).then(|| unsafe { &*self.slots.at(offset) })
    }
}
