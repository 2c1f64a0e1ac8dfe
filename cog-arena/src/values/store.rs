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
use crate::ids::{Item, bits_of};
use crate::values::chunk::{Slots, drop_caught};
use crate::values::view::View;

/// Says whether two values are the same to whoever reads them.
pub(crate) type Equal<T> = fn(&T, &T) -> bool;

/// Sixty-four values, what is staged for them, and what they replaced.
#[derive(Debug)]
pub(crate) struct Chunk<T> {
    pub(crate) slots: Slots<T>,
    pub(crate) filled: u64,
    pub(crate) staging: Slots<T>,
    pub(crate) staged: u64,
    /// Staged rows that were compared when they were staged, and differ.
    pub(crate) differing: u64,
    pub(crate) cleared: u64,
    pub(crate) binned: u64,
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
    pub(crate) chunks: Vec<Chunk<T>>,
    /// Decides whether a staged value moves its row.
    pub(crate) equal: Equal<T>,
    pub(crate) touched: Vec<u32>,
    /// In the engine's list of stores in which something may be staged; until it is cleaned.
    pub(crate) listed: bool,
    /// The chunk that kept its staging room from the last turn; a store is as a rule written at the same place again.
    pub(crate) kept: u32,
    pub(crate) spare: Vec<Slots<T>>,
}

/// In place of a chunk: none kept its staging room.
const NO_CHUNK: u32 = u32::MAX;

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
            listed: false,
            kept: NO_CHUNK,
            spare: Vec::new(),
        }
    }

    /// The room of chunk `local`, and which of it is filled. Allocates on the first call for it.
    #[inline]
    pub(crate) fn room(&mut self, local: u32) -> (Slots<T>, u64) {
        let room = self.chunk(local);
        if room.0.is_none() {
            self.ensure(local);
            return self.chunk(local);
        }
        room
    }

    /// Makes sure that chunk `local` has room. Allocates on the first call for it.
    #[inline(never)]
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

    /// The current value, to be replaced.
    #[inline]
    pub(crate) fn get_mut(&mut self, local: u32, offset: u32) -> Option<&mut T> {
        let chunk = self.chunks.get(local as usize)?;
        if chunk.filled >> offset & 1 == 0 {
            return None;
        }
        // SAFETY: a filled slot holds a value, and the store is borrowed whole.
        Some(unsafe { &mut *chunk.slots.at(offset) })
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

    /// Notes that the store is listed; whether it wasn't.
    #[inline]
    pub(crate) fn list(&mut self) -> bool {
        !std::mem::replace(&mut self.listed, true)
    }

    #[inline]
    pub(crate) fn has_room(&self, local: u32) -> bool {
        let chunk = self.chunks.get(local as usize);
        chunk.is_some_and(|chunk| !chunk.staging.is_none())
    }

    /// The chunk, whose staging room is there.
    #[inline]
    pub(crate) fn touch(&mut self, local: u32) -> &mut Chunk<T> {
        let chunk = &mut self.chunks[local as usize];
        if chunk.staged | chunk.cleared == 0 {
            self.touched.push(local);
        }
        chunk
    }

    pub(crate) fn make_room(&mut self, local: u32) {
        self.ensure(local);
        let kept = self.kept as usize;
        let idle = |chunk: &&mut Chunk<T>| chunk.staged | chunk.cleared == 0;
        let room = if let Some(room) = self.spare.pop() {
            room
        } else if let Some(chunk) = self.chunks.get_mut(kept).filter(idle) {
            self.kept = NO_CHUNK;
            std::mem::replace(&mut chunk.staging, Slots::NONE)
        } else {
            Slots::new()
        };
        self.chunks[local as usize].staging = room;
    }

    #[inline(never)]
    pub(crate) fn stage_anew(&mut self, local: u32, offset: u32, value: T) {
        self.make_room(local);
        self.stage_there(local, offset, value);
    }

    #[inline]
    pub(crate) fn stage_there(&mut self, local: u32, offset: u32, value: T) {
        let chunk = self.touch(local);
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

    #[inline]
    pub(crate) fn compare_chunk(&self, local: u32) -> Item {
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
        Item {
            chunk: local,
            mask,
            present: (chunk.filled | chunk.staged) & !chunk.cleared,
        }
    }

    /// Compares and applies in one, where a single chunk was staged: what moved. Does nothing where it was more.
    pub(crate) fn commit_one(&mut self) -> Option<Item> {
        let &[local] = self.touched.as_slice() else {
            return None;
        };
        let chunk = &self.chunks[local as usize];
        let (staged, filled) = (chunk.staged, chunk.filled);
        if chunk.cleared | staged & !filled != 0 || !staged.is_power_of_two() {
            return Some(self.commit_chunk(local));
        }
        // One row, which had a value and gets another: the case to be quick in.
        let offset = staged.trailing_zeros();
        let (current, staging) = (chunk.slots.at(offset), chunk.staging.at(offset));
        // SAFETY: the slot is filled.
        let before = unsafe { &*current };
        // SAFETY: the slot is staged.
        let equal = chunk.differing == 0 && (self.equal)(before, unsafe { &*staging });
        if !equal {
            // SAFETY: both slots hold values, and nothing borrows them.
            unsafe { current.swap(staging) };
        }
        let mask = if equal { 0 } else { staged };
        Some(Item {
            chunk: local,
            mask,
            present: filled,
        })
    }

    #[inline(never)]
    fn commit_chunk(&mut self, local: u32) -> Item {
        let item = self.compare_chunk(local);
        self.apply(local, item.mask);
        item
    }

    /// Drops what was staged and not applied, and what was replaced; keeps the room for the next turn.
    #[inline]
    pub(crate) fn clean(&mut self) -> Option<Panic> {
        self.listed = false;
        if let &[local] = self.touched.as_slice() {
            self.touched.clear();
            if self.kept != local {
                self.keep_room(local);
            }
            return self.clean_chunk(local);
        }
        self.clean_many()
    }

    #[inline(never)]
    fn clean_many(&mut self) -> Option<Panic> {
        let mut first = None;
        while let Some(local) = self.touched.pop() {
            let panic = self.clean_chunk(local);
            if first.is_none() {
                first = panic;
            }
            if self.kept != local {
                self.give_room(local);
            }
        }
        first
    }

    #[inline]
    fn clean_chunk(&mut self, local: u32) -> Option<Panic> {
        let chunk = &mut self.chunks[local as usize];
        let mask = chunk.staged | chunk.binned;
        (chunk.staged, chunk.differing) = (0, 0);
        (chunk.cleared, chunk.binned) = (0, 0);
        // SAFETY: these staging slots hold values, and no bit leads to them any more.
        unsafe { chunk.staging.drop_values(mask) }
    }

    /// The only chunk that was staged keeps its room; the one that kept its own before gives it back.
    #[inline(never)]
    fn keep_room(&mut self, local: u32) {
        let before = std::mem::replace(&mut self.kept, local);
        if before != NO_CHUNK {
            self.give_room(before);
        }
    }

    pub(crate) fn give_room(&mut self, local: u32) {
        let chunk = &mut self.chunks[local as usize];
        self.spare
            .push(std::mem::replace(&mut chunk.staging, Slots::NONE));
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
            // SAFETY: the staging room holds nothing since it was cleaned, and nothing leads to it any more.
            unsafe { chunk.staging.free() };
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
