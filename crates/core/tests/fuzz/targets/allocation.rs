//! A global allocator that counts the bytes which each thread has allocated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with counters.
struct CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

thread_local! {
    /// The bytes that this thread has allocated and not freed. Negative if it frees those of other threads.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    /// The maximum of `LIVE` since the last call of `measure`.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn add(bytes: isize) {
    let live = LIVE.get() + bytes;
    LIVE.set(live);
    PEAK.set(PEAK.get().max(live));
}

// Safety: every method forwards its arguments to the system's allocator, and the counters allocate nothing.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        add(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The old block and the new one can exist at the same time.
        add(size as isize);
        add(-(layout.size() as isize));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Return the result of a function, and the maximum number of bytes that it had allocated at any time on this thread.
pub fn measure<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.get();
    PEAK.set(before);
    let result = run();
    (result, (PEAK.get() - before) as usize)
}
