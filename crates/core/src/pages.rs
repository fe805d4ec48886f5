//! Memory as the operating system gives it: large pages for what is read here and there.
//!
//! The only place of the core with code that the compiler cannot check. What each piece relies on stands beside it.
#![allow(unsafe_code)]

use std::fmt;
use std::io;
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

/// A line of the processor's cache: four pairs of words that threads may read and write at once.
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [[AtomicU64; 2]; 4]);

/// Lines that are all zero at first. They take up memory when they are first written.
pub(crate) struct Lines {
    map: MmapMut,
    number: usize,
}

impl Lines {
    pub(crate) fn new(number: usize) -> io::Result<Self> {
        Ok(Lines { map: zeroed(number.max(1) * size_of::<Line>())?, number })
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[Line] {
        // Sound: the mapping belongs to this value alone, is never seen as anything else, begins at the start of a page,
        // and is as long as so many lines; every pattern of bits is a line; changes go through atomics.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.number) }
    }
}

/// Bytes that are all zero, on large pages where the system has them: reading here and there is quicker then.
pub(crate) fn zeroed(bytes: usize) -> io::Result<MmapMut> {
    let map = MmapMut::map_anon(bytes)?;
    // Advice, which may be refused.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

impl fmt::Debug for Lines {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lines").field("number", &self.number).finish()
    }
}
