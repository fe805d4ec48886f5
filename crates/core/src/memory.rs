//! Memory maps: anonymous ones on huge pages, which cost fewer TLB misses when they are read at random, and read-only
//! maps of files.
//!
//! This is the only module of the core with unsafe code. WebAssembly has no memory maps and uses the heap instead.

use std::sync::atomic::AtomicU64;

pub use maps::map_file;
pub(crate) use maps::{Bytes, CacheLines, zeroed};

/// A cache line: four pairs of words that threads read and write concurrently.
#[derive(Default)]
#[repr(C, align(64))]
pub(crate) struct CacheLine(pub(crate) [[AtomicU64; 2]; 4]);

#[cfg(not(target_arch = "wasm32"))]
#[allow(unsafe_code)]
mod maps {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use super::CacheLine;

    /// Zeroed bytes.
    pub(crate) type Bytes = memmap2::MmapMut;

    /// Return zeroed bytes, on huge pages if the system has them. Pages occupy memory only after they are first
    /// written.
    pub(crate) fn zeroed(bytes: usize) -> io::Result<Bytes> {
        let map = Bytes::map_anon(bytes)?;
        // Only advice, which the system may refuse. Miri does not support it.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(map)
    }

    /// Map a file for reading. Files that are mapped must be replaced as a whole, and never truncated.
    pub fn map_file(path: &Path) -> io::Result<impl AsRef<[u8]> + Send + Sync + use<>> {
        let file = File::open(path)?;
        // Safety: tablemen replaces such files by new ones and never changes their content.
        unsafe { memmap2::Mmap::map(&file) }
    }

    /// An array of zeroed cache lines. Pages occupy memory only after they are first written.
    pub(crate) struct CacheLines {
        map: Bytes,
        number: usize,
    }

    impl CacheLines {
        pub(crate) fn new(number: usize) -> io::Result<Self> {
            Ok(CacheLines { map: zeroed(number.max(1) * size_of::<CacheLine>())?, number })
        }

        #[inline(always)]
        pub(crate) fn as_slice(&self) -> &[CacheLine] {
            // Safety: only this value refers to the map; a map begins on a page boundary, so it is aligned; it is as
            // long as `number` lines; every bit pattern is a valid line; all writes go through atomics.
            unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.number) }
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod maps {
    use std::io;
    use std::path::Path;

    use super::CacheLine;

    /// Zeroed bytes.
    pub(crate) type Bytes = Vec<u8>;

    /// Return zeroed bytes.
    pub(crate) fn zeroed(bytes: usize) -> io::Result<Bytes> {
        fill(bytes)
    }

    /// Read a file.
    pub fn map_file(path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    /// An array of zeroed cache lines.
    pub(crate) struct CacheLines(Vec<CacheLine>);

    impl CacheLines {
        pub(crate) fn new(number: usize) -> io::Result<Self> {
            fill(number).map(CacheLines)
        }

        #[inline(always)]
        pub(crate) fn as_slice(&self) -> &[CacheLine] {
            &self.0
        }
    }

    /// Return a vector of default values, or an error if there is not enough memory.
    fn fill<T: Default>(length: usize) -> io::Result<Vec<T>> {
        let mut values = Vec::new();
        values.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        values.resize_with(length, T::default);
        Ok(values)
    }
}
