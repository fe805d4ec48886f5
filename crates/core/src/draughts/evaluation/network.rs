//! Neural network evaluation: one hidden layer, seen from both sides, and one output.
//!
//! The inputs are bits: own men, own kings, enemy men and enemy kings on each relative square. The sums of the hidden
//! layer are an accumulator. Accumulators are kept between evaluations and updated incrementally: only the columns of
//! the weights are added or subtracted in which two positions differ. There are two accumulators, for White's and for
//! Black's point of view, with the same weights. The activation is the squared clipped rectified linear unit (SCReLU):
//! `x` limited to the range from 0 to 1, squared. The weights of the output depend on the number of pieces (output
//! buckets).
//!
//! All weights are integers (quantised): in the hidden layer `INPUT_UNIT` stands for 1, and `NetworkWeights::scale` is
//! the value of one unit of the output. Sums of integers do not depend on their order, so AVX2 and portable code give
//! the same values.

use super::compiled::MAX_VALUE;
use crate::draughts::bitboard::Bitboard;
use crate::draughts::geometry::{Geometry, relative_square_count, relative_squares};
use crate::draughts::position::Position;
use crate::draughts::rules::Rules;

/// The integer that stands for 1 in the hidden layer.
const INPUT_UNIT: i16 = 255;
/// The largest absolute output weight: its product with `INPUT_UNIT` fits in 16 bits.
const MAX_OUTPUT_WEIGHT: i16 = 128;
/// The number of fractional bits of `NetworkWeights::scale`.
const SCALE_BITS: u32 = 32;
/// The maximum of `NetworkWeights::scale`; a product of the scale and an output fits in 64 bits.
const MAX_SCALE: i64 = 1 << 31;

/// The number of sums that are updated at a time: those of one tile stay in vector registers.
const TILE: usize = 128;
/// The number of positions whose sums a search thread keeps.
const ENTRIES: usize = 4;
/// The maximum size of the hidden layer.
const MAX_HIDDEN: usize = 1024;
/// The numbers of men and kings of the sides: the inputs for each square.
pub(super) const PLANES: usize = 4;

/// The weights of a network, by relative square: see `relative_square_count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkWeights {
    /// The number of pieces from which on the last output bucket is used.
    pub full: usize,
    /// The size of the hidden layer, a multiple of 128.
    pub hidden: usize,
    /// The weights of the hidden layer: for each input a column of `hidden` weights. The inputs are own men, own kings,
    /// enemy men, and enemy kings, each by relative square.
    pub input: Vec<i16>,
    /// The initial sums of the hidden layer.
    pub input_bias: Vec<i16>,
    /// The output weights: for each bucket those of the side to move, then those of the opponent.
    pub output: Vec<i16>,
    /// The initial output of each bucket.
    pub output_bias: Vec<i32>,
    /// The value of an output of 1, in hundredths of a man, times 2 to the power of 32.
    pub scale: i64,
}

/// Sums or weights that are processed together, on one cache line boundary.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Tile([i16; TILE]);

/// A network compiled for the bits of one board.
#[derive(Clone, Debug)]
pub struct Network {
    input: Vec<Tile>,
    input_bias: Vec<Tile>,
    output: Vec<Tile>,
    output_bias: Vec<i32>,
    scale: i64,
    /// The number of tiles of the hidden layer.
    width: usize,
    /// The first tiles of the columns of a piece, for White's and for Black's point of view, by set of pieces (see
    /// `piece_sets`) and bit.
    columns: [Vec<[u32; 2]>; PLANES],
    /// The output bucket, by number of pieces.
    buckets: Vec<usize>,
    has_avx2: bool,
}

/// The sums of the hidden layer for the positions that were evaluated last. Each evaluation starts from the sums of the
/// most similar position.
#[derive(Clone, Debug)]
pub struct Accumulator<B> {
    entries: Vec<Entry<B>>,
    /// The entry that was replaced last; the next one is the oldest.
    last: usize,
    changes: Changes,
}

/// The sums of the hidden layer for a position, from White's and from Black's point of view.
#[derive(Clone, Debug)]
struct Entry<B> {
    sets: [B; PLANES],
    sums: [Vec<Tile>; 2],
}

/// The first tiles of the columns to add and to subtract, for both points of view.
#[derive(Clone, Debug, Default)]
struct Changes {
    added: [Vec<u32>; 2],
    removed: [Vec<u32>; 2],
}

impl NetworkWeights {
    /// Return the number of output buckets.
    pub fn buckets(&self) -> usize {
        self.output_bias.len()
    }

    /// Return why these weights do not fit the board of the rules, or None if they fit.
    fn problem(&self, rules: &Rules) -> Option<String> {
        let (hidden, squares) = (self.hidden, relative_square_count(rules));
        if hidden == 0 || !hidden.is_multiple_of(TILE) || hidden > MAX_HIDDEN {
            return Some(format!("the hidden layer must have a multiple of {TILE} up to {MAX_HIDDEN}, not {hidden}"));
        }
        if self.full == 0 || self.buckets() == 0 {
            return Some("a network must have at least one output bucket and one piece".to_owned());
        }
        let sizes = [
            ("input weights", self.input.len(), PLANES * squares * hidden),
            ("input biases", self.input_bias.len(), hidden),
            ("output weights", self.output.len(), self.buckets() * 2 * hidden),
        ];
        for (name, size, expected) in sizes {
            if size != expected {
                return Some(format!("expected {expected} {name}, got {size}"));
            }
        }
        if let Some(weight) = self.output.iter().find(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16) {
            return Some(format!("output weight {weight} is not in the range ±{MAX_OUTPUT_WEIGHT}"));
        }
        if !(1..=MAX_SCALE).contains(&self.scale) {
            return Some(format!("expected a scale from 1 to {MAX_SCALE}, got {}", self.scale));
        }
        let unit = i64::from(INPUT_UNIT);
        for (weights, bias) in self.output.chunks(2 * hidden).zip(&self.output_bias) {
            let sum: i64 = weights.iter().map(|weight| i64::from(weight.unsigned_abs())).sum();
            if sum * unit * unit + i64::from(bias.unsigned_abs()) > i64::from(i32::MAX) {
                return Some("the output weights are too large: their sum does not fit in 32 bits".to_owned());
            }
        }
        (0..hidden).find_map(|unit| self.hidden_problem(unit, squares))
    }

    /// Return an error message if the sum of a hidden unit may not fit in 16 bits.
    fn hidden_problem(&self, unit: usize, squares: usize) -> Option<String> {
        let (mut least, mut most) = (i64::from(self.input_bias[unit]), i64::from(self.input_bias[unit]));
        for square in 0..squares {
            let weights = (0..PLANES).map(|plane| self.input[(plane * squares + square) * self.hidden + unit]);
            let weights = weights.map(i64::from).chain([0]);
            least += weights.clone().min().unwrap_or(0);
            most += weights.max().unwrap_or(0);
        }
        let fits = least >= i64::from(i16::MIN) && most <= i64::from(i16::MAX);
        (!fits).then(|| format!("the input weights of hidden unit {unit} are too large: their sum may exceed 16 bits"))
    }
}

/// Return the output bucket of a position with this number of pieces.
pub(super) fn bucket_of(pieces: usize, buckets: usize, full: usize) -> usize {
    (pieces * buckets / (full + 1)).min(buckets - 1)
}

fn tiles(weights: &[i16]) -> Vec<Tile> {
    weights.chunks_exact(TILE).map(|chunk| Tile(chunk.try_into().expect("a chunk has the size of a tile"))).collect()
}

impl Network {
    /// Compile the weights. The error says why they do not fit the board.
    pub fn new<B: Bitboard>(rules: &Rules, geometry: &Geometry<B>, weights: &NetworkWeights) -> Result<Self, String> {
        if let Some(problem) = weights.problem(rules) {
            return Err(problem);
        }
        let squares = relative_square_count(rules);
        let (width, relative_squares) = (weights.hidden / TILE, relative_squares(rules));
        let mut columns: [Vec<[u32; 2]>; PLANES] = std::array::from_fn(|_| vec![[0; 2]; B::BITS]);
        for (set, columns) in columns.iter_mut().enumerate() {
            let (owner, is_king) = (set / 2, set % 2);
            for (square, bit) in geometry.bits.iter().enumerate() {
                columns[*bit] = [0, 1].map(|viewer: usize| {
                    let plane = 2 * usize::from(owner != viewer) + is_king;
                    ((plane * squares + relative_squares[viewer][square]) * width) as u32
                });
            }
        }
        let buckets = weights.buckets();
        Ok(Network {
            input: tiles(&weights.input),
            input_bias: tiles(&weights.input_bias),
            output: tiles(&weights.output),
            output_bias: weights.output_bias.clone(),
            scale: weights.scale,
            width,
            columns,
            buckets: (0..=geometry.bits.len()).map(|pieces| bucket_of(pieces, buckets, weights.full)).collect(),
            has_avx2: has_avx2(),
        })
    }

    /// Return the value of the position for the side to move, in hundredths of a man, limited to ±`MAX_VALUE`.
    #[inline(always)]
    pub fn evaluate<B: Bitboard>(&self, position: &Position<B>, accumulator: &mut Accumulator<B>) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.has_avx2 {
            return avx2::evaluate(self, position, accumulator);
        }
        self.evaluate_with(position, accumulator, dot)
    }

    /// Do not use AVX2 instructions.
    #[cfg(test)]
    pub fn use_portable_code(&mut self) {
        self.has_avx2 = false;
    }

    /// Return the same as `evaluate`, with a function for the sum of weights times activations.
    #[inline(always)]
    fn evaluate_with<B: Bitboard>(
        &self,
        position: &Position<B>,
        accumulator: &mut Accumulator<B>,
        dot: impl Fn(&[Tile], &[Tile]) -> i32,
    ) -> i32 {
        let sums = accumulator.update(self, position);
        let bucket = self.buckets[position.occupied().count()];
        let weights = &self.output[bucket * 2 * self.width..][..2 * self.width];
        let (own, enemy) = weights.split_at(self.width);
        let viewer = position.turn.index();
        let sum = self.output_bias[bucket] + dot(&sums[viewer], own) + dot(&sums[1 - viewer], enemy);
        let value = (i64::from(sum) * self.scale + (1 << (SCALE_BITS - 1))) >> SCALE_BITS;
        value.clamp(-i64::from(MAX_VALUE), i64::from(MAX_VALUE)) as i32
    }
}

/// Return the sum of weights times activations.
#[inline(always)]
fn dot(sums: &[Tile], weights: &[Tile]) -> i32 {
    let mut total = 0;
    for (sums, weights) in sums.iter().zip(weights) {
        for (sum, weight) in sums.0.iter().zip(weights.0) {
            let clipped = (*sum).clamp(0, INPUT_UNIT);
            // The first product fits in 16 bits.
            total += i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped);
        }
    }
    total
}

/// Return the sets of pieces that the inputs are derived from: White's men and kings, Black's men and kings.
#[inline(always)]
fn piece_sets<B: Bitboard>(position: &Position<B>) -> [B; PLANES] {
    let [white, black] = position.pieces;
    [white & !position.kings, white & position.kings, black & !position.kings, black & position.kings]
}

impl<B: Bitboard> Accumulator<B> {
    /// Create an accumulator without positions.
    pub fn new() -> Self {
        Accumulator { entries: Vec::new(), last: 0, changes: Changes::default() }
    }

    /// Return the sums for a position.
    #[inline(always)]
    fn update(&mut self, network: &Network, position: &Position<B>) -> &[Vec<Tile>; 2] {
        let sets = piece_sets(position);
        if self.entries.is_empty() {
            // The sums of an empty board.
            let sums = [network.input_bias.clone(), network.input_bias.clone()];
            self.entries = vec![Entry { sets: [B::EMPTY; PLANES], sums }; ENTRIES];
        }
        let (mut nearest, mut fewest) = (0, usize::MAX);
        for (index, entry) in self.entries.iter().enumerate() {
            let changes = entry.sets.iter().zip(&sets).map(|(old, new)| (*old ^ *new).count()).sum();
            if changes < fewest {
                (nearest, fewest) = (index, changes);
            }
        }
        if fewest == 0 {
            return &self.entries[nearest].sums;
        }
        self.changes.clear();
        for ((old, new), columns) in self.entries[nearest].sets.iter().zip(&sets).zip(&network.columns) {
            (*new & !*old).bits().for_each(|bit| push(&mut self.changes.added, columns[bit]));
            (*old & !*new).bits().for_each(|bit| push(&mut self.changes.removed, columns[bit]));
        }
        self.last = (self.last + 1) % ENTRIES;
        if self.last == nearest {
            self.last = (self.last + 1) % ENTRIES;
        }
        let [from, to] = self.entries.get_disjoint_mut([nearest, self.last]).expect("the entries are different");
        let Changes { added, removed } = &self.changes;
        for viewer in 0..2 {
            update_sums(&from.sums[viewer], &mut to.sums[viewer], &network.input, &added[viewer], &removed[viewer]);
        }
        to.sets = sets;
        &to.sums
    }
}

impl Changes {
    #[inline(always)]
    fn clear(&mut self) {
        self.added.iter_mut().chain(&mut self.removed).for_each(Vec::clear);
    }
}

#[inline(always)]
fn push(columns: &mut [Vec<u32>; 2], column: [u32; 2]) {
    columns[0].push(column[0]);
    columns[1].push(column[1]);
}

/// Add columns of the weights to sums, and subtract others.
#[inline(always)]
fn update_sums(from: &[Tile], to: &mut [Tile], input: &[Tile], added: &[u32], removed: &[u32]) {
    for (index, (from, to)) in from.iter().zip(to).enumerate() {
        let mut tile = *from;
        for column in added {
            let weights = &input[*column as usize + index].0;
            tile.0.iter_mut().zip(weights).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
        }
        for column in removed {
            let weights = &input[*column as usize + index].0;
            tile.0.iter_mut().zip(weights).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
        }
        *to = tile;
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

/// The evaluation with AVX2 instructions, which is selected at run time.
///
/// The compiler vectorises the updates of the sums by itself, but not the output with registers of 256 bits.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
        _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_storeu_si256,
    };

    use super::{Accumulator, INPUT_UNIT, Network, TILE, Tile};
    use crate::draughts::bitboard::Bitboard;
    use crate::draughts::position::Position;

    /// The number of 16-bit integers in a vector.
    const LANES: usize = 16;

    #[inline(always)]
    pub fn evaluate<B: Bitboard>(network: &Network, position: &Position<B>, accumulator: &mut Accumulator<B>) -> i32 {
        // Safety: the only caller has checked that the processor has AVX2.
        unsafe { evaluate_avx2(network, position, accumulator) }
    }

    #[target_feature(enable = "avx2")]
    fn evaluate_avx2<B: Bitboard>(network: &Network, position: &Position<B>, accumulator: &mut Accumulator<B>) -> i32 {
        network.evaluate_with(position, accumulator, |sums, weights| dot(sums, weights))
    }

    /// Return the sum of weights times activations.
    #[target_feature(enable = "avx2")]
    fn dot(sums: &[Tile], weights: &[Tile]) -> i32 {
        let (zero, unit) = (_mm256_setzero_si256(), _mm256_set1_epi16(INPUT_UNIT));
        let mut totals = [zero; 2];
        for (sums, weights) in sums.iter().zip(weights) {
            for index in 0..TILE / LANES {
                let clipped = _mm256_min_epi16(_mm256_max_epi16(load(sums, index), zero), unit);
                let products = _mm256_madd_epi16(_mm256_mullo_epi16(clipped, load(weights, index)), clipped);
                totals[index % 2] = _mm256_add_epi32(totals[index % 2], products);
            }
        }
        let mut lanes = [0i32; LANES / 2];
        // Safety: the array has the size of a vector.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), _mm256_add_epi32(totals[0], totals[1])) };
        lanes.iter().sum()
    }

    /// Load a vector of a tile.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(tile: &Tile, index: usize) -> __m256i {
        let vector = &tile.0[LANES * index..][..LANES];
        // Safety: the slice has the size of a vector. Tiles are aligned to 64 bytes, vectors of a tile to 32 bytes.
        unsafe { _mm256_load_si256(vector.as_ptr().cast()) }
    }
}
