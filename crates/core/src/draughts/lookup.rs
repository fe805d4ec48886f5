//! Lookup of legal moves by squares: the first square, the last square and any number of squares between them.

use super::bitboard::Bitboard;
use super::board::SquareMove;
use super::directions::back;
use super::generator::MoveGenerator;
use super::position::Position;
use super::specialisation::RuleSource;

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Return the indices of the moves in `legal` that start on the first square, end on the last and match those
    /// between.
    ///
    /// A capture matches if the lines between the squares cross exactly the pieces that it captures. If none does,
    /// squares can be omitted: a capture then matches if the squares are landing squares of its listed path, in order.
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
            let is_complete = found.iter().any(crosses);
            found.retain(|index| if is_complete { crosses(index) } else { lands_on(&legal[*index], between) });
        }
        found
    }

    fn captured(&self, played: &SquareMove) -> B {
        played.jumps.iter().fold(B::EMPTY, |set, jump| set | B::bit(self.bit(jump.captured)))
    }

    /// Return the opponent's pieces on the lines from square to square, or None if two squares are not on a line.
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

/// Return whether the squares are landing squares of the move, in order.
fn lands_on(played: &SquareMove, squares: &[u16]) -> bool {
    let mut landings = played.jumps.iter().map(|jump| jump.landing);
    squares.iter().all(|square| landings.any(|landing| landing == *square))
}
