//! Patterns: the men on some squares looked up in a table.
//!
//! Every pattern is looked up twice, as White sees it and as Black does; each such look is a lane with an index of its
//! own. A man adds to the indices of all lanes at once, eight lanes in one addition.

use super::weights::{Pair, Pattern, Weights};
use crate::draughts::geometry::Geometry;
use crate::draughts::squares::SquareSet;

/// How many indices are added at once.
const LANES: usize = 8;

/// The same weights with those of men on squares in the tables of patterns, where there are some: then men need not be
/// looked up one by one. A man is seen by its own side as its own, and from across the board as the enemy's.
pub(super) fn folded(weights: &Weights) -> Weights {
    let mut folded = weights.clone();
    for square in 0..weights.men.len() {
        let across = weights.men.len() - 1 - square;
        for (seen, digit) in [(square, 1), (across, 2)] {
            if let Some(pattern) = folded.patterns.iter_mut().find(|pattern| pattern.squares.contains(&seen)) {
                pattern.add(seen, digit, std::mem::take(&mut folded.men[square]));
                break;
            }
        }
    }
    folded
}

impl Pattern {
    /// Adds to every way in which a square has this digit: a weight for an own man, or against an enemy man.
    fn add(&mut self, square: usize, digit: usize, weight: Pair) {
        let place = self.squares.iter().position(|each| *each == square).expect("the square is in the pattern");
        let power = 3usize.pow(place as u32);
        let ways = self.table.iter_mut().enumerate().filter(|(way, _)| way / power % 3 == digit);
        for (_, entry) in ways {
            for (value, weight) in entry.iter_mut().zip(weight) {
                *value = if digit == 1 { value.saturating_add(weight) } else { value.saturating_sub(weight) };
            }
        }
    }
}

/// Patterns compiled for the bits of one board.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns {
    /// What a man of a side on a bit adds to the indices, by group of lanes, side and bit.
    digits: Vec<[Vec<[u16; LANES]>; 2]>,
    /// Every table, one after the other.
    table: Vec<Pair>,
    /// Where the table of each pattern begins.
    begins: Vec<usize>,
}

impl Patterns {
    pub fn new<S: SquareSet>(geometry: &Geometry<S>, patterns: &[Pattern]) -> Self {
        let groups = (2 * patterns.len()).div_ceil(LANES);
        let empty = || vec![[0; LANES]; S::BITS];
        let mut compiled =
            Patterns { digits: (0..groups).map(|_| [empty(), empty()]).collect(), ..Patterns::default() };
        let last = geometry.bits.len() - 1;
        for (index, pattern) in patterns.iter().enumerate() {
            compiled.begins.push(compiled.table.len());
            compiled.table.extend(&pattern.table);
            let mut power = 1;
            for &square in &pattern.squares {
                // For White, and for Black on the board turned around: an own man is 1, an enemy man 2.
                for (viewer, seen) in [square, last - square].into_iter().enumerate() {
                    let lane = 2 * index + viewer;
                    let digits = &mut compiled.digits[lane / LANES];
                    digits[viewer][geometry.bits[seen]][lane % LANES] = power;
                    digits[1 - viewer][geometry.bits[seen]][lane % LANES] = 2 * power;
                }
                power = power.wrapping_mul(3);
            }
        }
        compiled
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.begins.is_empty()
    }

    /// The sums for opening and ending, White's less Black's.
    #[inline(always)]
    pub fn values<S: SquareSet>(&self, men: [S; 2]) -> [i64; 2] {
        let mut sums = [0i32; 2];
        for (digits, begins) in self.digits.iter().zip(self.begins.chunks(LANES / 2)) {
            let indices = indices(digits, men);
            for (pattern, begin) in begins.iter().enumerate() {
                let white = self.table[begin + usize::from(indices[2 * pattern])];
                let black = self.table[begin + usize::from(indices[2 * pattern + 1])];
                sums[0] += i32::from(white[0]) - i32::from(black[0]);
                sums[1] += i32::from(white[1]) - i32::from(black[1]);
            }
        }
        sums.map(i64::from)
    }

    /// The places in the tables put one after the other: for each pattern White's look and Black's.
    pub fn looks<S: SquareSet>(&self, men: [S; 2]) -> impl Iterator<Item = [u32; 2]> {
        let all = self.digits.iter().flat_map(move |digits| indices(digits, men)).collect::<Vec<_>>();
        self.begins
            .iter()
            .enumerate()
            .map(move |(pattern, begin)| [0, 1].map(|viewer| *begin as u32 + u32::from(all[2 * pattern + viewer])))
    }
}

#[inline(always)]
fn indices<S: SquareSet>(digits: &[Vec<[u16; LANES]>; 2], men: [S; 2]) -> [u16; LANES] {
    let mut indices = [0u16; LANES];
    for (digits, men) in digits.iter().zip(men) {
        for bit in men.bits() {
            for (index, digit) in indices.iter_mut().zip(digits[bit]) {
                *index = index.wrapping_add(digit);
            }
        }
    }
    indices
}
