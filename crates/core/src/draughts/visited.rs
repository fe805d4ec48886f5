//! The states of a capture that were searched already.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::bitboard::Bitboard;
use crate::random::{SPREAD, scramble};

/// A point of a capture from which everything that follows is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchState<B> {
    /// The pieces captured so far.
    pub captured: B,
    /// The order in which kings were taken, where it matters.
    pub order: B,
    /// Where the piece is.
    pub at: u16,
    /// Whether it is a king now.
    pub is_king: bool,
    /// The last direction, where it forbids one.
    pub direction: u8,
    /// Whether this is a finished capture rather than a point to go on from.
    pub finished: bool,
}

/// A set of states. Nearly always it stays small, and then looking at all of them is quickest.
#[derive(Debug)]
pub struct VisitedStates<B> {
    few: Vec<SearchState<B>>,
    many: HashSet<SearchState<B>, BuildHasherDefault<StateHasher>>,
}

/// How many states are few.
const FEW: usize = 24;

impl<B> Default for VisitedStates<B> {
    fn default() -> Self {
        VisitedStates { few: Vec::new(), many: HashSet::default() }
    }
}

impl<B: Bitboard> VisitedStates<B> {
    /// Whether the state is in it.
    pub fn has(&self, state: &SearchState<B>) -> bool {
        if self.are_many() { self.many.contains(state) } else { self.few.contains(state) }
    }

    /// Puts a state in, and tells whether it is new.
    #[inline(always)]
    pub fn insert(&mut self, state: SearchState<B>) -> bool {
        if self.are_many() {
            return self.many.insert(state);
        }
        if self.few.contains(&state) {
            return false;
        }
        self.few.push(state);
        if self.few.len() > FEW {
            self.many.extend(self.few.drain(..));
        }
        true
    }

    /// Whether it has grown large.
    #[inline(always)]
    pub fn are_many(&self) -> bool {
        !self.many.is_empty()
    }

    /// Takes all states out.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.few.clear();
        if !self.many.is_empty() {
            self.many.clear();
        }
    }
}

impl<B: Bitboard> Hash for SearchState<B> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let [is_king, finished] = [self.is_king, self.finished].map(u64::from);
        hasher.write_u64(u64::from(self.at) << 16 | u64::from(self.direction) << 8 | is_king << 1 | finished);
        self.captured.words().chain(self.order.words()).for_each(|word| hasher.write_u64(word));
    }
}

/// A quick hasher for whole words.
#[derive(Default)]
pub struct StateHasher(u64);

impl Hasher for StateHasher {
    fn finish(&self) -> u64 {
        scramble(self.0)
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("states are hashed by the word");
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(SPREAD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_states_are_kept_apart() {
        let state =
            |at: u16| SearchState { captured: 7u64, order: 0, at, is_king: false, direction: 8, finished: false };
        let mut states = VisitedStates::default();
        for at in 0..100 {
            assert!(states.insert(state(at)));
            assert!(!states.insert(state(at)));
            assert!(!states.insert(state(at / 2)));
        }
        assert!(states.has(&state(99)) && !states.has(&state(100)));
        assert!(states.insert(SearchState { finished: true, ..state(3) }));
        states.clear();
        assert!(!states.has(&state(3)) && !states.has(&state(99)));
    }
}
