//! Counting allocations, for tests that say "no allocation per step".
//!
//! A test binary installs the counter; it is then in force for the whole binary:
//!
//! ```
//! use cardan_testkit::allocation::{CountingAllocator, allocations};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! assert_eq!(allocations(|| drop(Vec::<u8>::with_capacity(10))), 1);
//! ```

#![allow(unsafe_code, reason = "the trait of global allocators is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    // Constant and without a destructor: reading it inside the allocator neither allocates nor fails at thread end.
    static ON_THIS_THREAD: Cell<u64> = const { Cell::new(0) };
}

static ANYWHERE: AtomicU64 = AtomicU64::new(0);

/// The system's allocator with a counter for each thread and one for the process.
///
/// A growing reallocation counts as one allocation; giving memory back does not count.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

fn count() {
    ON_THIS_THREAD.with(|c| c.set(c.get() + 1));
    ANYWHERE.fetch_add(1, Ordering::Relaxed);
}

// SAFETY: every call is passed on unchanged to the system's allocator, which keeps the promises; counting touches
// only a thread-local cell and an atomic, and never allocates or unwinds.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: our caller promises a layout of non-zero size, which is all that is asked.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: our caller promises that `pointer` came from us with `layout`; we got it from the system so.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// How many allocations `work` makes on this thread; what other threads do meanwhile does not count.
///
/// # Panics
/// If [`CountingAllocator`] is not the global allocator of the binary: zero would then mean nothing.
pub fn allocations(work: impl FnOnce()) -> u64 {
    require_installed();
    let before = ON_THIS_THREAD.get();
    work();
    ON_THIS_THREAD.get() - before
}

/// How many allocations the process makes while `work` runs, on any thread. Tests that run beside this one count too,
/// so use it where a test has the binary for itself.
///
/// # Panics
/// If [`CountingAllocator`] is not the global allocator of the binary: zero would then mean nothing.
pub fn allocations_anywhere(work: impl FnOnce()) -> u64 {
    require_installed();
    let before = ANYWHERE.load(Ordering::SeqCst);
    work();
    ANYWHERE.load(Ordering::SeqCst) - before
}

fn require_installed() {
    let before = ON_THIS_THREAD.get();
    drop(black_box(Box::new(1_u8)));
    assert!(
        ON_THIS_THREAD.get() > before,
        "allocations are not counted in this binary: add `#[global_allocator] static ALLOCATOR: CountingAllocator = \
         CountingAllocator;`"
    );
}
