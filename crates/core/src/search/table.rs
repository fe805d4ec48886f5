//! What was found out about positions before, for all threads of a search.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::value::Value;

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

/// An entry in a word, and that word mixed with its key: halves that two threads wrote do not fit together.
struct Slot {
    lock: AtomicU64,
    word: AtomicU64,
}

const SLOTS: usize = 4;
const AGES: u8 = 32;
const SCORE_BITS: u32 = 24;

/// The table. Equal keys count as equal positions; a new search may use what an older one left.
pub struct Table {
    buckets: Vec<[Slot; SLOTS]>,
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
    /// An empty table of about so many bytes.
    pub fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<[Slot; SLOTS]>()).max(1);
        let slot = || Slot { lock: AtomicU64::new(0), word: AtomicU64::new(0) };
        Table { buckets: (0..buckets).map(|_| std::array::from_fn(|_| slot())).collect(), age: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flatten() {
            slot.lock.store(0, Relaxed);
            slot.word.store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
    }

    /// Makes what is stored older than what comes.
    pub(super) fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &[Slot; SLOTS] {
        &self.buckets[((u128::from(key) * self.buckets.len() as u128) >> 64) as usize]
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let word = slot.word.load(Relaxed);
            (slot.lock.load(Relaxed) ^ word == key && word != 0).then(|| Entry::unpack(word))
        })
    }

    /// Stores an entry in place of an older or shallower one.
    #[inline(always)]
    pub(super) fn put(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let mut worst = (u32::MAX, &self.bucket(key)[0]);
        for slot in self.bucket(key) {
            let word = slot.word.load(Relaxed);
            if slot.lock.load(Relaxed) ^ word == key && word != 0 {
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
        worst.1.word.store(word, Relaxed);
        worst.1.lock.store(key ^ word, Relaxed);
    }

    /// How full it is with what the present search has found, out of a thousand.
    pub fn fullness(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let looked_at = &self.buckets[..self.buckets.len().min(1000)];
        let is_used = |slot: &&Slot| {
            let word = slot.word.load(Relaxed);
            word != 0 && (word >> 51) as u8 & (AGES - 1) == age
        };
        let used = looked_at.iter().flatten().filter(is_used).count();
        (used * 1000 / (SLOTS * looked_at.len())) as u32
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
        let table = Table::new(64); // one bucket
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
        assert_eq!(table.fullness(), 0);
    }
}
