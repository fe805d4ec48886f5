//! Positions as a solver sees them: what is still to come does not depend on what lies in the stores.

use super::memory::{Memory, Packed, Spacious};
use super::tables::View;
use crate::mancala::mover::Mover;
use crate::mancala::moves::Move;
use crate::mancala::position::Position;
use crate::mancala::row::{Row, Wide};

/// A kind of row that positions can be solved with.
pub(super) trait Solvable: Row {
    /// Where is kept what was found out.
    type Memory: Memory<Self>;

    /// What a position with so many seeds in the houses is worth, where the tables know it.
    fn known(tables: &View<'_>, own: Self, other: Self, seeds: usize) -> Option<i32>;
}

impl Solvable for u64 {
    type Memory = Packed;

    #[inline(always)]
    fn known(tables: &View<'_>, own: Self, other: Self, seeds: usize) -> Option<i32> {
        tables.worth(own, other, seeds).map(i32::from)
    }
}

impl Solvable for Wide {
    type Memory = Spacious;

    fn known(_tables: &View<'_>, _own: Self, _other: Self, _seeds: usize) -> Option<i32> {
        None
    }
}

/// What a move leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<R> {
    pub(super) after: Position<R>,
    /// The seeds in the houses after it.
    pub(super) seeds: i32,
    /// What it puts into the mover's store.
    pub(super) gain: i32,
    /// How many of these are captured.
    pub(super) captured: i32,
    /// Whether the same side moves again.
    pub(super) extra_turn: bool,
    pub(super) house: i32,
    /// What was fetched for it.
    pub(super) fetched: i32,
    /// What comes first is tried first.
    pub(super) order: i32,
}

impl<R: Row> Child<R> {
    /// What the move is worth to the mover when the position after it is worth so much to its side to move.
    #[inline(always)]
    pub(super) fn worth(&self, after: i32) -> i32 {
        if self.extra_turn { self.gain + after } else { self.gain - after }
    }

    /// What to ask of the position after it, to know whether the move is worth so much.
    ///
    /// With an extra turn its side to move must reach this number, else it must stay below.
    #[inline(always)]
    pub(super) fn goal(&self, wanted: i32) -> i32 {
        if self.extra_turn { wanted - self.gain } else { self.gain - wanted + 1 }
    }
}

/// How positions are kept apart under the rules of a mover.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stores {
    /// Whether a full store ends the game: then what is to come does depend on the stores.
    matter: bool,
}

impl Stores {
    pub(super) fn new<R: Row>(mover: &Mover<R>) -> Self {
        Stores { matter: mover.rules.majority_ends }
    }

    /// The position without what does not matter.
    pub(super) fn strip<R: Row>(self, mover: &Mover<R>, position: &Position<R>) -> Position<R> {
        let (own, other) = (self.row(mover, position.own), self.row(mover, position.other));
        Position { own, other, swap_open: false, ..*position }
    }

    #[inline(always)]
    fn row<R: Row>(self, mover: &Mover<R>, row: R) -> R {
        if self.matter { row } else { row.with(mover.rules.houses, 0) }
    }

    /// The rows that tell positions apart: where stores matter one of them says it all, for no seed leaves the board.
    #[inline(always)]
    pub(super) fn key<R: Row>(self, mover: &Mover<R>, position: &Position<R>) -> (R, R) {
        let other = if self.matter { position.other.with(mover.rules.houses, 0) } else { position.other };
        (position.own, other)
    }

    /// Plays a move in a position without what does not matter.
    #[inline(always)]
    pub(super) fn play<R: Row>(self, mover: &Mover<R>, position: &Position<R>, played: Move) -> Child<R> {
        let houses = mover.rules.houses;
        let mut after = *position;
        let result = mover.play(&mut after, played);
        let mine = if result.extra_turn { &mut after.own } else { &mut after.other };
        let gain = mine.get(houses) - position.own.get(houses);
        *mine = self.row(mover, *mine);
        Child {
            after,
            seeds: i32::from(after.own.sum(houses)) + i32::from(after.other.sum(houses)),
            gain: gain.into(),
            captured: result.captured.into(),
            extra_turn: result.extra_turn,
            house: if let Move::Sow(house) = played { house.into() } else { 0 },
            fetched: 0,
            order: 0,
        }
    }
}
