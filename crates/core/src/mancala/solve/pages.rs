//! Memory as the operating system gives it: large pages for what is read here and there, and files as memory.
//!
//! The only place with code that the compiler cannot check. What each piece relies on stands beside it.
#![allow(unsafe_code)]

use std::fmt;
use std::fs::File;
use std::io;
use std::sync::atomic::AtomicU64;

use memmap2::{Mmap, MmapMut};

/// A line of the processor's cache: four pairs of words that threads may read and write at once.
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [[AtomicU64; 2]; 4]);

/// Lines that are all zero at first. They take up memory when they are first written.
pub(super) struct Lines {
    map: MmapMut,
    number: usize,
}

impl Lines {
    pub(super) fn new(number: usize) -> io::Result<Self> {
        Ok(Lines { map: zeroed(number.max(1) * size_of::<Line>())?, number })
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[Line] {
        // Sound: the mapping belongs to this value alone, is never seen as anything else, begins at the start of a page,
        // and is as long as so many lines; every pattern of bits is a line; changes go through atomics.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.number) }
    }
}

/// Bytes that are all zero, on large pages where the system has them: reading here and there is quicker then.
pub(super) fn zeroed(bytes: usize) -> io::Result<MmapMut> {
    let map = MmapMut::map_anon(bytes)?;
    // Advice, which may be refused.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

/// The content of a file, which is read when it is looked at.
pub(super) fn map_file(file: &File) -> io::Result<Mmap> {
    // Sound as long as nobody changes the file while it is mapped. We never do: a table is written under another name, and
    // gets its own when it is whole; a file that is replaced or removed keeps its content for those who have it mapped.
    unsafe { Mmap::map(file) }
}

impl fmt::Debug for Lines {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lines").field("number", &self.number).finish()
    }
}
