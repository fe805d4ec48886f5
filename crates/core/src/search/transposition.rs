//! The transposition table: search results by hash key, shared by all threads of a search without locks.
//!
//! Replacement scheme: a key belongs to a bucket of four entries, one cache line. A new entry replaces the one with the
//! same key, otherwise an empty one, otherwise the one with the lowest depth, preferring entries of earlier searches. A
//! proven exact value is not replaced by an unproven value of the same key.

use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::value::Value;
use crate::memory::{CacheLine, CacheLines};

/// The kind of a stored score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true score is at least this (the search failed high).
    Lower,
    /// The true score is at most this (the search failed low).
    Upper,
    /// The score is exact.
    Exact,
}

/// The search result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The value; win distances count from the position itself.
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// The depth of the search.
    pub(super) depth: u8,
    /// The key of the best move, or 0 if there is none.
    pub(super) move_key: u16,
}

/// An entry packed into the second word; the first is the hash key XOR the second (Hyatt's lockless hashing).
///
/// If two threads write the same slot at the same time, the words do not match and the slot counts as empty.
type Slot = [AtomicU64; 2];

const BUCKET_SIZE: usize = 4;
const GENERATIONS: u8 = 32;
const SCORE_BITS: u32 = 24;

/// The transposition table. Different positions with the same 64-bit key are not distinguished.
pub struct TranspositionTable {
    buckets: CacheLines,
    /// The number of the current search, modulo `GENERATIONS`.
    generation: AtomicU8,
}

impl Entry {
    fn pack(self, generation: u8) -> u64 {
        let score = (self.value.score as u32 & ((1 << SCORE_BITS) - 1)) as u64;
        score
            | u64::from(self.move_key) << 24
            | u64::from(self.depth) << 40
            | (self.bound as u64 + 1) << 48
            | u64::from(self.value.proven) << 50
            | u64::from(generation) << 51
    }

    fn unpack(word: u64) -> Self {
        // Extend the sign of the score.
        let score = ((word as u32) << (32 - SCORE_BITS)) as i32 >> (32 - SCORE_BITS);
        Entry {
            value: Value { score, proven: word >> 50 & 1 == 1 },
            bound: match word >> 48 & 3 {
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Exact,
            },
            depth: (word >> 40) as u8,
            move_key: (word >> 24) as u16,
        }
    }
}

impl TranspositionTable {
    /// Create an empty table of about `bytes` bytes. Pages occupy memory only after they are first written.
    pub fn new(bytes: usize) -> io::Result<Self> {
        let buckets = CacheLines::new(bytes / size_of::<CacheLine>())?;
        Ok(TranspositionTable { buckets, generation: AtomicU8::new(0) })
    }

    /// Remove all entries.
    pub fn clear(&self) {
        for word in self.buckets.as_slice().iter().flat_map(|line| line.0.iter().flatten()) {
            // Do not write to pages that have never been written.
            if word.load(Relaxed) != 0 {
                word.store(0, Relaxed);
            }
        }
        self.generation.store(0, Relaxed);
    }

    /// Start a new generation: entries of earlier searches are replaced first.
    pub(super) fn new_search(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &[Slot; BUCKET_SIZE] {
        let buckets = self.buckets.as_slice();
        &buckets[((u128::from(key) * buckets.len() as u128) >> 64) as usize].0
    }

    /// Return the entry of a key.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, word]| {
            let word = word.load(Relaxed);
            (check.load(Relaxed) ^ word == key && word != 0).then(|| Entry::unpack(word))
        })
    }

    /// Store an entry, following the replacement scheme.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let mut victim = (u32::MAX, &self.bucket(key)[0]);
        for slot in self.bucket(key) {
            let word = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ word == key && word != 0 {
                let before = Entry::unpack(word);
                if before.value.proven && !entry.value.proven && before.bound == Bound::Exact {
                    return;
                }
                // Keep the old best move for move ordering.
                if entry.move_key == 0 {
                    entry.move_key = before.move_key;
                }
                victim = (0, slot);
                break;
            }
            let is_older = (word >> 51) as u8 & (GENERATIONS - 1) != generation;
            let worth = if word == 0 { 0 } else { 1 + (word >> 40 & 0xff) as u32 + if is_older { 0 } else { 256 } };
            if worth < victim.0 {
                victim = (worth, slot);
            }
        }
        let word = entry.pack(generation);
        let [check, stored] = victim.1;
        stored.store(word, Relaxed);
        check.store(key ^ word, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Entry, TranspositionTable};
    use crate::random::scramble;
    use crate::search::value::{Value, WIN};

    #[test]
    fn packing_keeps_every_field() {
        for score in [0, 1, -1, 1234, -6_553_500, WIN, -WIN] {
            for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                for (depth, move_key, proven) in [(0, 0, true), (255, 65535, false), (7, 300, true)] {
                    let entry = Entry { value: Value { score, proven }, bound, depth, move_key };
                    assert_eq!(Entry::unpack(entry.pack(31)), entry);
                }
            }
        }
    }

    #[test]
    fn deep_entries_of_the_current_search_are_replaced_last() {
        let table = TranspositionTable::new(64).unwrap(); // one bucket
        let entry =
            |depth: u8| Entry { value: Value::heuristic(depth.into()), bound: Bound::Exact, depth, move_key: 1 };
        for depth in 1..=20u8 {
            table.store(scramble(depth.into()), entry(depth));
        }
        for other in 21..=60 {
            table.store(scramble(other), entry(1));
        }
        let deep = (1..=20u8).filter(|depth| table.probe(scramble((*depth).into())).is_some());
        assert!(deep.count() >= 3);
        table.new_search();
        for other in 101..=104 {
            table.store(scramble(other), entry(1));
        }
        assert!((101..=104).all(|other| table.probe(scramble(other)).is_some()));
        table.clear();
        assert_eq!(table.probe(scramble(101)), None);
    }
}
