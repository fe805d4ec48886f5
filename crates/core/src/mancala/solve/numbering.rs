//! A number for every position with few seeds, so that a table can hold what each is worth.
//!
//! A row of houses is known by its prefix sums: the seeds in the first house, in the first two, and so on. Rows with as
//! many seeds are numbered in the order of these sums, the last one that differs deciding. Sowing along the own houses
//! lowers sums and raises none, so it leads to a lower number: a table is filled in the order of the numbers.

use crate::mancala::row::{EVERY_BYTE, Row};

/// The most seeds in the houses that positions are numbered for: more of them fill no table that fits a memory.
pub(super) const MOST: usize = 31;

/// The houses of a packed row, and one more for a power of two.
const ROOM: usize = 8;

/// The seeds in the houses of a row, and its number among those with as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowNumber {
    pub(super) seeds: u32,
    pub(super) number: u32,
}

/// Numbers for the rows of a board.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    houses: usize,
    /// By house and prefix sum: what they add to the number of a row. Nothing for the last house, whose sum is known.
    parts: [[u32; MOST + 1]; ROOM],
    /// How many rows there are, by seeds.
    rows: [u64; MOST + 1],
    /// By the seeds of the side to move and those of the other: where such positions begin among all with as many.
    starts: [[u64; MOST + 1]; MOST + 1],
}

impl Numbering {
    pub(super) fn new(houses: usize) -> Self {
        let mut parts = [[0; MOST + 1]; ROOM];
        for (house, parts) in parts.iter_mut().enumerate().take(houses - 1) {
            *parts = std::array::from_fn(|sum| choose(sum + house, house + 1) as u32);
        }
        let rows = std::array::from_fn(|seeds| choose(seeds + houses - 1, seeds));
        let mut starts = [[0; MOST + 1]; MOST + 1];
        for seeds in 0..=MOST {
            let mut start = 0;
            for own in 0..=seeds {
                starts[own][seeds - own] = start;
                start += rows[own] * rows[seeds - own];
            }
        }
        Numbering { houses, parts, rows, starts }
    }

    /// How many positions have so many seeds in the houses.
    pub(super) fn positions(&self, seeds: usize) -> u64 {
        choose(seeds + 2 * self.houses - 1, seeds)
    }

    /// The number of a row, whose store must be empty.
    #[inline(always)]
    pub(super) fn number(&self, row: u64) -> RowNumber {
        let sums = row.wrapping_mul(EVERY_BYTE);
        let part = |house: usize| self.parts[house][(sums >> (8 * house)) as usize & MOST];
        // All of them, whatever the number of houses: parts that are not there are 0, and a loop would cost more.
        let number = part(0) + part(1) + part(2) + part(3) + part(4) + part(5);
        RowNumber { seeds: (sums >> 56) as u32, number }
    }

    /// The number of a position among those with as many seeds in the houses.
    #[inline(always)]
    pub(super) fn position(&self, own: RowNumber, other: RowNumber) -> u64 {
        let (own_seeds, other_seeds) = (own.seeds as usize & MOST, other.seeds as usize & MOST);
        self.starts[own_seeds][other_seeds] + u64::from(own.number) * self.rows[other_seeds] + u64::from(other.number)
    }

    /// Where positions with so many seeds on each side begin.
    pub(super) fn start(&self, own: usize, other: usize) -> u64 {
        self.starts[own][other]
    }

    /// The rows with so many seeds, in the order of their numbers.
    pub(super) fn list(&self, seeds: usize) -> Vec<u64> {
        let mut found = Vec::with_capacity(self.rows[seeds] as usize);
        self.extend(self.houses, seeds, 0, &mut found);
        found
    }

    /// Adds the rows whose first so many houses hold so many seeds, the others being given.
    fn extend(&self, houses: usize, seeds: usize, given: u64, found: &mut Vec<u64>) {
        if houses == 1 {
            found.push(given.with(0, seeds as u16));
            return;
        }
        // The sum before this house counts most, and low sums come first.
        for before in 0..=seeds {
            self.extend(houses - 1, before, given.with(houses - 1, (seeds - before) as u16), found);
        }
    }
}

/// How many ways there are to choose `k` of `n`; the largest number where it is too large.
pub(super) fn choose(n: usize, k: usize) -> u64 {
    (0..k).try_fold(1u64, |ways, i| Some(ways.checked_mul((n - i) as u64)? / (i + 1) as u64)).unwrap_or(u64::MAX)
}
