//! Material conditions of draw rules: ranges of the numbers of men and kings of each side. The fields correspond to
//! those of the Python dataclasses.

use super::bitboard::Bitboard;
use super::position::Position;
use crate::side::Side;

/// An inclusive range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The minimum.
    pub min: u16,
    /// The maximum; a number greater than the number of squares means no limit.
    pub max: u16,
}

impl Range {
    /// The range of all numbers.
    pub const ANY: Range = Range { min: 0, max: u16::MAX };
    const ONE: Range = Range { min: 1, max: 1 };

    #[inline(always)]
    fn has(self, number: u16) -> bool {
        self.min <= number && number <= self.max
    }
}

/// A condition for the material of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Force {
    /// The number of pieces.
    pub pieces: Range,
    /// The number of kings.
    pub kings: Range,
    /// The number of men.
    pub men: Range,
    /// Whether a king must be on the long diagonal.
    pub on_long_diagonal: bool,
}

impl Force {
    /// The condition that any material meets.
    pub const ANY: Force = Force { pieces: Range::ANY, kings: Range::ANY, men: Range::ANY, on_long_diagonal: false };

    /// Return the maximum number of pieces.
    fn max_pieces(&self) -> usize {
        usize::from(self.pieces.max).min(usize::from(self.kings.max) + usize::from(self.men.max))
    }

    /// Return whether the condition is one king and no other piece.
    pub(super) fn is_lone_king(&self) -> bool {
        self.pieces == Range::ONE && self.kings == Range::ONE
    }
}

/// A condition for the material of both sides: one side has the force `one` and its opponent has `other`, in either
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// The force of one side.
    pub one: Force,
    /// The force of its opponent.
    pub other: Force,
    /// The number of pieces of both sides.
    pub total: Range,
}

impl Material {
    /// Return whether the condition depends on the squares of kings.
    pub(super) fn depends_on_squares(&self) -> bool {
        self.one.on_long_diagonal || self.other.on_long_diagonal
    }

    /// Return whether the numbers of pieces meet the condition; squares are ignored.
    pub(super) fn fits(&self, count: &MaterialCount) -> bool {
        self.total.has(count.total()) && [Side::White, Side::Black].into_iter().any(|side| self.fits_as(count, side))
    }

    /// Return whether each side that needs a king on the long diagonal has one, if the numbers of pieces fit.
    pub(super) fn is_placed(&self, count: &MaterialCount) -> bool {
        let holds = |force: &Force, side: Side| !force.on_long_diagonal || count.on_long_diagonal[side.index()];
        !self.depends_on_squares()
            || [Side::White, Side::Black]
                .into_iter()
                .any(|side| self.fits_as(count, side) && holds(&self.one, side) && holds(&self.other, side.opponent()))
    }

    /// Return whether the side has the force `one` and its opponent has `other`; squares are ignored.
    fn fits_as(&self, count: &MaterialCount, side: Side) -> bool {
        count.fits(&self.one, side) && count.fits(&self.other, side.opponent())
    }

    /// Return the maximum number of pieces of both sides with which the condition can hold.
    pub(super) fn max_pieces(&self) -> usize {
        usize::from(self.total.max).min(self.one.max_pieces() + self.other.max_pieces())
    }

    /// Return the minimum number of kings of both sides with which the condition can hold.
    pub(super) fn min_kings(&self) -> usize {
        usize::from(self.one.kings.min) + usize::from(self.other.kings.min)
    }
}

/// The numbers of men and kings of White and Black in a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct MaterialCount {
    men: [u16; 2],
    kings: [u16; 2],
    /// Whether the side has a king on the long diagonal.
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

    /// Return the number of pieces of both sides.
    fn total(&self) -> u16 {
        self.men[0] + self.men[1] + self.kings[0] + self.kings[1]
    }

    /// Return whether the material of a side meets a condition; squares are ignored.
    fn fits(&self, force: &Force, side: Side) -> bool {
        let (men, kings) = (self.men[side.index()], self.kings[side.index()]);
        force.pieces.has(men + kings) && force.kings.has(kings) && force.men.has(men)
    }
}
