//! Material: how many men and kings each side has, as draw rules describe it. The fields are those of the Python
//! dataclasses.

use super::bitboard::Bitboard;
use super::position::Position;
use crate::side::Side;

/// A range of numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The smallest of them.
    pub min: u16,
    /// The largest of them; a number above that of the squares is not a limit.
    pub max: u16,
}

impl Range {
    /// Any number.
    pub const ANY: Range = Range { min: 0, max: u16::MAX };
    const ONE: Range = Range { min: 1, max: 1 };

    #[inline(always)]
    fn has(self, number: u16) -> bool {
        self.min <= number && number <= self.max
    }
}

/// The material of a side: numbers of pieces, kings and men, and whether a king must stand on the long diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Force {
    /// The number of pieces.
    pub pieces: Range,
    /// The number of kings.
    pub kings: Range,
    /// The number of men.
    pub men: Range,
    /// Whether one of the kings must stand on the long diagonal.
    pub on_long_diagonal: bool,
}

impl Force {
    /// Any pieces anywhere.
    pub const ANY: Force = Force { pieces: Range::ANY, kings: Range::ANY, men: Range::ANY, on_long_diagonal: false };

    /// The maximum number of pieces.
    fn max_pieces(&self) -> usize {
        usize::from(self.pieces.max).min(usize::from(self.kings.max) + usize::from(self.men.max))
    }

    /// Whether it is one king and nothing else.
    pub(super) fn is_lone_king(&self) -> bool {
        self.pieces == Range::ONE && self.kings == Range::ONE
    }
}

/// The material of both sides: one side has the one force and its opponent the other, whichever is White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// The one force.
    pub one: Force,
    /// The other.
    pub other: Force,
    /// The number of pieces on the board.
    pub total: Range,
}

impl Material {
    /// Whether it depends on where kings stand.
    pub(super) fn has_place(&self) -> bool {
        self.one.on_long_diagonal || self.other.on_long_diagonal
    }

    /// Whether the numbers of pieces fit, wherever the pieces stand.
    pub(super) fn fits(&self, held: &MaterialCount) -> bool {
        self.total.has(held.total())
            && [Side::White, Side::Black].into_iter().any(|side| self.are_forces_of(held, side))
    }

    /// Whether each side that must hold the long diagonal does, in a position whose numbers fit.
    pub(super) fn is_placed(&self, held: &MaterialCount) -> bool {
        let holds = |force: &Force, side: Side| !force.on_long_diagonal || held.on_long_diagonal[side.index()];
        !self.has_place()
            || [Side::White, Side::Black].into_iter().any(|side| {
                self.are_forces_of(held, side) && holds(&self.one, side) && holds(&self.other, side.opponent())
            })
    }

    /// Whether the side has the one force and its opponent the other.
    fn are_forces_of(&self, held: &MaterialCount, side: Side) -> bool {
        held.are(&self.one, side) && held.are(&self.other, side.opponent())
    }

    /// The maximum number of pieces on the board with which it can fit.
    pub(super) fn max_pieces(&self) -> usize {
        usize::from(self.total.max).min(self.one.max_pieces() + self.other.max_pieces())
    }

    /// The minimum number of kings on the board with which it can fit.
    pub(super) fn min_kings(&self) -> usize {
        usize::from(self.one.kings.min) + usize::from(self.other.kings.min)
    }
}

/// The material of White and Black in a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct MaterialCount {
    men: [u16; 2],
    kings: [u16; 2],
    /// Whether a king stands on the long diagonal.
    on_long_diagonal: [bool; 2],
}

impl MaterialCount {
    pub(super) fn of<B: Bitboard>(position: &Position<B>, long_diagonals: B) -> Self {
        MaterialCount {
            men: Side::both(|side| position.men(side).count() as u16),
            kings: Side::both(|side| (position.of(side) & position.kings).count() as u16),
            on_long_diagonal: Side::both(|side| !(position.of(side) & position.kings & long_diagonals).is_empty()),
        }
    }

    /// The number of pieces on the board.
    fn total(&self) -> u16 {
        self.men[0] + self.men[1] + self.kings[0] + self.kings[1]
    }

    /// Whether the material of the side fits the force, wherever the pieces stand.
    fn are(&self, force: &Force, side: Side) -> bool {
        let (men, kings) = (self.men[side.index()], self.kings[side.index()]);
        force.pieces.has(men + kings) && force.kings.has(kings) && force.men.has(men)
    }
}
