//! Who has how much: what draw rules look at. The fields mean what the Python dataclasses say they mean.

use super::position::Position;
use super::squares::SquareSet;
use crate::side::Side;

/// Numbers from the least to the most, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The smallest of them.
    pub least: u16,
    /// The largest of them; any that is more than a board has squares is no limit.
    pub most: u16,
}

impl Range {
    /// Any number.
    pub const ANY: Range = Range { least: 0, most: u16::MAX };

    #[inline(always)]
    fn has(self, number: u16) -> bool {
        self.least <= number && number <= self.most
    }
}

/// What a side has: how many pieces, kings and men, and whether one of its kings stands on the long diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Force {
    /// How many pieces.
    pub pieces: Range,
    /// How many of them are kings.
    pub kings: Range,
    /// How many of them are men.
    pub men: Range,
    /// Whether one of the kings must stand on the long diagonal.
    pub on_long_diagonal: bool,
}

impl Force {
    /// Any pieces anywhere.
    pub const ANY: Force = Force { pieces: Range::ANY, kings: Range::ANY, men: Range::ANY, on_long_diagonal: false };

    /// More pieces than this are no such force.
    fn most_pieces(&self) -> usize {
        usize::from(self.pieces.most).min(usize::from(self.kings.most) + usize::from(self.men.most))
    }
}

/// What both sides have: one side the one force and its opponent the other, whichever is White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// The one force.
    pub one: Force,
    /// The other.
    pub other: Force,
    /// How many pieces are on the board.
    pub total: Range,
}

impl Material {
    /// Whether it matters where kings stand.
    pub(super) fn has_place(&self) -> bool {
        self.one.on_long_diagonal || self.other.on_long_diagonal
    }

    /// Whether the numbers of pieces are such; where they stand is not looked at.
    pub(super) fn fits(&self, held: &Holdings) -> bool {
        self.total.has(held.total())
            && [Side::White, Side::Black].into_iter().any(|side| self.are_forces_of(held, side))
    }

    /// Whether a side that must hold the long diagonal does, in a position whose numbers fit.
    pub(super) fn is_placed(&self, held: &Holdings) -> bool {
        let holds = |force: &Force, side: Side| !force.on_long_diagonal || held.on_long_diagonal[side.index()];
        !self.has_place()
            || [Side::White, Side::Black].into_iter().any(|side| {
                self.are_forces_of(held, side) && holds(&self.one, side) && holds(&self.other, side.opponent())
            })
    }

    /// Whether the side has the one force and its opponent the other.
    fn are_forces_of(&self, held: &Holdings, side: Side) -> bool {
        held.are(&self.one, side) && held.are(&self.other, side.opponent())
    }

    /// It never fits with more pieces than this on the board.
    pub(super) fn most_pieces(&self) -> usize {
        usize::from(self.total.most).min(self.one.most_pieces() + self.other.most_pieces())
    }

    /// It never fits with fewer kings than this on the board.
    pub(super) fn least_kings(&self) -> usize {
        usize::from(self.one.kings.least) + usize::from(self.other.kings.least)
    }
}

/// What White has and what Black has in a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holdings {
    men: [u16; 2],
    kings: [u16; 2],
    /// Whether a king stands on the long diagonal.
    on_long_diagonal: [bool; 2],
}

impl Holdings {
    pub(super) fn of<S: SquareSet>(position: &Position<S>, long_diagonals: S) -> Self {
        Holdings {
            men: Side::both(|side| position.men(side).count() as u16),
            kings: Side::both(|side| (position.of(side) & position.kings).count() as u16),
            on_long_diagonal: Side::both(|side| !(position.of(side) & position.kings & long_diagonals).is_empty()),
        }
    }

    /// How many pieces are on the board.
    fn total(&self) -> u16 {
        self.men[0] + self.men[1] + self.kings[0] + self.kings[1]
    }

    /// Whether what the side has is such a force, wherever it stands.
    fn are(&self, force: &Force, side: Side) -> bool {
        let (men, kings) = (self.men[side.index()], self.kings[side.index()]);
        force.pieces.has(men + kings) && force.kings.has(kings) && force.men.has(men)
    }
}
