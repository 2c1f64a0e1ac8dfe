//! A global allocator that counts what the current thread asks of it.
//!
//! Takes: every allocation of the test binary that includes this file. Leaves: counts.
//! Never: changes where anything is allocated. (The including file expects the lint on `thread_local`
//! at its top, because clippy looks for it there only.)

#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "every test binary includes this file and uses its own part of it"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting what the current thread asks of it.
struct Counting;

thread_local! {
    /// Allocations and frees of this thread, and the bytes it allocated and did not free.
    static TALLY: Cell<(u64, u64, i64)> = const { Cell::new((0, 0, 0)) };
}

/// Counts what took `came` bytes and gave `went` back, where there were any.
fn tally(came: Option<usize>, went: Option<usize>) {
    let bytes = |size: Option<usize>| size.map_or(0, |size| i64::try_from(size).unwrap_or(0));
    // A thread that ends has no counters any more, and nobody who would ask for them.
    let _ = TALLY.try_with(|t| {
        let (allocated, freed, live) = t.get();
        t.set((
            allocated + u64::from(came.is_some()),
            freed + u64::from(went.is_some()),
            live + bytes(came) - bytes(went),
        ));
    });
}

#[expect(
    unsafe_code,
    reason = "an allocator is unsafe to write, and this one only counts"
)]
// SAFETY: every call goes to the system's allocator with the arguments that came in.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        tally(Some(layout.size()), None);
        // SAFETY: the caller's promises about `layout` are the system's allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        tally(None, Some(layout.size()));
        // SAFETY: `at` came from the system's allocator, through `alloc` or `realloc`.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        tally(Some(size), Some(layout.size()));
        // SAFETY: `at` came from the system's allocator, and the caller answers for the rest.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations and frees `work` makes on this thread.
pub(crate) fn counted(work: impl FnOnce()) -> (u64, u64) {
    let before = TALLY.get();
    work();
    let after = TALLY.get();
    (after.0 - before.0, after.1 - before.1)
}

/// How many bytes this thread allocated and did not free so far.
pub(crate) fn live_bytes() -> i64 {
    TALLY.get().2
}
