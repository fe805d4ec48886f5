//! The history heuristic: how often each move has caused a beta cutoff, in any position.

use crate::side::Side;

/// The number of entries for each side; move keys are reduced modulo this.
const ENTRIES: usize = 4096;
/// The weight of a new observation in the moving average is `1 / 2^DECAY_SHIFT`.
const DECAY_SHIFT: u32 = 5;
/// The score of a move without observations.
const INITIAL: u16 = 1 << 15;
/// The score of a move that always causes a cutoff.
const MAX: u16 = u16::MAX;

/// The history table: for each side and move key, a moving average of how often the move caused a cutoff.
pub(super) struct History(Box<[[u16; ENTRIES]; 2]>);

impl History {
    pub(super) fn new() -> Self {
        History(Box::new([[INITIAL; ENTRIES]; 2]))
    }

    /// Return the history score of a move, below 65,536.
    #[inline(always)]
    pub(super) fn score(&self, side: Side, move_key: u16) -> i32 {
        self.0[side.index()][usize::from(move_key) % ENTRIES].into()
    }

    /// Raise the score of a move that caused a cutoff.
    #[inline(always)]
    pub(super) fn reward(&mut self, side: Side, move_key: u16) {
        let score = &mut self.0[side.index()][usize::from(move_key) % ENTRIES];
        *score += (MAX - *score) >> DECAY_SHIFT;
    }

    /// Lower the score of a move that was searched before the one that caused the cutoff.
    #[inline(always)]
    pub(super) fn penalise(&mut self, side: Side, move_key: u16) {
        let score = &mut self.0[side.index()][usize::from(move_key) % ENTRIES];
        *score -= *score >> DECAY_SHIFT;
    }
}
