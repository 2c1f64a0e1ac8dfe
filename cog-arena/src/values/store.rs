//! A store: all values of one family, or of all keyless cogs of one type.
//!
//! Takes: values, staged by writers or computed by functions. Leaves: the
//! current ones, at stable addresses, and until the turn's end the ones they
//! replaced. Never: replaces a value that is lent.
//!
//! A chunk has room for its values and, while a writer stages, room for as many
//! more. Committing a value swaps the two, so that the replaced one lies in the
//! staging room, where it waits for the turn's end: staging room is bin, too.

use std::marker::PhantomData;

use crate::error::Panic;
use crate::ids::{Item, Moved, StoreId, bits_of};
use crate::values::chunk::{Slots, drop_caught};

/// Says whether two values are the same to whoever reads them.
pub(crate) type Equal<T> = fn(&T, &T) -> bool;

#[derive(Debug)]
struct Chunk<T> {
    slots: Slots<T>,
    filled: u64,
    staging: Slots<T>,
    staged: u64,
    /// Staged rows that were compared when they were staged, and differ.
    differing: u64,
    cleared: u64,
    binned: u64,
}

/// The values of one chunk, found once.
#[derive(Debug)]
pub(crate) struct View<'a, T> {
    slots: Slots<T>,
    filled: u64,
    store: PhantomData<&'a T>,
}

impl<T> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for View<'_, T> {}

impl<'a, T> View<'a, T> {
    /// The current value.
    #[inline]
    pub(crate) fn get(&self, offset: u32) -> Option<&'a T> {
        // SAFETY: a filled slot holds a value, and the store is borrowed for as long as the view.
        (self.filled >> offset & 1 != 0).then(|| unsafe { &*self.slots.at(offset) })
    }
}

/// What a writer staged for a row.
pub(crate) enum Staged<'a, T> {
    /// Nothing.
    None,
    /// A value.
    Value(&'a T),
    /// That there be none.
    Cleared,
}

/// Values in chunks of 64.
#[derive(Debug)]
pub(crate) struct Store<T> {
    chunks: Vec<Chunk<T>>,
    /// Decides whether a staged value moves its row.
    pub(crate) equal: Equal<T>,
    touched: Vec<u32>,
    spare: Vec<Slots<T>>,
}

// SAFETY: a store owns its values like a vector does.
unsafe impl<T: Send> Send for Store<T> {}
// SAFETY: through `&Store` values are only read.
unsafe impl<T: Sync> Sync for Store<T> {}

impl<T> Store<T> {
    /// An empty store.
    pub(crate) fn new(equal: Equal<T>) -> Self {
        Self {
            chunks: Vec::new(),
            equal,
            touched: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Makes sure that chunk `local` has room. Allocates on the first call for it.
    pub(crate) fn ensure(&mut self, local: u32) {
        let at = local as usize;
        while self.chunks.len() <= at {
            self.chunks.push(Chunk {
                slots: Slots::NONE,
                filled: 0,
                staging: Slots::NONE,
                staged: 0,
                differing: 0,
                cleared: 0,
                binned: 0,
            });
        }
        if self.chunks[at].slots.is_none() {
            self.chunks[at].slots = Slots::new();
        }
    }

    /// The room of chunk `local` and which of it is filled.
    #[inline]
    pub(crate) fn chunk(&self, local: u32) -> (Slots<T>, u64) {
        self.chunks
            .get(local as usize)
            .map_or((Slots::NONE, 0), |chunk| (chunk.slots, chunk.filled))
    }

    /// Says which rows of a chunk have values, after values were written to its room.
    ///
    /// # Safety
    ///
    /// - Exactly these rows of the chunk hold values.
    pub(crate) unsafe fn set_filled(&mut self, local: u32, filled: u64) {
        self.chunks[local as usize].filled = filled;
    }

    /// A chunk, to read many of its values.
    #[inline]
    pub(crate) fn view(&self, local: u32) -> View<'_, T> {
        let (slots, filled) = self.chunk(local);
        View {
            slots,
            filled,
            store: PhantomData,
        }
    }

    /// The current value.
    #[inline]
    pub(crate) fn get(&self, local: u32, offset: u32) -> Option<&T> {
        let (slots, filled) = self.chunk(local);
        // SAFETY: a filled slot holds a value; it is replaced through `&mut self` only.
        (filled >> offset & 1 != 0).then(|| unsafe { &*slots.at(offset) })
    }

    /// Fills a slot, or replaces what is in it. Returns what was in it.
    pub(crate) fn put(&mut self, local: u32, offset: u32, value: T) -> Option<T> {
        self.ensure(local);
        let chunk = &mut self.chunks[local as usize];
        let slot = chunk.slots.at(offset);
        if chunk.filled >> offset & 1 != 0 {
            // SAFETY: the slot is filled.
            return Some(unsafe { slot.replace(value) });
        }
        chunk.filled |= 1 << offset;
        // SAFETY: the slot is in the chunk's room and holds nothing.
        unsafe { slot.write(value) };
        None
    }

    /// Takes a value out.
    pub(crate) fn take(&mut self, local: u32, offset: u32) -> Option<T> {
        let chunk = self.chunks.get_mut(local as usize)?;
        if chunk.filled >> offset & 1 == 0 {
            return None;
        }
        chunk.filled &= !(1 << offset);
        // SAFETY: the slot was filled, and is marked empty now.
        Some(unsafe { chunk.slots.at(offset).read() })
    }

    /// Whether something is staged.
    pub(crate) fn has_staged(&self) -> bool {
        !self.touched.is_empty()
    }

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

    fn stage_room(&mut self, local: u32) -> &mut Chunk<T> {
        if self
            .chunks
            .get(local as usize)
            .is_none_or(|chunk| chunk.slots.is_none())
        {
            self.ensure(local);
        }
        let chunk = &mut self.chunks[local as usize];
        if chunk.staging.is_none() {
            chunk.staging = self.spare.pop().unwrap_or_else(Slots::new);
            self.touched.push(local);
        }
        chunk
    }

    /// Stages a value for a row. The last one wins.
    #[inline]
    pub(crate) fn stage(&mut self, local: u32, offset: u32, value: T) {
        let chunk = self.stage_room(local);
        let bit = 1 << offset;
        let slot = chunk.staging.at(offset);
        chunk.cleared &= !bit;
        chunk.differing &= !bit;
        if chunk.staged & bit != 0 {
            // SAFETY: the slot holds the value staged before.
            drop(unsafe { slot.replace(value) });
        } else {
            chunk.staged |= bit;
            // SAFETY: the slot is in the staging room and holds nothing.
            unsafe { slot.write(value) };
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
        let chunk = self.stage_room(local);
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
        chunk.cleared &= !bit;
        chunk.differing &= !bit;
        if chunk.staged & bit != 0 {
            chunk.staged &= !bit;
            // SAFETY: the slot holds a value, and is marked empty now.
            drop(unsafe { chunk.staging.at(offset).read() });
        }
    }

    /// Which staged rows really differ from the current ones. Runs equality and changes nothing.
    pub(crate) fn compare(&self, store: StoreId, moved: &mut Vec<Moved>) {
        for &local in &self.touched {
            let chunk = &self.chunks[local as usize];
            let mut mask = chunk.staged & !chunk.filled | chunk.cleared & chunk.filled;
            mask |= chunk.differing;
            for offset in bits_of(chunk.staged & chunk.filled & !chunk.differing) {
                // SAFETY: the slot is filled.
                let current = unsafe { &*chunk.slots.at(offset) };
                // SAFETY: the slot is staged.
                let staged = unsafe { &*chunk.staging.at(offset) };
                mask |= u64::from(!(self.equal)(current, staged)) << offset;
            }
            if mask != 0 {
                let present = (chunk.filled | chunk.staged) & !chunk.cleared;
                moved.push(Moved {
                    store,
                    item: Item {
                        chunk: local,
                        mask,
                        present,
                    },
                });
            }
        }
    }

    /// Makes the staged values of rows `mask` current. What they replace waits in the bin.
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

    /// Drops what was staged and not applied, and what was replaced; keeps the room for the next turn.
    pub(crate) fn clean(&mut self) -> Option<Panic> {
        let mut first = None;
        while let Some(local) = self.touched.pop() {
            let chunk = &mut self.chunks[local as usize];
            let mask = chunk.staged | chunk.binned;
            let room = std::mem::replace(&mut chunk.staging, Slots::NONE);
            (chunk.staged, chunk.differing) = (0, 0);
            (chunk.cleared, chunk.binned) = (0, 0);
            // SAFETY: these staging slots hold values, and no bit leads to them any more.
            let panic = unsafe { room.drop_values(mask) };
            self.spare.push(room);
            if first.is_none() {
                first = panic;
            }
        }
        first
    }

    /// Drops a row's value.
    pub(crate) fn drop_row(&mut self, local: u32, offset: u32) -> (bool, Option<Panic>) {
        match self.take(local, offset) {
            Some(value) => (true, drop_caught(value)),
            None => (false, None),
        }
    }
}

impl<T> Drop for Store<T> {
    fn drop(&mut self) {
        let mut first = self.clean();
        for chunk in &mut self.chunks {
            let filled = std::mem::take(&mut chunk.filled);
            // SAFETY: filled slots hold values, and are marked empty now.
            let panic = unsafe { chunk.slots.drop_values(filled) };
            // SAFETY: the store is going; nothing leads to the room any more.
            unsafe { chunk.slots.free() };
            if first.is_none() {
                first = panic;
            }
        }
        for room in self.spare.drain(..) {
            // SAFETY: spare room holds nothing and nothing leads to it.
            unsafe { room.free() };
        }
        if let Some(panic) = first
            && !std::thread::panicking()
        {
            std::panic::resume_unwind(panic);
        }
    }
}
