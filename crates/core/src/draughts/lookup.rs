//! The legal moves that a few squares name: where a move begins and ends, and perhaps squares on its way.

use super::board::SquareMove;
use super::directions::back;
use super::features::Features;
use super::mover::Mover;
use super::position::Position;
use super::squares::SquareSet;

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// Those of `legal` that begin on the first square, end on the last, and go over those between.
    ///
    /// A capture goes over squares when the lines between them cross just what it captures. Where none does, squares
    /// may be left out: they have to be landings of its listed way, in order.
    pub(super) fn named(&self, position: &Position<S>, mut legal: Vec<SquareMove>, squares: &[u16]) -> Vec<SquareMove> {
        let [from, between @ .., to] = squares else { return Vec::new() };
        legal.retain(|played| played.from == *from && played.to == *to);
        if !between.is_empty() && !legal.is_empty() {
            let crossed = self.crossed(position, squares);
            let crosses = |played: &SquareMove| !played.jumps.is_empty() && crossed == Some(self.captured(played));
            let whole = legal.iter().any(crosses);
            legal.retain(|played| if whole { crosses(played) } else { lands_on(played, between) });
        }
        legal
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
