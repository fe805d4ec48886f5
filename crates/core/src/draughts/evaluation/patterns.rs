//! Pattern tables: the configuration of men on a few squares is the index of a weight.
//!
//! Every pattern is looked up twice, from White's point of view and from Black's. Each look-up is a lane with its own
//! index. A man adds to the indices of all lanes at once, eight lanes in one vector addition.

use super::weights::{Pattern, TaperedWeight, Weights};
use crate::draughts::bitboard::Bitboard;
use crate::draughts::geometry::Geometry;

/// The number of indices in one vector.
const LANES: usize = 8;

/// Move the piece-square weights of men into the tables of patterns that cover their squares, so that these men need no
/// separate lookup. A man is an own man in its owner's pattern, and an enemy man in the opponent's.
pub(super) fn fold_men_into_patterns(weights: &Weights) -> Weights {
    let mut folded = weights.clone();
    for square in 0..weights.men.len() {
        let opposite = weights.men.len() - 1 - square;
        for (square_seen, digit) in [(square, 1), (opposite, 2)] {
            if let Some(pattern) = folded.patterns.iter_mut().find(|pattern| pattern.squares.contains(&square_seen)) {
                pattern.add(square_seen, digit, std::mem::take(&mut folded.men[square]));
                break;
            }
        }
    }
    folded
}

impl Pattern {
    /// Add a weight to every entry in which the square has this digit; subtract it if the digit is that of an enemy man.
    fn add(&mut self, square: usize, digit: usize, weight: TaperedWeight) {
        let place = self.squares.iter().position(|each| *each == square).expect("the square is in the pattern");
        let power = 3usize.pow(place as u32);
        let entries = self.table.iter_mut().enumerate().filter(|(index, _)| index / power % 3 == digit);
        for (_, entry) in entries {
            for (value, weight) in entry.iter_mut().zip(weight) {
                *value = if digit == 1 { value.saturating_add(weight) } else { value.saturating_sub(weight) };
            }
        }
    }
}

/// Patterns compiled for the bits of one board.
#[derive(Clone, Debug, Default)]
pub(super) struct PatternTables {
    /// The number that a man adds to the indices, by group of lanes, side and bit.
    digits: Vec<[Vec<[u32; LANES]>; 2]>,
    /// The tables of all patterns, concatenated.
    table: Vec<TaperedWeight>,
    /// The offset of each pattern's table.
    offsets: Vec<usize>,
}

impl PatternTables {
    pub fn new<B: Bitboard>(geometry: &Geometry<B>, patterns: &[Pattern]) -> Self {
        let groups = (2 * patterns.len()).div_ceil(LANES);
        let empty = || vec![[0; LANES]; B::BITS];
        let mut compiled =
            PatternTables { digits: (0..groups).map(|_| [empty(), empty()]).collect(), ..PatternTables::default() };
        let last = geometry.bits.len() - 1;
        for (index, pattern) in patterns.iter().enumerate() {
            compiled.offsets.push(compiled.table.len());
            compiled.table.extend(&pattern.table);
            let mut power = 1;
            for &square in &pattern.squares {
                // For White, and for Black with the board rotated: an own man is digit 1, an enemy man digit 2.
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
        self.offsets.is_empty()
    }

    /// Return the scores for opening and endgame, White's minus Black's.
    #[inline(always)]
    pub fn scores<B: Bitboard>(&self, men: [B; 2]) -> [i64; 2] {
        let mut sums = [0i32; 2];
        for (digits, offsets) in self.digits.iter().zip(self.offsets.chunks(LANES / 2)) {
            let indices = indices(digits, men);
            for (pattern, offset) in offsets.iter().enumerate() {
                let white = self.table[offset + indices[2 * pattern] as usize];
                let black = self.table[offset + indices[2 * pattern + 1] as usize];
                sums[0] += i32::from(white[0]) - i32::from(black[0]);
                sums[1] += i32::from(white[1]) - i32::from(black[1]);
            }
        }
        sums.map(i64::from)
    }

    /// Return for each pattern the indices into the concatenated tables, White's and Black's.
    pub fn table_indices<B: Bitboard>(&self, men: [B; 2]) -> impl Iterator<Item = [u32; 2]> {
        let all = self.digits.iter().flat_map(move |digits| indices(digits, men)).collect::<Vec<_>>();
        self.offsets
            .iter()
            .enumerate()
            .map(move |(pattern, offset)| [0, 1].map(|viewer| *offset as u32 + all[2 * pattern + viewer]))
    }
}

#[inline(always)]
fn indices<B: Bitboard>(digits: &[Vec<[u32; LANES]>; 2], men: [B; 2]) -> [u32; LANES] {
    let mut indices = [0u32; LANES];
    for (digits, men) in digits.iter().zip(men) {
        for bit in men.bits() {
            for (index, digit) in indices.iter_mut().zip(digits[bit]) {
                *index = index.wrapping_add(digit);
            }
        }
    }
    indices
}
