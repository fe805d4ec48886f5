//! Positions as arrays of bytes, and moves as numbers.

use super::generator::MoveGenerator;
use super::moves::{Move, MoveSet};
use super::position::Position;
use super::row::Row;
use super::rules::Rules;
use crate::actions::{ActionError, write_mask};

/// The maximum number of seeds on the board in an observation, whose numbers are bytes.
pub const MAX_OBSERVED_SEEDS: usize = 255;

/// A numbering of the legal moves of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionEncoding {
    /// The index of the move in the list of legal moves.
    Slot,
    /// The index of the house in sowing order from the first house of the side to move; the swap comes last.
    House,
}

impl ActionEncoding {
    /// Return the number of actions under these rules: one for each house of a side, and one for the swap if the rules
    /// have it. No position has more legal moves.
    pub fn size(&self, rules: &Rules) -> usize {
        rules.houses + usize::from(rules.pie)
    }
}

impl<R: Row> MoveGenerator<R> {
    /// Write the observation: the seeds in the houses and the store of the side to move, then those of the opponent, in
    /// the sowing order of each side.
    ///
    /// # Panics
    /// If the length is not twice the number of pits of a side.
    #[inline(always)]
    pub(super) fn write_pits(&self, position: &Position<R>, pits: &mut [u8]) {
        let row_length = self.rules.houses + 1;
        assert_eq!(pits.len(), 2 * row_length);
        for (row, pits) in [position.own, position.other].into_iter().zip(pits.chunks_exact_mut(row_length)) {
            for (index, pit) in pits.iter_mut().enumerate() {
                *pit = row.get(index) as u8;
            }
        }
    }

    /// Return an error unless the seeds on the board can be observed as bytes.
    pub(super) fn check_observable(&self, position: &Position<R>) -> Result<(), ActionError> {
        let seeds = usize::from(position.total);
        if seeds > MAX_OBSERVED_SEEDS { Err(ActionError::TooManySeeds { seeds }) } else { Ok(()) }
    }

    /// Set the entries of a mask at the numbers of the legal moves to 1, and all others to 0.
    #[inline(always)]
    pub(super) fn write_mask(&self, encoding: ActionEncoding, moves: MoveSet, mask: &mut [u8]) {
        match encoding {
            ActionEncoding::Slot => {
                let (legal, others) = mask.split_at_mut(moves.len());
                legal.fill(1);
                others.fill(0);
            }
            ActionEncoding::House => write_mask(moves.map(|played| self.house_action(played)), mask),
        }
    }

    /// Return the number of a legal move.
    pub(super) fn encode(&self, encoding: ActionEncoding, position: &Position<R>, played: Move) -> Option<u32> {
        let mut moves = self.legal_moves(position);
        if !moves.contains(played) {
            return None;
        }
        Some(match encoding {
            ActionEncoding::Slot => moves.position(|other| other == played)? as u32,
            ActionEncoding::House => self.house_action(played),
        })
    }

    /// Return the number of a move in the encoding `House`.
    #[inline(always)]
    pub(super) fn house_action(&self, played: Move) -> u32 {
        match played {
            Move::Sow(house) => house.into(),
            Move::Swap => self.rules.houses as u32,
        }
    }

    /// Return the legal move with this number.
    pub(super) fn decode(
        &self,
        encoding: ActionEncoding,
        position: &Position<R>,
        action: u32,
    ) -> Result<Move, ActionError> {
        let mut moves = self.legal_moves(position);
        let found = match encoding {
            ActionEncoding::Slot => ((action as usize) < moves.len()).then(|| moves.nth(action as usize)),
            ActionEncoding::House => moves.find(|played| self.house_action(*played) == action),
        };
        found.ok_or(ActionError::IllegalAction(action))
    }
}
