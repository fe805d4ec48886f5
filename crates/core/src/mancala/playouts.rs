//! Random playouts.

use super::mover::Mover;
use super::position::Position;
use super::row::Row;
use crate::parallel::GoOn;
use crate::random::Random;
use crate::series::Playout;

/// The number of plies between two calls of `go_on`.
const POLL_INTERVAL: u32 = 1000;

impl<R: Row> Mover<R> {
    /// Play random moves until the game is over or has `longest` plies; return None if `go_on` returned false.
    pub(super) fn playout(
        &self,
        start: &Position<R>,
        random: &mut Random,
        longest: u32,
        go_on: GoOn<'_>,
    ) -> Option<Playout> {
        let mut position = *start;
        for plies in 0..longest {
            if plies % POLL_INTERVAL == POLL_INTERVAL - 1 && !go_on() {
                return None;
            }
            let moves = self.legal_moves(&position);
            if moves.is_empty() {
                return Some(Playout { winner: self.leader(&position), plies });
            }
            self.play(&mut position, moves.nth(random.below(moves.len())));
        }
        let winner = self.ending(&position).and_then(|(winner, _)| winner);
        Some(Playout { winner, plies: longest })
    }
}
