//! Positions as rows of arrays, and moves as numbers.

use super::generator::MoveGenerator;
use super::moves::{Move, MoveSet};
use super::position::Position;
use super::row::Row;
use super::rules::{MAX_SEEDS, Rules};
use super::setup::{Setup, side_name};
use crate::actions::{ActionError, write_mask};
use crate::arrays::RowError;
use crate::side::Side;

/// The maximum number of seeds on the board in an observation, whose numbers are bytes.
pub const MAX_OBSERVED_SEEDS: usize = 255;

/// A format of positions as rows of numbers, which contain the whole position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayFormat {
    /// The observation, see `Board::write_pits`, in bytes. If the rules have a swap of sides, as many bytes follow, which
    /// are 1 if sides can still be swapped, else 0. The row does not have the side to move.
    Planes,
    /// Bytes: bit 0 of the first is the side to move (0 South, 1 North), bit 1 whether sides can still be swapped. Then the
    /// seeds in the houses of South in sowing order and in its store, and those of North.
    Packed,
    /// Numbers of 16 bits in the byte order of the machine: the side to move, whether sides can still be swapped, and the
    /// pits as in `Packed`.
    Pieces,
}

impl ArrayFormat {
    /// Return the shape of a row under these rules.
    pub fn shape(self, rules: &Rules) -> Vec<usize> {
        let pits = rules.houses + 1;
        match self {
            ArrayFormat::Planes => vec![2 + usize::from(rules.pie), pits],
            ArrayFormat::Packed => vec![1 + 2 * pits],
            ArrayFormat::Pieces => vec![2 + 2 * pits],
        }
    }

    /// Return the number of bytes of an element of a row.
    pub fn element_size(self) -> usize {
        if self == ArrayFormat::Pieces { 2 } else { 1 }
    }

    /// Return whether a row has the side to move.
    pub fn has_turn(self) -> bool {
        self != ArrayFormat::Planes
    }

    /// Return the setup of a row; `turn` is the side to move if the format does not have it.
    pub fn read_row(self, rules: &Rules, row: &[u8], turn: Side) -> Result<Setup, RowError> {
        let pits = rules.houses + 1;
        let (turn, swap_open, elements) = match self {
            ArrayFormat::Planes => {
                let (seeds, swaps) = row.split_at(2 * pits);
                let swap_open = swaps.first() == Some(&1);
                if let Some(index) = swaps.iter().position(|flag| *flag != u8::from(swap_open)) {
                    let expected = if index == 0 { "0 or 1".to_owned() } else { format!("{}, as before", swaps[0]) };
                    return Err(RowError::at(
                        seeds.len() + index,
                        format!("expected {expected}, got {}", swaps[index]),
                    ));
                }
                let mut sides: Vec<u16> = seeds.iter().copied().map(u16::from).collect();
                if turn == Side::Black {
                    sides.rotate_left(pits);
                }
                (turn, swap_open, sides)
            }
            ArrayFormat::Packed => {
                let max = if rules.pie { 3 } else { 1 };
                if row[0] > max {
                    return Err(RowError::at(0, format!("expected flags from 0 to {max}, got {}", row[0])));
                }
                let seeds = row[1..].iter().copied().map(u16::from).collect();
                (Side::new(row[0] & 1 == 1), row[0] & 2 == 2, seeds)
            }
            ArrayFormat::Pieces => {
                let mut numbers = row.as_chunks().0.iter().copied().map(u16::from_ne_bytes);
                let mut flag = |element: usize, max: u16| {
                    let number = numbers.next().expect("the row has two flags");
                    let problem = format!("expected 0{}, got {number}", if max > 0 { " or 1" } else { "" });
                    if number > max { Err(RowError::at(element, problem)) } else { Ok(number == 1) }
                };
                (Side::new(flag(0, 1)?), flag(1, rules.pie.into())?, numbers.collect())
            }
        };
        let (south, north) = elements.split_at(pits);
        let setup = Setup {
            turn,
            swap_open,
            houses: [south, north].map(|row| row[..rules.houses].to_vec()),
            stores: [south, north].map(|row| row[rules.houses]),
        };
        if setup.total() > MAX_SEEDS {
            let problem = format!("expected {MAX_SEEDS} seeds on the board or fewer, got {}", setup.total());
            return Err(RowError::whole(problem));
        }
        Ok(setup)
    }
}

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

    /// Write the position as a row.
    pub(super) fn write_row(
        &self,
        position: &Position<R>,
        format: ArrayFormat,
        row: &mut [u8],
    ) -> Result<(), RowError> {
        let pits = self.rules.houses + 1;
        if format == ArrayFormat::Planes {
            let (seeds, swaps) = row.split_at_mut(2 * pits);
            if self.check_observable(position).is_err() {
                let (max, total) = (MAX_OBSERVED_SEEDS, position.total);
                let problem = format!("expected {max} seeds on the board or fewer, got {total}: use the format pieces");
                return Err(RowError::whole(problem));
            }
            self.write_pits(position, seeds);
            swaps.fill(position.swap_open.into());
            return Ok(());
        }
        let seeds = position.rows().into_iter().flat_map(|row| (0..pits).map(move |pit| row.get(pit)));
        let (turn, swap_open) = (position.turn.index() as u16, u16::from(position.swap_open));
        if format == ArrayFormat::Pieces {
            for (element, number) in row.as_chunks_mut().0.iter_mut().zip([turn, swap_open].into_iter().chain(seeds)) {
                *element = number.to_ne_bytes();
            }
            return Ok(());
        }
        row[0] = (swap_open << 1 | turn) as u8;
        for (pit, (element, seeds)) in row[1..].iter_mut().zip(seeds).enumerate() {
            let Ok(seeds) = u8::try_from(seeds) else {
                let owner = side_name(Side::new(pit >= pits));
                let pit = match pit % pits + 1 {
                    house if house < pits => format!("house {house} of {owner}"),
                    _ => format!("the store of {owner}"),
                };
                let problem = format!("expected 255 seeds or fewer in {pit}, got {seeds}: use the format pieces");
                return Err(RowError::whole(problem));
            };
            *element = seeds;
        }
        Ok(())
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
