//! Building the layer of all positions with as many seeds in the houses, from the layers with fewer.

use super::numbering::{Numbering, RowNumber};
use super::sowings::Sowings;
use super::tables::View;
use crate::huge_pages::{Bytes, zeroed};
use crate::mancala::mover::Mover;
use crate::mancala::row::Row;
use crate::parallel::{self, KeepGoing};

/// What all positions with so many seeds in the houses are worth, in the order of their numbers; `tables` has all with
/// fewer. None if `keep_going` returned false.
pub(super) fn build(
    mover: &Mover<u64>,
    tables: &View<'_>,
    seeds: usize,
    threads: usize,
    keep_going: KeepGoing<'_>,
) -> Option<Bytes> {
    // The largest pieces first, so that no thread is left with one of them at the end.
    let shares: Vec<usize> = (0..=seeds / 2).rev().collect();
    let pairs = parallel::map(&shares, threads, keep_going, |share, keep_going| {
        Pair::new(mover, tables, [*share, seeds - share]).fill(keep_going)
    })?;
    // None would say that the work was told to stop.
    let mut layer = zeroed(tables.numbering.positions(seeds) as usize).expect("there is memory for a table");
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
    shares: [usize; 2],
    /// The rows with so many seeds, for either share, and what comes of sowing their houses.
    rows: [Vec<u64>; 2],
    sowings: [Sowings; 2],
    /// What positions are worth where the side to move has a row of the first share, and of the second: the own row
    /// counts most. Where the shares are equal, all is in the first.
    blocks: [Vec<u8>; 2],
}

impl<'a> Pair<'a> {
    fn new(mover: &'a Mover<u64>, tables: &'a View<'a>, shares: [usize; 2]) -> Self {
        let rows = shares.map(|seeds| tables.numbering.list(seeds));
        let sowings = [&rows[0], &rows[1]].map(|rows| Sowings::new(mover, &tables.numbering, rows));
        let size = rows[0].len() * rows[1].len();
        let blocks = [size, if shares[0] == shares[1] { 0 } else { size }].map(|size| vec![0; size]);
        Pair { mover, tables, shares, rows, sowings, blocks }
    }

    /// The block of positions where the side to move has a row of this share.
    #[inline(always)]
    fn block(&self, share: usize) -> usize {
        if self.shares[0] == self.shares[1] { 0 } else { share }
    }

    /// Fills both blocks, so that what a position leads to comes before it: there, the side that has moved has a row with
    /// a lower number.
    fn fill(mut self, keep_going: KeepGoing<'_>) -> Option<[Vec<u8>; 2]> {
        let equal = self.shares[0] == self.shares[1];
        for second in 0..self.rows[1].len() {
            if !keep_going() {
                return None;
            }
            for first in 0..if equal { second + 1 } else { self.rows[0].len() } {
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
        let (block, at) = (self.block(share), own * self.rows[1 - share].len() + other);
        self.blocks[block][at] = worth as u8;
    }

    #[inline(always)]
    fn worth(&self, share: usize, own: usize, other: usize) -> i8 {
        let rules = &self.mover.rules;
        let (own_seeds, other_seeds) = (self.shares[share], self.shares[1 - share]);
        if own_seeds == 0 || other_seeds == 0 && rules.either_empty_ends {
            let rest = own_seeds as i8 - other_seeds as i8;
            return if rules.counts_rest { rest } else { 0 };
        }
        let numbering: &Numbering = &self.tables.numbering;
        let (row, width) = (self.rows[1 - share][other], self.rows[share].len());
        let unchanged = RowNumber { seeds: other_seeds as u32, number: other as u32 };
        let mut best = i8::MIN;
        for sowing in self.sowings[share].of(own) {
            let (mut row, mut theirs) = (row, unchanged);
            if sowing.added != 0 {
                row += sowing.added;
                theirs = numbering.number(row);
            }
            let worth = if let Some(opposite) = sowing.captures(row) {
                let taken = row.get(opposite);
                let theirs = if taken == 0 { theirs } else { numbering.number(row.with(opposite, 0)) };
                sowing.gain + 1 + taken as i8 - self.tables.numbered(theirs, sowing.own_captured)
            } else if sowing.extra_turn {
                sowing.gain + self.tables.numbered(sowing.own, theirs)
            } else if sowing.gain == 0 {
                // The seeds are all there, further along the own houses, and the other side is to move.
                -(self.blocks[self.block(1 - share)][other * width + sowing.own.number as usize] as i8)
            } else {
                sowing.gain - self.tables.numbered(theirs, sowing.own)
            };
            best = best.max(worth);
        }
        best
    }
}
