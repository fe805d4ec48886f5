//! The transposition table of the solver: bounds of the values of positions.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::mancala::row::{EVERY_BYTE, WideRow};
use crate::memory::{CacheLine, CacheLines};
use crate::random::SPREAD;

/// Bounds of the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Bounds {
    /// Bounds without any information.
    pub(super) const UNKNOWN: Bounds = Bounds { lower: i32::MIN, upper: i32::MAX };

    /// Return the bounds of any position with this number of seeds in the houses: no side can get more than all of
    /// them.
    #[inline(always)]
    pub(super) fn of_seeds(seeds: i32) -> Self {
        Bounds { lower: -seeds, upper: seeds }
    }

    /// Return the intersection.
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// A transposition table shared by threads. Positions are given by their rows, the other side's without its store.
pub(super) trait SolverTable<R>: Sync {
    /// Create a table that is small at first and never exceeds `max_bytes` bytes.
    fn new(max_bytes: usize) -> io::Result<Self>
    where
        Self: Sized;
    /// Look up the bounds of a position.
    fn probe(&self, own: R, other: R) -> Option<Bounds>;
    /// Load the entry of a position into the CPU cache. The result only keeps the load from being optimised away.
    fn prefetch(&self, own: R, other: R) -> i32;
    /// Store bounds of a position, intersected with those already stored.
    fn store(&self, own: R, other: R, found: Bounds);
    /// Return whether the number of replaced entries shows that the table should grow.
    fn should_grow(&self) -> bool;
    /// Grow, if that is possible.
    fn grow(&mut self);
}

/// A hash table for packed rows. An entry is two machine words with both rows in full and both bounds.
///
/// A bucket is a cache line of four entries. A new entry replaces the one with the fewest seeds in its bucket, which
/// took the least work. Access is lockless: the first word of an entry is stored XORed with a hash of the second, so an
/// entry with words from two writes does not match its position.
pub(super) struct PackedTable {
    lines: CacheLines,
    max_lines: usize,
    /// The number of entries replaced since the table last grew.
    replaced: AtomicUsize,
}

/// The number of lines of a new table.
const INITIAL_LINES: usize = 1 << 10;
/// The maximum number of lines: a line is selected by a hash of 32 bits.
const MAX_LINES: u64 = 1 << 32;
/// The factor by which the table grows.
const GROWTH: usize = 4;
/// A multiplier for hashing.
const MIX: u64 = 0xbf58_476d_1ce4_e5b9;
/// The bytes of a word that contain the row; the highest byte contains a bound.
const ROW: u64 = u64::MAX >> 8;

/// An entry: a position and its bounds.
type Entry = [AtomicU64; 2];

impl PackedTable {
    fn with_lines(lines: usize, max_lines: usize) -> io::Result<Self> {
        Ok(PackedTable { lines: CacheLines::new(lines.min(max_lines))?, max_lines, replaced: AtomicUsize::new(0) })
    }

    #[inline(always)]
    fn line(&self, own: u64, other: u64) -> &[Entry; 4] {
        let hash = (own.wrapping_mul(SPREAD) ^ other).wrapping_mul(MIX);
        let hash = (hash ^ hash >> 32).wrapping_mul(SPREAD) >> 32;
        let lines = self.lines.as_slice();
        &lines[((hash * lines.len() as u64) >> 32) as usize].0
    }
}

impl SolverTable<u64> for PackedTable {
    fn new(max_bytes: usize) -> io::Result<Self> {
        let max_lines = (max_bytes / size_of::<CacheLine>()) as u64;
        Self::with_lines(INITIAL_LINES, max_lines.clamp(1, MAX_LINES) as usize)
    }

    #[inline(always)]
    fn probe(&self, own: u64, other: u64) -> Option<Bounds> {
        self.line(own, other).iter().find_map(|entry| {
            let words = load(entry);
            is_of(words, own, other).then(|| unpack(words))
        })
    }

    #[inline(always)]
    fn prefetch(&self, own: u64, other: u64) -> i32 {
        self.line(own, other)[0][1].load(Ordering::Relaxed) as i32
    }

    #[inline(always)]
    fn store(&self, own: u64, other: u64, found: Bounds) {
        let line = self.line(own, other);
        let (mut replaced, mut fewest) = (&line[0], u64::MAX);
        for entry in line {
            let words = load(entry);
            if is_of(words, own, other) {
                return save(entry, own, other, found.and(unpack(words)));
            }
            // An empty entry has no seeds.
            let seeds = ((words.0 & ROW) + (words.1 & ROW)).wrapping_mul(EVERY_BYTE) >> 56;
            if seeds < fewest {
                (replaced, fewest) = (entry, seeds);
            }
        }
        if fewest > 0 {
            self.replaced.fetch_add(1, Ordering::Relaxed);
        }
        save(replaced, own, other, found);
    }

    fn should_grow(&self) -> bool {
        let lines = self.lines.as_slice().len();
        lines < self.max_lines && self.replaced.load(Ordering::Relaxed) > lines
    }

    fn grow(&mut self) {
        let lines = self.lines.as_slice();
        let Ok(grown) = Self::with_lines(lines.len().saturating_mul(GROWTH), self.max_lines) else {
            // The system has no more memory: keep the current size.
            self.max_lines = lines.len();
            return;
        };
        for words in lines.iter().flat_map(|line| &line.0).map(load).filter(|words| *words != (0, 0)) {
            grown.store(words.0 & ROW, words.1 & ROW, unpack(words));
        }
        *self = grown;
    }
}

/// Return whether an entry belongs to a position.
#[inline(always)]
fn is_of(words: (u64, u64), own: u64, other: u64) -> bool {
    ((words.0 ^ own) | (words.1 ^ other)) & ROW == 0
}

/// Return the bounds of an entry. The smallest and the largest byte stand for an unknown bound.
#[inline(always)]
fn unpack((first, second): (u64, u64)) -> Bounds {
    let (lower, upper) = ((first >> 56) as i8, (second >> 56) as i8);
    Bounds {
        lower: if lower == i8::MIN { i32::MIN } else { lower.into() },
        upper: if upper == i8::MAX { i32::MAX } else { upper.into() },
    }
}

#[inline(always)]
fn load(entry: &Entry) -> (u64, u64) {
    let second = entry[1].load(Ordering::Relaxed);
    (entry[0].load(Ordering::Relaxed) ^ second.wrapping_mul(SPREAD), second)
}

#[inline(always)]
fn save(entry: &Entry, own: u64, other: u64, bounds: Bounds) {
    // A bound that does not fit in a byte is weakened, or dropped.
    let lower = bounds.lower.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
    let upper = bounds.upper.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
    let (first, second) = (own | u64::from(lower as u8) << 56, other | u64::from(upper as u8) << 56);
    entry[0].store(first ^ second.wrapping_mul(SPREAD), Ordering::Relaxed);
    entry[1].store(second, Ordering::Relaxed);
}

/// A hash map for wide rows, which is slower. It is cleared when it is full.
pub(super) struct MapTable {
    entries: Mutex<HashMap<(WideRow, WideRow), Bounds>>,
    max_entries: usize,
}

impl SolverTable<WideRow> for MapTable {
    fn new(max_bytes: usize) -> io::Result<Self> {
        // A map can have up to twice the capacity that it needs.
        let max_entries = max_bytes / (2 * size_of::<(WideRow, WideRow, Bounds)>());
        Ok(MapTable { entries: Mutex::default(), max_entries: max_entries.max(1) })
    }

    fn probe(&self, own: WideRow, other: WideRow) -> Option<Bounds> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).get(&(own, other)).copied()
    }

    fn prefetch(&self, _own: WideRow, _other: WideRow) -> i32 {
        0
    }

    fn store(&self, own: WideRow, other: WideRow, found: Bounds) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= self.max_entries {
            entries.clear();
        }
        entries.entry((own, other)).and_modify(|known| *known = known.and(found)).or_insert(found);
    }

    fn should_grow(&self) -> bool {
        false
    }

    fn grow(&mut self) {}
}
