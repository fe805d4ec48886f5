//! The visited states of a capture search.

use std::collections::{HashSet, TryReserveError};
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::bitboard::Bitboard;
use crate::random::{SPREAD, scramble};

/// A state of a capture search: paths that reach the same state have the same continuations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchState<B> {
    /// The pieces captured so far.
    pub captured: B,
    /// The order of the captured kings if the precedence rank depends on it, otherwise empty.
    pub order: B,
    /// The square of the capturing piece.
    pub at: u16,
    /// Whether the capturing piece is a king at this point.
    pub is_king: bool,
    /// The direction of the last jump if it restricts the next one, otherwise `DIRECTIONS`.
    pub direction: u8,
    /// Whether the capture is finished; such a state has no continuations.
    pub finished: bool,
}

/// A set of states: a list with linear search while it is small, which is the common case, and then a hash set.
#[derive(Debug)]
pub struct VisitedStates<B> {
    list: Vec<SearchState<B>>,
    set: HashSet<SearchState<B>, BuildHasherDefault<StateHasher>>,
}

/// The maximum number of states in the list.
const MAX_LISTED: usize = 24;

impl<B> Default for VisitedStates<B> {
    fn default() -> Self {
        VisitedStates { list: Vec::new(), set: HashSet::default() }
    }
}

impl<B: Bitboard> VisitedStates<B> {
    /// Return whether a state is in the set.
    pub fn has(&self, state: &SearchState<B>) -> bool {
        if self.is_hashed() { self.set.contains(state) } else { self.list.contains(state) }
    }

    /// Insert a state, and return whether it is new. The error means that an allocation has failed.
    #[inline(always)]
    pub fn insert(&mut self, state: SearchState<B>) -> Result<bool, TryReserveError> {
        if self.is_hashed() {
            self.set.try_reserve(1)?;
            return Ok(self.set.insert(state));
        }
        if self.list.contains(&state) {
            return Ok(false);
        }
        self.list.push(state);
        if self.list.len() > MAX_LISTED {
            self.set.extend(self.list.drain(..));
        }
        Ok(true)
    }

    #[inline(always)]
    fn is_hashed(&self) -> bool {
        !self.set.is_empty()
    }

    /// Remove all states.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.list.clear();
        if !self.set.is_empty() {
            self.set.clear();
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

/// A fast hasher for whole words.
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
    fn states_are_distinct_in_the_list_and_in_the_hash_set() {
        let state =
            |at: u16| SearchState { captured: 7u64, order: 0, at, is_king: false, direction: 8, finished: false };
        let mut states = VisitedStates::default();
        for at in 0..100 {
            assert_eq!(states.insert(state(at)), Ok(true));
            assert_eq!(states.insert(state(at)), Ok(false));
            assert_eq!(states.insert(state(at / 2)), Ok(false));
        }
        assert!(states.has(&state(99)) && !states.has(&state(100)));
        assert_eq!(states.insert(SearchState { finished: true, ..state(3) }), Ok(true));
        states.clear();
        assert!(!states.has(&state(3)) && !states.has(&state(99)));
    }
}
