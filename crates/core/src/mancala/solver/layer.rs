//! Construction of a layer of the endgame tables (all positions with one number of seeds in the houses) by backward
//! induction.
//!
//! Games of the Kalah family are acyclic, so one pass in the right order is enough: unlike retrograde analysis of cyclic
//! games, no value is ever revised.

use super::endgame_tables::View;
use super::numbering::{Numbering, RowNumber};
use super::sowings::Sowings;
use crate::mancala::generator::MoveGenerator;
use crate::mancala::row::Row;
use crate::memory::{Bytes, zeroed};
use crate::parallel;
use crate::work::Monitor;

/// Return the values of all positions with `seeds` seeds in the houses, in the order of their numbers. `tables` must
/// have all layers with fewer seeds. Return None if the monitor cancelled the work.
pub(super) fn build(
    generator: &MoveGenerator<u64>,
    tables: &View<'_>,
    seeds: usize,
    threads: usize,
    monitor: &dyn Monitor,
) -> Option<Bytes> {
    // Start with the largest pieces, so that the threads finish at about the same time.
    let shares: Vec<usize> = (0..=seeds / 2).rev().collect();
    let pairs = parallel::map(&shares, threads, monitor, |share| {
        Pair::new(generator, tables, [*share, seeds - share]).fill(monitor)
    })?;
    let size = usize::try_from(tables.numbering.positions(seeds)).expect("a layer fits in the address space");
    let mut layer = zeroed(size).expect("there is memory for a layer");
    for (share, blocks) in shares.iter().zip(pairs) {
        for (own, block) in [*share, seeds - share].into_iter().zip(blocks) {
            let start = tables.numbering.start(own, seeds - own) as usize;
            layer[start..start + block.len()].copy_from_slice(&block);
        }
    }
    Some(layer)
}

/// The positions in which the sides have these numbers of seeds, with either side to move.
///
/// A move that keeps all seeds in the houses stays within the own row: it changes the side to move, but not the number
/// of seeds on each side. These positions therefore lead only to each other and to positions with fewer seeds.
struct Pair<'a> {
    generator: &'a MoveGenerator<u64>,
    tables: &'a View<'a>,
    shares: [usize; 2],
    /// For each share, the rows with that number of seeds, and the sowings of their houses.
    rows: [Vec<u64>; 2],
    sowings: [Sowings; 2],
    /// The values of positions in which the side to move has a row of the first share, and of the second. The own row
    /// is the more significant index. If the shares are equal, all values are in the first block.
    blocks: [Vec<u8>; 2],
}

impl<'a> Pair<'a> {
    fn new(generator: &'a MoveGenerator<u64>, tables: &'a View<'a>, shares: [usize; 2]) -> Self {
        let rows = shares.map(|seeds| tables.numbering.list(seeds));
        let sowings = [&rows[0], &rows[1]].map(|rows| Sowings::new(generator, &tables.numbering, rows));
        let size = rows[0].len() * rows[1].len();
        let blocks = [size, if shares[0] == shares[1] { 0 } else { size }].map(|size| vec![0; size]);
        Pair { generator, tables, shares, rows, sowings, blocks }
    }

    /// Return the block of the positions in which the side to move has a row of this share.
    #[inline(always)]
    fn block(&self, share: usize) -> usize {
        if self.shares[0] == self.shares[1] { 0 } else { share }
    }

    /// Fill both blocks in topological order: the successors of a position come before it, since sowing within the own
    /// row leads to a lower number.
    fn fill(mut self, monitor: &dyn Monitor) -> Option<[Vec<u8>; 2]> {
        let equal = self.shares[0] == self.shares[1];
        for second in 0..self.rows[1].len() {
            if !monitor.add(1) {
                return None;
            }
            for first in 0..if equal { second + 1 } else { self.rows[0].len() } {
                self.set(1, second, first);
                self.set(0, first, second);
            }
        }
        Some(self.blocks)
    }

    /// Compute and store the value of a position; `share` is that of the side to move, rows are given by their numbers.
    #[inline(always)]
    fn set(&mut self, share: usize, own: usize, other: usize) {
        let value = self.value(share, own, other);
        let (block, at) = (self.block(share), own * self.rows[1 - share].len() + other);
        self.blocks[block][at] = value as u8;
    }

    #[inline(always)]
    fn value(&self, share: usize, own: usize, other: usize) -> i8 {
        let rules = &self.generator.rules;
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
            let value = if let Some(opposite) = sowing.captures(row) {
                let taken = row.get(opposite);
                let theirs = if taken == 0 { theirs } else { numbering.number(row.with(opposite, 0)) };
                sowing.gain + 1 + taken as i8 - self.tables.get(theirs, sowing.own_captured)
            } else if sowing.extra_turn {
                sowing.gain + self.tables.get(sowing.own, theirs)
            } else if sowing.gain == 0 {
                // All seeds remain in the own houses, and the other side is to move.
                -(self.blocks[self.block(1 - share)][other * width + sowing.own.number as usize] as i8)
            } else {
                sowing.gain - self.tables.get(theirs, sowing.own)
            };
            best = best.max(value);
        }
        best
    }
}
