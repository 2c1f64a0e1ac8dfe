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
    /// The chunk that kept its staging room from the last turn; a store is as a rule written at the same place again.
    kept: u32,
    spare: Vec<Slots<T>>,
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
            kept: NO_CHUNK,
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

    #[inline]
    fn has_room(&self, local: u32) -> bool {
        let chunk = self.chunks.get(local as usize);
        chunk.is_some_and(|chunk| !chunk.staging.is_none())
    }

    /// The chunk, whose staging room is there.
    #[inline]
    fn touch(&mut self, local: u32) -> &mut Chunk<T> {
        let chunk = &mut self.chunks[local as usize];
        if chunk.staged | chunk.cleared == 0 {
            self.touched.push(local);
        }
        chunk
    }

    fn make_room(&mut self, local: u32) {
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

    /// Stages a value for a row. The last one wins.
    #[inline]
    pub(crate) fn stage(&mut self, local: u32, offset: u32, value: T) {
        if self.has_room(local) {
            self.stage_there(local, offset, value);
        } else {
            self.stage_anew(local, offset, value);
        }
    }

    #[inline(never)]
    fn stage_anew(&mut self, local: u32, offset: u32, value: T) {
        self.make_room(local);
        self.stage_there(local, offset, value);
    }

    #[inline]
    fn stage_there(&mut self, local: u32, offset: u32, value: T) {
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

    /// Which staged rows really differ from the current ones. Runs equality and changes nothing.
    pub(crate) fn compare(&self, store: StoreId, moved: &mut Vec<Moved>) {
        for &local in &self.touched {
            let item = self.compare_chunk(local);
            if item.mask != 0 {
                moved.push(Moved { store, item });
            }
        }
    }

    #[inline]
    fn compare_chunk(&self, local: u32) -> Item {
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

    /// Drops what was staged and not applied, and what was replaced; keeps the room for the next turn.
    #[inline]
    pub(crate) fn clean(&mut self) -> Option<Panic> {
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

    fn give_room(&mut self, local: u32) {
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
