//! What a search has found out about positions, for when it meets them again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::mancala::row::{Row, Wide};

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
    fn new(most_bytes: usize) -> Self;
    /// What is known of a position; None where nothing is.
    fn get(&self, own: R, other: R) -> Option<Bounds>;
    /// Keeps what was found out of a position with so many seeds in the houses, with what was known before.
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
    buckets: Vec<Bucket>,
    most_buckets: usize,
    /// How much was lost since it last grew.
    lost: AtomicUsize,
}

/// As long as a line of the processor's cache, so that a question costs one look at the memory.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([Slot; 4]);

#[derive(Default)]
struct Slot {
    scrambled: AtomicU64,
    second: AtomicU64,
}

const LEAST_BUCKETS: usize = 1 << 10;
const GROWTH: usize = 4;
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
const MIX: u64 = 0xbf58_476d_1ce4_e5b9;
/// The bytes of a word that a row fills; the byte above them holds a bound.
const ROW: u64 = u64::MAX >> 8;

impl Packed {
    fn with_buckets(buckets: usize, most_buckets: usize) -> Self {
        let buckets = std::iter::repeat_with(Bucket::default).take(buckets.min(most_buckets)).collect();
        Packed { buckets, most_buckets, lost: AtomicUsize::new(0) }
    }

    #[inline(always)]
    fn bucket(&self, own: u64, other: u64) -> &Bucket {
        let hash = (own.wrapping_mul(SPREAD) ^ other).wrapping_mul(MIX);
        let hash = (hash ^ hash >> 32).wrapping_mul(SPREAD) >> 32;
        &self.buckets[(hash * self.buckets.len() as u64 >> 32) as usize]
    }
}

impl Memory<u64> for Packed {
    fn new(most_bytes: usize) -> Self {
        // No more than a hash of 32 bits tells apart.
        let most = (most_bytes / size_of::<Bucket>()).clamp(1, 1 << 32);
        Self::with_buckets(LEAST_BUCKETS, most)
    }

    #[inline(always)]
    fn get(&self, own: u64, other: u64) -> Option<Bounds> {
        self.bucket(own, other).0.iter().find_map(|slot| {
            let words = slot.read();
            is_of(words, own, other).then(|| unpack(words))
        })
    }

    #[inline(always)]
    fn put(&self, own: u64, other: u64, found: Bounds) {
        let bucket = self.bucket(own, other);
        let (mut place, mut fewest) = (&bucket.0[0], u64::MAX);
        for slot in &bucket.0 {
            let words = slot.read();
            if is_of(words, own, other) {
                return slot.write(own, other, found.and(unpack(words)));
            }
            // The fewer seeds, the less work is lost; an empty slot has none.
            let seeds = ((words.0 & ROW) + (words.1 & ROW)).wrapping_mul(SUM) >> 56;
            if seeds < fewest {
                (place, fewest) = (slot, seeds);
            }
        }
        if fewest > 0 {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        place.write(own, other, found);
    }

    fn is_crowded(&self) -> bool {
        self.buckets.len() < self.most_buckets && self.lost.load(Ordering::Relaxed) > self.buckets.len()
    }

    fn grow(&mut self) {
        let grown = Self::with_buckets(self.buckets.len() * GROWTH, self.most_buckets);
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            let words = slot.read();
            if words != (0, 0) {
                grown.put(words.0 & ROW, words.1 & ROW, unpack(words));
            }
        }
        *self = grown;
    }
}

/// Adds up the bytes of a word, into its highest one.
const SUM: u64 = 0x0101_0101_0101_0101;

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

impl Slot {
    #[inline(always)]
    fn read(&self) -> (u64, u64) {
        let second = self.second.load(Ordering::Relaxed);
        (self.scrambled.load(Ordering::Relaxed) ^ second.wrapping_mul(SPREAD), second)
    }

    #[inline(always)]
    fn write(&self, own: u64, other: u64, bounds: Bounds) {
        // A bound beyond a byte is weakened until it fits, or dropped.
        let least = bounds.least.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
        let most = bounds.most.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
        let (first, second) = (own | u64::from(least as u8) << 56, other | u64::from(most as u8) << 56);
        self.scrambled.store(first ^ second.wrapping_mul(SPREAD), Ordering::Relaxed);
        self.second.store(second, Ordering::Relaxed);
    }
}

/// A memory for wide rows: slower, and as exact.
pub(super) struct Spacious {
    known: Mutex<HashMap<(Wide, Wide), Bounds>>,
    most: usize,
}

impl Memory<Wide> for Spacious {
    fn new(most_bytes: usize) -> Self {
        // A map has up to twice the room that it needs.
        let most = most_bytes / (2 * size_of::<(Wide, Wide, Bounds)>());
        Spacious { known: Mutex::default(), most: most.max(1) }
    }

    fn get(&self, own: Wide, other: Wide) -> Option<Bounds> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&(own, other)).copied()
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
