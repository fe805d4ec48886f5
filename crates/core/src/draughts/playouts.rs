//! Random playouts.

use super::bitboard::Bitboard;
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::generator::MoveGenerator;
use super::position::Position;
use super::specialisation::RuleSource;
use crate::random::Random;
use crate::random_games::Playout;
use crate::work::SharedMonitor;

/// The initial capacity of the list of moves, enough for nearly every position.
const INITIAL_CAPACITY: usize = 32;

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Play random moves until the game is over or has `max_plies` plies; return None if the monitor cancelled
    /// the game.
    pub(super) fn playout(
        &self,
        start: &Position<B>,
        random: &mut Random,
        max_plies: u32,
        monitor: &SharedMonitor,
    ) -> Option<Playout> {
        let (mut position, mut scratch) = (*start, Scratch::new(Some(monitor)));
        let mut moves = Vec::with_capacity(INITIAL_CAPACITY);
        for plies in 0..max_plies {
            moves.clear();
            self.generate(&position, CapturePaths::Distinct, &mut scratch, &mut moves);
            if !scratch.work.add(1) {
                return None;
            }
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
