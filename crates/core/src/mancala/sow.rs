//! Playing a move: sowing the seeds of a house, and captures by the last seed.

use super::generator::MoveGenerator;
use super::moves::{Move, SowResult};
use super::position::Position;
use super::row::Row;
use super::rules::{Capture, GrandSlam};
use super::sow_table::{OTHER, Pit};
use crate::side::Side;

impl<R: Row> MoveGenerator<R> {
    /// Play a legal move.
    #[inline(always)]
    pub(super) fn play(&self, position: &mut Position<R>, played: Move) -> SowResult {
        let Move::Sow(house) = played else {
            swap(position);
            return SowResult::default();
        };
        let (mover, house) = (position.turn, usize::from(house));
        let sown = position.own.get(house);
        let long;
        let entry = match self.sow_table.get(house, sown) {
            Some(entry) => entry,
            None => {
                long = self.sow_table.long_entry(house, sown);
                &long
            }
        };
        let mut own = position.own.with(house, 0).plus(entry.own);
        let mut other = position.other.plus(entry.other);
        let captured = match self.rules.capture {
            Capture::Opposite { even_if_empty } => {
                self.capture_opposite(&mut own, &mut other, entry.last, even_if_empty)
            }
            Capture::TwosAndThrees(slam) => self.capture_twos_and_threes(&mut own, &mut other, entry.last, slam),
        };
        let extra_turn = usize::from(entry.last) == self.rules.houses;
        (position.own, position.other) = if extra_turn { (own, other) } else { (other, own) };
        position.turn = if extra_turn { mover } else { mover.opponent() };
        // The second player can swap only instead of the first move.
        position.swap_open &= mover == Side::White;
        SowResult { sown, captured, extra_turn }
    }

    /// Return the position after a legal move.
    #[inline(always)]
    pub(super) fn after(&self, position: &Position<R>, played: Move) -> Position<R> {
        let mut after = *position;
        self.play(&mut after, played);
        after
    }

    /// Capture if the last seed is in an own house that was empty: that seed and those in the opposite house.
    #[inline(always)]
    fn capture_opposite(&self, own: &mut R, other: &mut R, last: Pit, even_if_empty: bool) -> u16 {
        let (houses, last) = (self.rules.houses, usize::from(last));
        let is_house = last < houses;
        let last = if is_house { last } else { 0 };
        let opposite = houses - 1 - last;
        let taken = other.get(opposite);
        // Branchless: multiply everything by 0 or 1, because a branch would be mispredicted too often.
        let hit = u16::from(is_house) & u16::from(own.get(last) == 1) & u16::from(even_if_empty | (taken > 0));
        *other = other.take(opposite, taken * hit);
        *own = own.take(last, hit).add(houses, (taken + 1) * hit);
        (taken + 1) * hit
    }

    /// Capture if the last seed makes two or three in a house of the opponent: those, and the seeds of the preceding
    /// houses as long as they have two or three.
    fn capture_twos_and_threes(&self, own: &mut R, other: &mut R, last: Pit, slam: GrandSlam) -> u16 {
        let houses = self.rules.houses;
        let Some(last) = last.checked_sub(OTHER).map(usize::from) else { return 0 };
        let (mut left, mut captured) = (*other, 0);
        for house in (0..=last).rev() {
            let seeds = other.get(house);
            if !(2..=3).contains(&seeds) {
                break;
            }
            captured += seeds;
            left = left.with(house, 0);
        }
        let is_slam = captured > 0 && left.sum(houses) == 0;
        if is_slam && slam == GrandSlam::NoCapture {
            return 0;
        }
        *other = left;
        *own = own.add(houses, captured);
        if is_slam && slam == GrandSlam::RestToOpponent {
            *other = other.add(houses, own.sum(houses));
            *own = R::default().with(houses, own.get(houses));
        }
        captured
    }

    /// Return whether a move captures all seeds of the opponent.
    pub(super) fn is_grand_slam(&self, position: &Position<R>, played: Move) -> bool {
        let mut after = *position;
        let captured = self.play(&mut after, played).captured;
        captured > 0 && after.own.sum(self.rules.houses) == 0
    }
}

/// Swap sides: the second player takes over the first player's row. The row to move stays the same, but it now belongs
/// to the first player.
fn swap<R: Row>(position: &mut Position<R>) {
    position.turn = Side::White;
    position.swap_open = false;
}
