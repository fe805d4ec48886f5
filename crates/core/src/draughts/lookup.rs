//! The legal moves that a few squares name: where a move begins and ends, and perhaps squares on its way.

use super::bitboard::Bitboard;
use super::board::SquareMove;
use super::directions::back;
use super::generator::MoveGenerator;
use super::position::Position;
use super::specialisation::RuleSource;

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Return the indices of the moves in `legal` that begin on the first square, end on the last, and go over those
    /// between.
    ///
    /// A capture goes over squares when the lines between them cross just what it captures. If none does, squares may
    /// be left out: they have to be landings of its listed way, in order.
    pub(super) fn matching(&self, position: &Position<B>, legal: &[SquareMove], squares: &[u16]) -> Vec<usize> {
        let [from, between @ .., to] = squares else { return Vec::new() };
        let has_ends = |index: &usize| legal[*index].from == *from && legal[*index].to == *to;
        let mut found: Vec<usize> = (0..legal.len()).filter(has_ends).collect();
        if !between.is_empty() && !found.is_empty() {
            let crossed = self.crossed(position, squares);
            let crosses = |index: &usize| {
                let played = &legal[*index];
                !played.jumps.is_empty() && crossed == Some(self.captured(played))
            };
            let whole = found.iter().any(crosses);
            found.retain(|index| if whole { crosses(index) } else { lands_on(&legal[*index], between) });
        }
        found
    }

    fn captured(&self, played: &SquareMove) -> B {
        played.jumps.iter().fold(B::EMPTY, |set, jump| set | B::bit(self.bit(jump.captured)))
    }

    /// The opponent's pieces on the lines from square to square; None where two squares lie on no line.
    fn crossed(&self, position: &Position<B>, squares: &[u16]) -> Option<B> {
        let rays = &self.geometry.rays;
        squares.windows(2).try_fold(B::EMPTY, |set, pair| {
            let (near, far) = (self.bit(pair[0]), self.bit(pair[1]));
            let direction = rays[near].iter().position(|ray| ray.has(far))?;
            let between = rays[near][direction] & rays[far][back(direction)];
            Some(set | between & position.of(position.turn.opponent()))
        })
    }

    fn bit(&self, square: u16) -> usize {
        self.geometry.bits[usize::from(square)]
    }
}

/// Whether the squares are landings of the move, in order.
fn lands_on(played: &SquareMove, squares: &[u16]) -> bool {
    let mut landings = played.jumps.iter().map(|jump| jump.landing);
    squares.iter().all(|square| landings.any(|landing| landing == *square))
}
