//! The move generator, and the end of a game.

use super::moves::{Move, MoveSet};
use super::position::Position;
use super::row::Row;
use super::rules::{Capture, GrandSlam, Rules};
use super::sow_table::SowTable;
use crate::side::Side;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A side has no seeds in its houses.
    NoSeeds,
    /// The side to move has seeds but no legal move.
    NoMove,
    /// A store has more than half of all seeds.
    Majority,
}

/// The move generator of one rule set.
#[derive(Clone, Debug)]
pub(super) struct MoveGenerator<R> {
    pub(super) rules: Rules,
    pub(super) sow_table: SowTable<R>,
}

impl<R: Row> MoveGenerator<R> {
    pub(super) fn new(rules: Rules) -> Self {
        MoveGenerator { rules, sow_table: SowTable::new(&rules) }
    }

    /// Return the legal moves; none if the game is over.
    #[inline(always)]
    pub(super) fn legal_moves(&self, position: &Position<R>) -> MoveSet {
        let rules = &self.rules;
        let is_other_empty = || (rules.either_empty_ends || rules.must_feed) && position.other.sum(rules.houses) == 0;
        if rules.majority_ends && self.has_majority(position) || rules.either_empty_ends && is_other_empty() {
            return MoveSet::EMPTY;
        }
        let mut moves = MoveSet(position.own.filled(rules.houses));
        if rules.must_feed && is_other_empty() {
            moves = moves.filter(|played| self.feeds(position, played));
        }
        if rules.capture == Capture::TwosAndThrees(GrandSlam::Forbidden) {
            moves = moves.filter(|played| !self.is_grand_slam(position, played));
        }
        let may_swap = position.swap_open && position.turn == Side::Black && !moves.is_empty();
        if may_swap { moves.with_swap() } else { moves }
    }

    /// Return the winner, or None for a draw, and why the game is over; None if it is not over.
    pub(super) fn ending(&self, position: &Position<R>) -> Option<(Option<Side>, Ending)> {
        let (houses, either) = (self.rules.houses, self.rules.either_empty_ends);
        let ending = if self.rules.majority_ends && self.has_majority(position) {
            Ending::Majority
        } else if !self.legal_moves(position).is_empty() {
            return None;
        } else if position.own.sum(houses) == 0 || either && position.other.sum(houses) == 0 {
            Ending::NoSeeds
        } else {
            Ending::NoMove
        };
        Some((self.leader(position), ending))
    }

    /// Return the score of each side: its store, and its houses if the rules count them.
    pub(super) fn score(&self, position: &Position<R>) -> [u16; 2] {
        let houses = self.rules.houses;
        position.rows().map(|row| row.get(houses) + if self.rules.counts_rest { row.sum(houses) } else { 0 })
    }

    /// Return the difference between the store of the side to move and that of the opponent.
    #[inline(always)]
    pub(super) fn lead(&self, position: &Position<R>) -> i32 {
        let houses = self.rules.houses;
        i32::from(position.own.get(houses)) - i32::from(position.other.get(houses))
    }

    /// Return how much the seeds in the houses add to the margin of the side to move when the game is over.
    #[inline(always)]
    pub(super) fn rest(&self, position: &Position<R>) -> i32 {
        let houses = self.rules.houses;
        let rest = i32::from(position.own.sum(houses)) - i32::from(position.other.sum(houses));
        if self.rules.counts_rest { rest } else { 0 }
    }

    /// Return the side with the higher score, if any.
    pub(super) fn leader(&self, position: &Position<R>) -> Option<Side> {
        let [white, black] = self.score(position);
        (white != black).then(|| Side::new(black > white))
    }

    #[inline(always)]
    fn has_majority(&self, position: &Position<R>) -> bool {
        position.own.get(self.rules.houses).max(position.other.get(self.rules.houses)) > position.total / 2
    }

    /// Return whether a move reaches the opponent's houses.
    fn feeds(&self, position: &Position<R>, played: Move) -> bool {
        let Move::Sow(house) = played else { return false };
        let house = usize::from(house);
        let before = self.rules.houses - 1 - house + usize::from(self.rules.sows_store);
        usize::from(position.own.get(house)) > before
    }
}
