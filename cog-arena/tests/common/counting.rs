//! A global allocator that counts what the current thread asks of it.
//!
//! Takes: every allocation of the test binary that includes this file. Leaves: counts.
//! Never: changes where anything is allocated. (The including file expects the lint on `thread_local`
//! at its top, because clippy looks for it there only.)

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting what the current thread asks of it.
struct Counting;

thread_local! {
    /// Allocations and frees of this thread.
    static TALLY: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

fn tally(allocated: u64, freed: u64) {
    // A thread that ends has no counters any more, and nobody who would ask for them.
    let _ = TALLY.try_with(|t| {
        let (a, f) = t.get();
        t.set((a + allocated, f + freed));
    });
}

#[expect(
    unsafe_code,
    reason = "an allocator is unsafe to write, and this one only counts"
)]
// SAFETY: every call goes to the system's allocator with the arguments that came in.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        tally(1, 0);
        // SAFETY: the caller's promises about `layout` are the system's allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        tally(0, 1);
        // SAFETY: `at` came from the system's allocator, through `alloc` or `realloc`.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        tally(1, 1);
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
