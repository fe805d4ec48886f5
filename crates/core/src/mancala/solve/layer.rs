//! Building the layer of all positions with as many seeds in the houses, from the layers with fewer.

use super::numbering::Numbering;
use super::tables::View;
use crate::mancala::mover::Mover;
use crate::mancala::position::Position;
use crate::mancala::row::Row;
use crate::parallel::{self, GoOn};
use crate::side::Side;

/// What all positions with so many seeds in the houses are worth, in the order of their numbers; `tables` has all with
/// fewer. None where `go_on` said to stop.
pub(super) fn build(
    mover: &Mover<u64>,
    tables: &View<'_>,
    seeds: usize,
    threads: usize,
    go_on: GoOn<'_>,
) -> Option<Vec<u8>> {
    // The largest pieces first, so that no thread is left with one of them at the end.
    let shares: Vec<usize> = (0..=seeds / 2).rev().collect();
    let pairs = parallel::map(&shares, threads, go_on, |share, go_on| {
        Pair::new(mover, tables, [*share, seeds - share]).fill(go_on)
    })?;
    let mut layer = vec![0; tables.numbering.positions(seeds) as usize];
    for (share, blocks) in shares.iter().zip(pairs) {
        for (own, block) in [*share, seeds - share].into_iter().zip(blocks) {
            let start = tables.numbering.start(own, seeds - own) as usize;
            layer[start..start + block.len()].copy_from_slice(&block);
        }
    }
    Some(layer)
}

/// The positions in which the sides have so many seeds each, and the same with the sides changed.
///
/// A move that leaves all seeds in the houses changes the side to move, and nothing of how the seeds are shared out. So
/// these positions lead to each other and to fewer seeds, but to no others with as many.
struct Pair<'a> {
    mover: &'a Mover<u64>,
    tables: &'a View<'a>,
    /// The rows with so many seeds, for either share.
    rows: [Vec<u64>; 2],
    /// What positions are worth where the side to move has a row of the first share, and of the second: the own row
    /// counts most. Where the shares are equal, all is in the first.
    blocks: [Vec<u8>; 2],
    equal: bool,
}

impl<'a> Pair<'a> {
    fn new(mover: &'a Mover<u64>, tables: &'a View<'a>, shares: [usize; 2]) -> Self {
        let rows = shares.map(|seeds| tables.numbering.list(seeds));
        let size = rows[0].len() * rows[1].len();
        let equal = shares[0] == shares[1];
        Pair { mover, tables, rows, blocks: [vec![0; size], vec![0; if equal { 0 } else { size }]], equal }
    }

    /// Fills both blocks, so that what a position leads to comes before it: there, the side that has moved has a row with
    /// a lower number.
    fn fill(mut self, go_on: GoOn<'_>) -> Option<[Vec<u8>; 2]> {
        for second in 0..self.rows[1].len() {
            if !go_on() {
                return None;
            }
            for first in 0..if self.equal { second + 1 } else { self.rows[0].len() } {
                self.set(1, second, first);
                self.set(0, first, second);
            }
        }
        Some(self.blocks)
    }

    /// Writes down what a position is worth; `share` is that of the side to move, the rows are given by their numbers.
    #[inline(always)]
    fn set(&mut self, share: usize, own: usize, other: usize) {
        let worth = self.worth(share, own, other);
        let at = own * self.rows[1 - share].len() + other;
        self.blocks[if self.equal { 0 } else { share }][at] = worth as u8;
    }

    #[inline(always)]
    fn worth(&self, share: usize, own: usize, other: usize) -> i8 {
        let houses = self.mover.rules.houses;
        let rows = [self.rows[share][own], self.rows[1 - share][other]];
        let position = Position { own: rows[0], other: rows[1], total: 0, turn: Side::White, swap_open: false };
        let moves = self.mover.legal_moves(&position);
        if moves.is_empty() {
            return self.mover.rest(&position) as i8;
        }
        let worth = |played| {
            let mut after = position;
            let extra_turn = self.mover.play(&mut after, played).extra_turn;
            let mine = if extra_turn { &mut after.own } else { &mut after.other };
            let gain = mine.get(houses) as i8;
            *mine = mine.with(houses, 0);
            if gain == 0 {
                // The seeds are all there, further along the own houses, and the other side is to move.
                let block = &self.blocks[if self.equal { 0 } else { 1 - share }];
                let at = other * self.rows[share].len() + self.tables.numbering.row(after.other) as usize;
                return -(block[at] as i8);
            }
            let seeds = Numbering::seeds(after.own) + Numbering::seeds(after.other);
            let worth = self.tables.worth(after.own, after.other, seeds).unwrap_or_default();
            if extra_turn { gain + worth } else { gain - worth }
        };
        moves.map(worth).fold(i8::MIN, i8::max)
    }
}
