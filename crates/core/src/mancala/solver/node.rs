//! Nodes of the solver's search: positions without the stores, because the rest of the game does not depend on them.

use super::endgame_tables::View;
use super::transposition::{MapTable, PackedTable, SolverTable};
use crate::mancala::generator::MoveGenerator;
use crate::mancala::moves::Move;
use crate::mancala::position::Position;
use crate::mancala::row::{Row, WideRow};

/// A row type that the solver supports.
pub(super) trait Solvable: Row {
    /// The transposition table for such rows.
    type Table: SolverTable<Self>;

    /// Look up the value of a position with this number of seeds in the houses in endgame tables.
    fn probe(tables: &View<'_>, own: Self, other: Self, seeds: usize) -> Option<i32>;
}

impl Solvable for u64 {
    type Table = PackedTable;

    #[inline(always)]
    fn probe(tables: &View<'_>, own: Self, other: Self, seeds: usize) -> Option<i32> {
        tables.probe(own, other, seeds).map(i32::from)
    }
}

impl Solvable for WideRow {
    type Table = MapTable;

    fn probe(_tables: &View<'_>, _own: Self, _other: Self, _seeds: usize) -> Option<i32> {
        None
    }
}

/// A move at a node, and the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<R> {
    pub(super) after: Position<R>,
    /// The number of seeds in the houses after the move.
    pub(super) seeds: i32,
    /// The number of seeds that the move adds to the own store.
    pub(super) gain: i32,
    /// How many of those seeds are captured.
    pub(super) captured: i32,
    /// Whether the same side moves again.
    pub(super) extra_turn: bool,
    pub(super) house: i32,
    /// The value from the endgame tables if they contain the position; otherwise meaningless.
    pub(super) fetched: i32,
    /// The score for move ordering: the highest is searched first.
    pub(super) order: i32,
}

impl<R: Row> Child<R> {
    /// Return the value of the move, given the value of the position after it for that position's side to move.
    #[inline(always)]
    pub(super) fn value(&self, after: i32) -> i32 {
        if self.extra_turn { self.gain + after } else { self.gain - after }
    }

    /// Return the beta of the null window for the position after the move.
    ///
    /// The move fails high if that position fails high after an extra turn, or fails low otherwise.
    #[inline(always)]
    pub(super) fn child_beta(&self, beta: i32) -> i32 {
        if self.extra_turn { beta - self.gain } else { self.gain - beta + 1 }
    }
}

/// The treatment of stores: they are removed from positions unless values depend on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stores {
    /// Whether a majority in a store ends the game, so that values depend on the stores.
    matter: bool,
}

impl Stores {
    pub(super) fn new<R: Row>(generator: &MoveGenerator<R>) -> Self {
        Stores { matter: generator.rules.majority_ends }
    }

    /// Return the position without the parts that do not affect its value.
    pub(super) fn strip<R: Row>(self, generator: &MoveGenerator<R>, position: &Position<R>) -> Position<R> {
        let (own, other) = (self.row(generator, position.own), self.row(generator, position.other));
        Position { own, other, swap_open: false, ..*position }
    }

    #[inline(always)]
    fn row<R: Row>(self, generator: &MoveGenerator<R>, row: R) -> R {
        if self.matter { row } else { row.with(generator.rules.houses, 0) }
    }

    /// Return the rows that identify a position in the transposition table.
    ///
    /// If stores matter, one of them determines the other, because no seed leaves the board.
    #[inline(always)]
    pub(super) fn key<R: Row>(self, generator: &MoveGenerator<R>, position: &Position<R>) -> (R, R) {
        let other = if self.matter { position.other.with(generator.rules.houses, 0) } else { position.other };
        (position.own, other)
    }

    /// Play a move in a stripped position.
    #[inline(always)]
    pub(super) fn play<R: Row>(self, generator: &MoveGenerator<R>, position: &Position<R>, played: Move) -> Child<R> {
        let houses = generator.rules.houses;
        let mut after = *position;
        let result = generator.play(&mut after, played);
        let mine = if result.extra_turn { &mut after.own } else { &mut after.other };
        let gain = mine.get(houses) - position.own.get(houses);
        *mine = self.row(generator, *mine);
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
