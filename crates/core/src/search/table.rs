//! What was found out about positions before, for all threads of a search.

use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::value::Value;
use crate::huge_pages::{CacheLine, CacheLines};

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is this or more.
    AtLeast,
    /// It is this or less.
    AtMost,
    /// It is this.
    Exact,
}

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Wins and losses counted from the position itself.
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// How deep it was searched.
    pub(super) depth: u8,
    /// The tag of the best move; 0 where none is known.
    pub(super) tag: u16,
}

/// An entry in a word, and before it that word mixed with its key: halves that two threads wrote do not fit together.
type Slot = [AtomicU64; 2];

const SLOTS: usize = 4;
const AGES: u8 = 32;
const SCORE_BITS: u32 = 24;

/// The table. Equal keys count as equal positions; a new search may use what an older one left.
pub struct Table {
    buckets: CacheLines,
    age: AtomicU8,
}

impl Entry {
    fn pack(self, age: u8) -> u64 {
        let score = (self.value.score as u32 & ((1 << SCORE_BITS) - 1)) as u64;
        score
            | u64::from(self.tag) << 24
            | u64::from(self.depth) << 40
            | (self.bound as u64 + 1) << 48
            | u64::from(self.value.proven) << 50
            | u64::from(age) << 51
    }

    fn unpack(word: u64) -> Self {
        // The score's sign comes back by moving it to the top and down again.
        let score = ((word as u32) << (32 - SCORE_BITS)) as i32 >> (32 - SCORE_BITS);
        Entry {
            value: Value { score, proven: word >> 50 & 1 == 1 },
            bound: match word >> 48 & 3 {
                1 => Bound::AtLeast,
                2 => Bound::AtMost,
                _ => Bound::Exact,
            },
            depth: (word >> 40) as u8,
            tag: (word >> 24) as u16,
        }
    }
}

impl Table {
    /// An empty table of about so many bytes, which are taken from the system as they are used.
    pub fn new(bytes: usize) -> io::Result<Self> {
        Ok(Table { buckets: CacheLines::new(bytes / size_of::<CacheLine>())?, age: AtomicU8::new(0) })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for half in self.buckets.as_slice().iter().flat_map(|line| line.0.iter().flatten()) {
            // Memory that was never used is not used now.
            if half.load(Relaxed) != 0 {
                half.store(0, Relaxed);
            }
        }
        self.age.store(0, Relaxed);
    }

    /// Makes what is stored older than what comes.
    pub(super) fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &[Slot; SLOTS] {
        let buckets = self.buckets.as_slice();
        &buckets[((u128::from(key) * buckets.len() as u128) >> 64) as usize].0
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[lock, word]| {
            let word = word.load(Relaxed);
            (lock.load(Relaxed) ^ word == key && word != 0).then(|| Entry::unpack(word))
        })
    }

    /// Stores an entry in place of an older or shallower one.
    #[inline(always)]
    pub(super) fn put(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let mut worst = (u32::MAX, &self.bucket(key)[0]);
        for slot in self.bucket(key) {
            let word = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ word == key && word != 0 {
                let before = Entry::unpack(word);
                // A proof is not given up for a guess that says less; a known move is better than none.
                if before.value.proven && !entry.value.proven && before.bound == Bound::Exact {
                    return;
                }
                if entry.tag == 0 {
                    entry.tag = before.tag;
                }
                worst = (0, slot);
                break;
            }
            let is_older = (word >> 51) as u8 & (AGES - 1) != age;
            let worth = if word == 0 { 0 } else { 1 + (word >> 40 & 0xff) as u32 + if is_older { 0 } else { 256 } };
            if worth < worst.0 {
                worst = (worth, slot);
            }
        }
        let word = entry.pack(age);
        let [lock, stored] = worst.1;
        stored.store(word, Relaxed);
        lock.store(key ^ word, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Entry, Table};
    use crate::random::scramble;
    use crate::search::value::{Value, WIN};

    #[test]
    fn an_entry_comes_back_as_it_was() {
        for score in [0, 1, -1, 1234, -6_553_500, WIN, -WIN] {
            for bound in [Bound::AtLeast, Bound::AtMost, Bound::Exact] {
                for (depth, tag, proven) in [(0, 0, true), (255, 65535, false), (7, 300, true)] {
                    let entry = Entry { value: Value { score, proven }, bound, depth, tag };
                    assert_eq!(Entry::unpack(entry.pack(31)), entry);
                }
            }
        }
    }

    #[test]
    fn deep_entries_of_this_search_stay_longest() {
        let table = Table::new(64).unwrap(); // one bucket
        let entry = |depth: u8| Entry { value: Value::guess(depth.into()), bound: Bound::Exact, depth, tag: 1 };
        for depth in 1..=20u8 {
            table.put(scramble(depth.into()), entry(depth));
        }
        for other in 21..=60 {
            table.put(scramble(other), entry(1));
        }
        let deep = (1..=20u8).filter(|depth| table.get(scramble((*depth).into())).is_some());
        assert!(deep.count() >= 3);
        table.grow_older();
        for other in 101..=104 {
            table.put(scramble(other), entry(1));
        }
        assert!((101..=104).all(|other| table.get(scramble(other)).is_some()));
        table.clear();
        assert_eq!(table.get(scramble(101)), None);
    }
}
