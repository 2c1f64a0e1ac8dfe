//! Sixty-four values at an address that never moves.
//!
//! Takes: values. Leaves: them, behind raw pointers only, so that a `&T` lent
//! to a running function stays good while other rows come to life. Never: is
//! covered by a `&mut` while anything is lent.

use std::mem::{MaybeUninit, needs_drop};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::Panic;
use crate::ids::{CHUNK_ROWS, bits_of};

/// Room for 64 values of one type. Does not know which of them are there.
#[derive(Debug)]
pub(crate) struct Slots<T>(*mut T);

impl<T> Clone for Slots<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slots<T> {}

impl<T> Slots<T> {
    /// No room at all.
    pub(crate) const NONE: Self = Self(std::ptr::null_mut());

    /// Allocates.
    pub(crate) fn new() -> Self {
        let room: Box<[MaybeUninit<T>]> = Box::new_uninit_slice(CHUNK_ROWS as usize);
        Self(Box::into_raw(room).cast())
    }

    /// Whether there is no room.
    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self.0.is_null()
    }

    /// Where the value at `offset` lies, or would lie.
    #[inline]
    pub(crate) fn at(self, offset: u32) -> *mut T {
        debug_assert!(offset < CHUNK_ROWS, "an offset stays in its chunk");
        self.0.wrapping_add(offset as usize)
    }

    /// Gives the room back. The values in it are not dropped.
    ///
    /// # Safety
    ///
    /// - Nothing uses the room afterwards.
    pub(crate) unsafe fn free(self) {
        if !self.is_none() {
            let room = std::ptr::slice_from_raw_parts_mut(
                self.0.cast::<MaybeUninit<T>>(),
                CHUNK_ROWS as usize,
            );
            // SAFETY: the room came from a box of this very type and length,
            // and the caller promises that it is not used again.
            drop(unsafe { Box::from_raw(room) });
        }
    }

    /// Drops the values `mask`. One that panics does not keep the others; the first panic is returned.
    ///
    /// # Safety
    ///
    /// - Each of the values is there, and nothing uses it afterwards.
    pub(crate) unsafe fn drop_values(self, mask: u64) -> Option<Panic> {
        if !needs_drop::<T>() {
            return None;
        }
        let mut first = None;
        for offset in bits_of(mask) {
            // SAFETY: the caller promises that the value is there and not used again.
            let dropped = catch_unwind(AssertUnwindSafe(|| unsafe {
                self.at(offset).drop_in_place();
            }));
            if let Err(panic) = dropped {
                first.get_or_insert(panic);
            }
        }
        first
    }
}

/// Drops a value; a panic of its `Drop` is returned.
#[inline]
pub(crate) fn drop_caught<T>(value: T) -> Option<Panic> {
    if !needs_drop::<T>() {
        return None;
    }
    catch_unwind(AssertUnwindSafe(|| drop(value))).err()
}
