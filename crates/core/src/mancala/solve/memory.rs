//! What a search has found out about positions, for when it meets them again.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::huge_pages::{CacheLine, CacheLines};
use crate::mancala::row::{EVERY_BYTE, Wide};
use crate::random::SPREAD;

/// What is known of a position's worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) least: i32,
    pub(super) most: i32,
}

impl Bounds {
    /// What is known of a position with so many seeds in the houses before it is looked at: nobody gets more than all.
    #[inline(always)]
    pub(super) fn of_seeds(seeds: i32) -> Self {
        Bounds { least: -seeds, most: seeds }
    }

    /// What both say.
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Bounds { least: self.least.max(other.least), most: self.most.min(other.most) }
    }
}

/// Keeps what was found out. Positions are given by their rows, the other side's without its store.
pub(super) trait Memory<R>: Sync {
    /// A memory that is small at first and never takes more than so many bytes.
    fn new(most_bytes: usize) -> io::Result<Self>
    where
        Self: Sized;
    /// What is known of a position; None where nothing is.
    fn get(&self, own: R, other: R) -> Option<Bounds>;
    /// Makes ready to get what is known of a position; the number means nothing.
    fn touch(&self, own: R, other: R) -> i32;
    /// Keeps what was found out of a position, with what was known before.
    fn put(&self, own: R, other: R, found: Bounds);
    /// Whether things get lost that a larger memory would keep.
    fn is_crowded(&self) -> bool;
    /// Takes more room.
    fn grow(&mut self);
}

/// A memory for packed rows: both rows whole and both bounds in two machine words.
///
/// Threads share it without locks. A word is kept scrambled with the other, so that two halves of different origin do
/// not pass for a position.
pub(super) struct Packed {
    lines: CacheLines,
    most_lines: usize,
    /// How much was lost since it last grew.
    lost: AtomicUsize,
}

const LEAST_LINES: usize = 1 << 10;
const GROWTH: usize = 4;
const MIX: u64 = 0xbf58_476d_1ce4_e5b9;
/// The bytes of a word that a row fills; the byte above them holds a bound.
const ROW: u64 = u64::MAX >> 8;

/// A position and its bounds, in two words.
type Slot = [AtomicU64; 2];

impl Packed {
    fn with_lines(lines: usize, most_lines: usize) -> io::Result<Self> {
        Ok(Packed { lines: CacheLines::new(lines.min(most_lines))?, most_lines, lost: AtomicUsize::new(0) })
    }

    #[inline(always)]
    fn line(&self, own: u64, other: u64) -> &[Slot; 4] {
        let hash = (own.wrapping_mul(SPREAD) ^ other).wrapping_mul(MIX);
        let hash = (hash ^ hash >> 32).wrapping_mul(SPREAD) >> 32;
        let lines = self.lines.as_slice();
        &lines[((hash * lines.len() as u64) >> 32) as usize].0
    }
}

impl Memory<u64> for Packed {
    fn new(most_bytes: usize) -> io::Result<Self> {
        // No more than a hash of 32 bits tells apart.
        Self::with_lines(LEAST_LINES, (most_bytes / size_of::<CacheLine>()).clamp(1, 1 << 32))
    }

    #[inline(always)]
    fn get(&self, own: u64, other: u64) -> Option<Bounds> {
        self.line(own, other).iter().find_map(|slot| {
            let words = read(slot);
            is_of(words, own, other).then(|| unpack(words))
        })
    }

    #[inline(always)]
    fn touch(&self, own: u64, other: u64) -> i32 {
        self.line(own, other)[0][1].load(Ordering::Relaxed) as i32
    }

    #[inline(always)]
    fn put(&self, own: u64, other: u64, found: Bounds) {
        let line = self.line(own, other);
        let (mut place, mut fewest) = (&line[0], u64::MAX);
        for slot in line {
            let words = read(slot);
            if is_of(words, own, other) {
                return write(slot, own, other, found.and(unpack(words)));
            }
            // The fewer seeds, the less work is lost; an empty slot has none.
            let seeds = ((words.0 & ROW) + (words.1 & ROW)).wrapping_mul(EVERY_BYTE) >> 56;
            if seeds < fewest {
                (place, fewest) = (slot, seeds);
            }
        }
        if fewest > 0 {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        write(place, own, other, found);
    }

    fn is_crowded(&self) -> bool {
        let lines = self.lines.as_slice().len();
        lines < self.most_lines && self.lost.load(Ordering::Relaxed) > lines
    }

    fn grow(&mut self) {
        let lines = self.lines.as_slice();
        let Ok(grown) = Self::with_lines(lines.len() * GROWTH, self.most_lines) else {
            // The system has no more to give.
            self.most_lines = lines.len();
            return;
        };
        for words in lines.iter().flat_map(|line| &line.0).map(read).filter(|words| *words != (0, 0)) {
            grown.put(words.0 & ROW, words.1 & ROW, unpack(words));
        }
        *self = grown;
    }
}

#[inline(always)]
fn is_of(words: (u64, u64), own: u64, other: u64) -> bool {
    ((words.0 ^ own) | (words.1 ^ other)) & ROW == 0
}

/// The bounds of two words; those at the end of what a byte holds say nothing.
#[inline(always)]
fn unpack((first, second): (u64, u64)) -> Bounds {
    let (least, most) = ((first >> 56) as i8, (second >> 56) as i8);
    Bounds {
        least: if least == i8::MIN { i32::MIN } else { least.into() },
        most: if most == i8::MAX { i32::MAX } else { most.into() },
    }
}

#[inline(always)]
fn read(slot: &Slot) -> (u64, u64) {
    let second = slot[1].load(Ordering::Relaxed);
    (slot[0].load(Ordering::Relaxed) ^ second.wrapping_mul(SPREAD), second)
}

#[inline(always)]
fn write(slot: &Slot, own: u64, other: u64, bounds: Bounds) {
    // A bound beyond a byte is weakened until it fits, or dropped.
    let least = bounds.least.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
    let most = bounds.most.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
    let (first, second) = (own | u64::from(least as u8) << 56, other | u64::from(most as u8) << 56);
    slot[0].store(first ^ second.wrapping_mul(SPREAD), Ordering::Relaxed);
    slot[1].store(second, Ordering::Relaxed);
}

/// A memory for wide rows: slower, and as exact.
pub(super) struct Spacious {
    known: Mutex<HashMap<(Wide, Wide), Bounds>>,
    most: usize,
}

impl Memory<Wide> for Spacious {
    fn new(most_bytes: usize) -> io::Result<Self> {
        // A map has up to twice the room that it needs.
        let most = most_bytes / (2 * size_of::<(Wide, Wide, Bounds)>());
        Ok(Spacious { known: Mutex::default(), most: most.max(1) })
    }

    fn get(&self, own: Wide, other: Wide) -> Option<Bounds> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&(own, other)).copied()
    }

    fn touch(&self, _own: Wide, _other: Wide) -> i32 {
        0
    }

    fn put(&self, own: Wide, other: Wide, found: Bounds) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= self.most {
            known.clear();
        }
        known.entry((own, other)).and_modify(|known| *known = known.and(found)).or_insert(found);
    }

    fn is_crowded(&self) -> bool {
        false
    }

    fn grow(&mut self) {}
}
