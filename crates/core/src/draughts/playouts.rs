//! Random playouts.

use super::bitboard::Bitboard;
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::generator::MoveGenerator;
use super::position::Position;
use super::specialisation::RuleSource;
use crate::parallel::KeepGoing;
use crate::random::Random;
use crate::random_games::Playout;

/// The number of plies between two calls of `keep_going`.
const POLL_INTERVAL: u32 = 1024;

/// The initial capacity of the list of moves, enough for nearly every position.
const INITIAL_CAPACITY: usize = 32;

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Play random moves until the game is over or has `max_plies` plies; return None if `keep_going` returned false.
    pub(super) fn playout(
        &self,
        start: &Position<B>,
        random: &mut Random,
        max_plies: u32,
        keep_going: KeepGoing<'_>,
    ) -> Option<Playout> {
        let (mut position, mut scratch) = (*start, Scratch::default());
        let mut moves = Vec::with_capacity(INITIAL_CAPACITY);
        for plies in 0..max_plies {
            if plies % POLL_INTERVAL == POLL_INTERVAL - 1 && !keep_going() {
                return None;
            }
            moves.clear();
            self.generate(&position, CapturePaths::Distinct, &mut scratch, &mut moves);
            if moves.is_empty() {
                let winner = self.ending(&position, &mut scratch).map(|(winner, _)| winner);
                return Some(Playout { winner, plies });
            }
            position = self.after(&position, &moves[random.below(moves.len())]);
        }
        let winner = self.ending(&position, &mut scratch).map(|(winner, _)| winner);
        Some(Playout { winner, plies: max_plies })
    }
}
