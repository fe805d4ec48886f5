//! Random playouts.

use super::generator::MoveGenerator;
use super::position::Position;
use super::row::Row;
use crate::parallel::KeepGoing;
use crate::random::Random;
use crate::random_games::Playout;

/// The number of plies between two calls of `keep_going`.
const POLL_INTERVAL: u32 = 1000;

impl<R: Row> MoveGenerator<R> {
    /// Play random moves until the game is over or has `max_plies` plies; return None if `keep_going` returned false.
    pub(super) fn playout(
        &self,
        start: &Position<R>,
        random: &mut Random,
        max_plies: u32,
        keep_going: KeepGoing<'_>,
    ) -> Option<Playout> {
        let mut position = *start;
        for plies in 0..max_plies {
            if plies % POLL_INTERVAL == POLL_INTERVAL - 1 && !keep_going() {
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
