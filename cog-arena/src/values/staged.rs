//! Staging in a store, and making what is staged current.
//!
//! Takes: values. Leaves: them staged, then current, and what they replaced in
//! the bin. Never: runs user code but equality and `Drop`.

use crate::ids::{Moved, StoreId, bits_of};
use crate::values::store::{Staged, Store};

impl<T> Store<T> {
    /// What is staged for a row.
    #[inline]
    pub(crate) fn staged(&self, local: u32, offset: u32) -> Staged<'_, T> {
        let Some(chunk) = self.chunks.get(local as usize) else {
            return Staged::None;
        };
        if chunk.staged >> offset & 1 != 0 {
            // SAFETY: a staged slot holds a value until commit or discard, which need `&mut self`.
            Staged::Value(unsafe { &*chunk.staging.at(offset) })
        } else if chunk.cleared >> offset & 1 != 0 {
            Staged::Cleared
        } else {
            Staged::None
        }
    }

    /// Stages a value for a row. The last one wins.
    #[inline]
    pub(crate) fn stage(&mut self, local: u32, offset: u32, value: T) {
        if self.has_room(local) {
            self.stage_there(local, offset, value);
        } else {
            self.stage_anew(local, offset, value);
        }
    }

    /// Stages a copy of a value, if it differs from what is staged or current.
    #[inline]
    pub(crate) fn stage_ref(&mut self, local: u32, offset: u32, value: &T)
    where
        T: Clone,
    {
        let bit = 1_u64 << offset;
        let mut current = false;
        if let Some(chunk) = self.chunks.get(local as usize) {
            let untouched = (chunk.staged | chunk.cleared) & bit == 0;
            current = untouched && chunk.filled & bit != 0;
            let slots = if untouched {
                chunk.slots
            } else {
                chunk.staging
            };
            // SAFETY: the slot is filled, or staged, as the bit says.
            let same = (current || chunk.staged & bit != 0)
                && (self.equal)(unsafe { &*slots.at(offset) }, value);
            if same {
                return;
            }
        }
        self.stage(local, offset, value.clone());
        if current {
            // Compared with the current value already: commit need not again.
            self.chunks[local as usize].differing |= bit;
        }
    }

    /// Stages that a row have no value.
    pub(crate) fn stage_clear(&mut self, local: u32, offset: u32) {
        if !self.has_room(local) {
            self.make_room(local);
        }
        let chunk = self.touch(local);
        let bit = 1 << offset;
        chunk.cleared |= bit;
        chunk.differing &= !bit;
        if chunk.staged & bit != 0 {
            chunk.staged &= !bit;
            // SAFETY: the slot holds a value, and is marked empty now.
            drop(unsafe { chunk.staging.at(offset).read() });
        }
    }

    /// Takes back what was staged for a row.
    pub(crate) fn unstage(&mut self, local: u32, offset: u32) {
        let Some(chunk) = self.chunks.get_mut(local as usize) else {
            return;
        };
        let bit = 1 << offset;
        let staged = chunk.staged & bit != 0;
        if !staged && chunk.cleared & bit == 0 {
            return;
        }
        chunk.cleared &= !bit;
        chunk.differing &= !bit;
        chunk.staged &= !bit;
        // SAFETY: the slot holds a value, and is marked empty now.
        let value = staged.then(|| unsafe { chunk.staging.at(offset).read() });
        if chunk.staged | chunk.cleared == 0 {
            // A touched chunk has something staged.
            self.touched.retain(|&touched| touched != local);
            if self.kept != local {
                self.give_room(local);
            }
        }
        drop(value);
    }

    /// What is staged for a row, if a value is, counts as different from the current value, whatever equality says.
    pub(crate) fn stage_unlike(&mut self, local: u32, offset: u32) {
        if let Some(chunk) = self.chunks.get_mut(local as usize) {
            chunk.differing |= chunk.staged & 1 << offset;
        }
    }

    /// Which staged rows really differ from the current ones. Runs equality and changes nothing.
    pub(crate) fn compare(&self, store: StoreId, moved: &mut Vec<Moved>) {
        for &local in &self.touched {
            let item = self.compare_chunk(local);
            if item.mask != 0 {
                moved.push(Moved { store, item });
            }
        }
    }

    /// Makes the staged values of rows `mask` current. What they replace waits in the bin.
    #[inline]
    pub(crate) fn apply(&mut self, local: u32, mask: u64) {
        let chunk = &mut self.chunks[local as usize];
        for offset in bits_of(mask) {
            let bit = 1 << offset;
            let (current, staged) = (chunk.slots.at(offset), chunk.staging.at(offset));
            if chunk.cleared & bit != 0 {
                // SAFETY: a moved, cleared row was filled; its staging slot is empty. The bits change below.
                unsafe { staged.copy_from_nonoverlapping(current, 1) };
                chunk.filled &= !bit;
                chunk.binned |= bit;
            } else if chunk.filled & bit != 0 {
                // SAFETY: both slots hold values.
                unsafe { current.swap(staged) };
            } else {
                // SAFETY: the staged slot holds a value, the current one none. The bits change below.
                unsafe { current.copy_from_nonoverlapping(staged, 1) };
                chunk.filled |= bit;
                chunk.staged &= !bit;
            }
        }
    }
}
