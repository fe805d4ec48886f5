//! Positions in the representation of the move generator.

use super::row::Row;
use super::setup::Setup;
use crate::random::scramble;
use crate::side::Side;

/// A position, relative to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position<R> {
    /// The row of the side to move.
    pub(super) own: R,
    /// The row of the opponent.
    pub(super) other: R,
    /// The number of seeds on the board, including the stores.
    pub(super) total: u16,
    pub(super) turn: Side,
    /// Whether the second player, at the first turn, can still swap sides.
    pub(super) swap_open: bool,
}

impl<R: Row> Position<R> {
    /// Create a position from a setup, which must fit in the rows.
    pub(super) fn new(setup: &Setup) -> Self {
        let row = |side: usize| {
            let pits = setup.houses[side].iter().chain([&setup.stores[side]]);
            pits.enumerate().fold(R::default(), |row, (pit, seeds)| row.with(pit, *seeds))
        };
        let Setup { turn, swap_open, .. } = *setup;
        let (own, other) = (row(turn.index()), row(turn.opponent().index()));
        Position { own, other, total: setup.total() as u16, turn, swap_open }
    }

    /// Return the rows of South and of North.
    pub(super) fn rows(&self) -> [R; 2] {
        match self.turn {
            Side::White => [self.own, self.other],
            Side::Black => [self.other, self.own],
        }
    }

    /// Return a 64-bit hash key.
    pub(super) fn hash_key(&self) -> u64 {
        let state = u64::from(self.swap_open) << 1 | self.turn.index() as u64;
        [self.own, self.other].iter().fold(scramble(state + 1), |hash, row| scramble(hash.rotate_left(23) ^ row.bits()))
    }
}
