//! Random playouts.

use super::generator::MoveGenerator;
use super::position::Position;
use super::row::Row;
use crate::random::Random;
use crate::random_games::Playout;
use crate::work::Monitor;

/// The number of plies between two calls of the monitor.
const POLL_INTERVAL: u32 = 1000;

impl<R: Row> MoveGenerator<R> {
    /// Play random moves until the game is over or has `max_plies` plies; return None if the monitor cancelled
    /// the game.
    pub(super) fn playout(
        &self,
        start: &Position<R>,
        random: &mut Random,
        max_plies: u32,
        monitor: &dyn Monitor,
    ) -> Option<Playout> {
        let mut position = *start;
        for plies in 0..max_plies {
            if plies % POLL_INTERVAL == POLL_INTERVAL - 1 && !monitor.add(POLL_INTERVAL.into()) {
                return None;
            }
            let moves = self.legal_moves(&position);
            if moves.is_empty() {
                return Some(Playout { winner: self.leader(&position), plies });
            }
            self.play(&mut position, moves.nth(random.below(moves.len())));
        }
        let winner = self.ending(&position).and_then(|(winner, _)| winner);
        Some(Playout { winner, plies: max_plies })
    }
}
