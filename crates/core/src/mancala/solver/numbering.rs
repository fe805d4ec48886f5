//! A perfect numbering of positions with few seeds, for use as indices of endgame tables.
//!
//! Rows are numbered by the combinatorial number system. A row is described by its prefix sums: the seeds in the first
//! house, in the first two, and so on. Rows with the same number of seeds are in colexicographic order of these sums:
//! the last sum that differs decides. Sowing along a side's own houses lowers some sums and raises none, so it leads to
//! a lower number. A table can therefore be filled in the order of the numbers.

use crate::mancala::row::{EVERY_BYTE, Row};

/// The maximum number of seeds in the houses of a numbered position. Tables for more seeds would not fit in memory.
pub(super) const MAX_SEEDS: usize = 31;

/// The number of houses of a packed row, rounded up to a power of two.
const MAX_HOUSES: usize = 8;

/// The number of seeds of a row, and its number among the rows with the same number of seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowNumber {
    pub(super) seeds: u32,
    pub(super) number: u32,
}

/// The numbering for boards with a number of houses.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    houses: usize,
    /// By house and prefix sum: the binomial coefficient added to the number of a row. It is 0 for the last house,
    /// whose sum is the number of seeds.
    parts: [[u32; MAX_SEEDS + 1]; MAX_HOUSES],
    /// The number of rows, by seeds.
    rows: [u64; MAX_SEEDS + 1],
    /// By the seeds of the side to move and of the opponent: the first number of such positions in their layer.
    starts: [[u64; MAX_SEEDS + 1]; MAX_SEEDS + 1],
}

impl Numbering {
    pub(super) fn new(houses: usize) -> Self {
        let mut parts = [[0; MAX_SEEDS + 1]; MAX_HOUSES];
        for (house, parts) in parts.iter_mut().enumerate().take(houses - 1) {
            *parts = std::array::from_fn(|sum| choose(sum + house, house + 1) as u32);
        }
        let rows = std::array::from_fn(|seeds| choose(seeds + houses - 1, seeds));
        let mut starts = [[0; MAX_SEEDS + 1]; MAX_SEEDS + 1];
        for seeds in 0..=MAX_SEEDS {
            let mut start = 0;
            for own in 0..=seeds {
                starts[own][seeds - own] = start;
                start += rows[own] * rows[seeds - own];
            }
        }
        Numbering { houses, parts, rows, starts }
    }

    /// Return the number of positions with this number of seeds in the houses.
    pub(super) fn positions(&self, seeds: usize) -> u64 {
        choose(seeds + 2 * self.houses - 1, seeds)
    }

    /// Return the number of a row, whose store must be empty.
    #[inline(always)]
    pub(super) fn number(&self, row: u64) -> RowNumber {
        let sums = row.wrapping_mul(EVERY_BYTE);
        let part = |house: usize| self.parts[house][(sums >> (8 * house)) as usize & MAX_SEEDS];
        // Unrolled for every number of houses: unused parts are 0, and a loop would be slower.
        let number = part(0) + part(1) + part(2) + part(3) + part(4) + part(5);
        RowNumber { seeds: (sums >> 56) as u32, number }
    }

    /// Return the number of a position in its layer.
    #[inline(always)]
    pub(super) fn position(&self, own: RowNumber, other: RowNumber) -> u64 {
        let (own_seeds, other_seeds) = (own.seeds as usize & MAX_SEEDS, other.seeds as usize & MAX_SEEDS);
        self.starts[own_seeds][other_seeds] + u64::from(own.number) * self.rows[other_seeds] + u64::from(other.number)
    }

    /// Return the first number of the positions with these seeds on each side.
    pub(super) fn start(&self, own: usize, other: usize) -> u64 {
        self.starts[own][other]
    }

    /// Return the rows with a number of seeds, in the order of their numbers.
    pub(super) fn list(&self, seeds: usize) -> Vec<u64> {
        let mut found = Vec::with_capacity(self.rows[seeds] as usize);
        self.extend(self.houses, seeds, 0, &mut found);
        found
    }

    /// Add the rows with `seeds` seeds in the first `houses` houses; the other houses are those of `given`.
    fn extend(&self, houses: usize, seeds: usize, given: u64, found: &mut Vec<u64>) {
        if houses == 1 {
            found.push(given.with(0, seeds as u16));
            return;
        }
        // The prefix sum before this house is the most significant, and low sums come first.
        for before in 0..=seeds {
            self.extend(houses - 1, before, given.with(houses - 1, (seeds - before) as u16), found);
        }
    }
}

/// Return the binomial coefficient, or the maximum number if it overflows.
pub(super) fn choose(n: usize, k: usize) -> u64 {
    (0..k).try_fold(1u64, |ways, i| Some(ways.checked_mul((n - i) as u64)? / (i + 1) as u64)).unwrap_or(u64::MAX)
}
