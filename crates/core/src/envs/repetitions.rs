//! The positions of a game that can occur again: those since the last irreversible move.

use std::collections::HashMap;

/// The number of positions up to which they are compared one by one.
const MAX_COMPARED: usize = 64;

/// The hash keys of the positions since the last irreversible move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repetitions {
    keys: Vec<u64>,
    /// By key: the number of its occurrences, if there are more than `MAX_COMPARED` positions.
    counts: Option<HashMap<u64, u32>>,
}

impl Repetitions {
    /// Forget all positions: the last move cannot be undone.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.counts = None;
    }

    /// Copy those of another game.
    #[inline(always)]
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.keys.clear();
        self.keys.extend_from_slice(&other.keys);
        self.counts.clone_from(&other.counts);
    }

    /// Add the position after a reversible move, and return the number of its occurrences. `before` is the position
    /// before the move, which is added if it is the first.
    #[inline(always)]
    pub(crate) fn push(&mut self, before: impl FnOnce() -> u64, after: u64) -> u32 {
        if self.keys.is_empty() {
            self.keys.push(before());
        }
        self.keys.push(after);
        if self.keys.len() <= MAX_COMPARED {
            self.keys.iter().map(|key| u32::from(*key == after)).sum()
        } else {
            self.count_many(after)
        }
    }

    #[cold]
    fn count_many(&mut self, after: u64) -> u32 {
        let counts = match &mut self.counts {
            Some(counts) => counts,
            None => {
                let counts = self.counts.insert(HashMap::new());
                for key in &self.keys[..self.keys.len() - 1] {
                    *counts.entry(*key).or_insert(0) += 1;
                }
                counts
            }
        };
        let count = counts.entry(after).or_insert(0);
        *count += 1;
        *count
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_COMPARED, Repetitions};
    use crate::random::Random;

    #[test]
    fn counts_occurrences_since_the_last_irreversible_move() {
        let mut random = Random::new(3, 1);
        for moves in [1, MAX_COMPARED - 1, MAX_COMPARED, 5 * MAX_COMPARED] {
            let (mut repetitions, mut played) = (Repetitions::default(), vec![7]);
            for _ in 0..moves {
                let (before, after) = (played[played.len() - 1], random.below(20) as u64);
                played.push(after);
                let expected = played.iter().filter(|key| **key == after).count();
                assert_eq!(repetitions.push(|| before, after) as usize, expected);
                let mut copy = Repetitions::default();
                copy.copy_from(&repetitions);
                assert_eq!(copy.push(|| 0, after) as usize, expected + 1);
            }
            repetitions.clear();
            assert_eq!(repetitions.push(|| 1, 2), 1);
            assert_eq!(repetitions.push(|| 2, 1), 2);
        }
    }
}
