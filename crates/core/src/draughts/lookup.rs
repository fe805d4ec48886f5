//! The legal moves that a few squares name: where a move begins and ends, and perhaps squares on its way.

use super::board::SquareMove;
use super::directions::back;
use super::features::Features;
use super::mover::Mover;
use super::position::Position;
use super::squares::SquareSet;

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// Return the indices of the moves in `legal` that begin on the first square, end on the last, and go over those
    /// between.
    ///
    /// A capture goes over squares when the lines between them cross just what it captures. If none does, squares may
    /// be left out: they have to be landings of its listed way, in order.
    pub(super) fn matching(&self, position: &Position<S>, legal: &[SquareMove], squares: &[u16]) -> Vec<usize> {
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

    fn captured(&self, played: &SquareMove) -> S {
        played.jumps.iter().fold(S::EMPTY, |set, jump| set | S::bit(self.bit(jump.captured)))
    }

    /// The opponent's pieces on the lines from square to square; None where two squares lie on no line.
    fn crossed(&self, position: &Position<S>, squares: &[u16]) -> Option<S> {
        let rays = &self.geometry.rays;
        squares.windows(2).try_fold(S::EMPTY, |set, pair| {
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
