//! The compiled evaluation: a network, or the weights of the linear evaluation by bit.

use std::any::Any;

use super::Evaluator;
use super::evaluate::FeatureSink;
use super::network::Network;
use super::patterns::{PatternTables, fold_men_into_patterns};
use super::weights::{Feature, TaperedWeight, Weights};
use crate::draughts::bitboard::Bitboard;
use crate::draughts::geometry::{Geometry, places, relative_square_count, relative_squares};
use crate::draughts::rules::Rules;
use crate::side::Side;

/// The number of weight units per unit of value: weights are in thousandths of a man, values in hundredths.
const WEIGHTS_PER_VALUE: i64 = 10;

/// The largest absolute value, in hundredths of a man.
pub const MAX_VALUE: i32 = 20_000;

/// The game phase of a full board; the phase of an empty board is 0.
const MAX_PHASE: i64 = 256;

/// An evaluation compiled for bitboards of the type `B`.
#[derive(Clone, Debug)]
pub enum Evaluation<B> {
    Linear(Box<LinearEvaluation<B>>),
    Network(Box<Network>),
}

/// A linear evaluation compiled for bitboards of the type `B`.
#[derive(Clone, Debug)]
pub struct LinearEvaluation<B> {
    pub(super) counts: [TaperedScore; Feature::COUNT],
    /// The piece-square table of men, by side and bit.
    pub(super) men: [Vec<TaperedScore>; 2],
    /// The piece-square table of kings, by side and bit.
    pub(super) kings: [Vec<TaperedScore>; 2],
    pub(super) patterns: PatternTables,
    /// The game phase by the number of pieces.
    phases: Vec<i64>,
    /// The squares of the left half and of the right half.
    pub(super) halves: [B; 2],
    /// For each side, the columns that have a square in its first row; empty on a board of all squares.
    pub(super) systems: [B; 2],
    /// The maximum number of forward steps of a man.
    pub(super) max_steps: usize,
    /// The relative square of each bit, by side.
    pub(super) relative_squares: [Vec<usize>; 2],
    pub(super) relative_square_count: usize,
    active_terms: ActiveTerms,
}

/// The groups of features that have a non-zero weight; the others are not counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActiveTerms {
    pub men: bool,
    pub kings: bool,
    pub structure: bool,
    pub man_mobility: bool,
    pub runners: bool,
    pub king_mobility: bool,
}

/// A tapered score: the scores for opening and endgame packed into one integer, so that one addition adds both. The
/// endgame score is in the upper half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct TaperedScore(pub i64);

impl TaperedScore {
    fn new(weight: TaperedWeight) -> Self {
        TaperedScore(i64::from(weight[0]) + (i64::from(weight[1]) << 32))
    }

    /// Unpack the scores for the opening and for the endgame.
    #[inline(always)]
    pub fn opening_and_ending(self) -> [i64; 2] {
        let opening = i64::from(self.0 as i32);
        [opening, (self.0 - opening) >> 32]
    }
}

impl<B: Bitboard> LinearEvaluation<B> {
    /// Compile the weights. The error says why they do not fit the board.
    pub(in crate::draughts) fn new(rules: &Rules, geometry: &Geometry<B>, weights: &Weights) -> Result<Self, String> {
        if let Some(problem) = weights.problem(rules) {
            return Err(problem);
        }
        let weights = &fold_men_into_patterns(weights);
        let relative_squares = relative_squares(rules).map(|squares| {
            let mut by_bit = vec![0; B::BITS];
            geometry.bits.iter().zip(squares).for_each(|(bit, square)| by_bit[*bit] = square);
            by_bit
        });
        let table = |weights: &[TaperedWeight]| {
            [0, 1].map(|side: usize| piece_square_table(geometry, &relative_squares[side], weights))
        };
        let squares = geometry.bits.len();
        let full = weights.full as i64;
        Ok(LinearEvaluation {
            counts: weights.counts.map(TaperedScore::new),
            men: table(&weights.men),
            kings: table(&weights.kings),
            patterns: PatternTables::new(geometry, &weights.patterns),
            phases: (0..=squares as i64).map(|pieces| pieces.min(full) * MAX_PHASE / full).collect(),
            halves: halves(rules, geometry),
            systems: systems(rules, geometry),
            max_steps: rules.rows - 1,
            active_terms: ActiveTerms::new(weights),
            relative_squares,
            relative_square_count: relative_square_count(rules),
        })
    }

    /// Return the game phase: the weight of the opening scores, out of `MAX_PHASE`.
    #[inline(always)]
    pub(super) fn phase(&self, pieces: usize) -> i64 {
        self.phases[pieces]
    }

    /// Interpolate between the scores for opening and endgame, and return the value in hundredths of a man.
    #[inline(always)]
    pub(super) fn interpolate([opening, ending]: [i64; 2], phase: i64) -> i32 {
        let value = (opening * phase + ending * (MAX_PHASE - phase)) / (MAX_PHASE * WEIGHTS_PER_VALUE);
        value.clamp(-i64::from(MAX_VALUE), i64::from(MAX_VALUE)) as i32
    }
}

impl ActiveTerms {
    pub const ALL: ActiveTerms =
        ActiveTerms { men: true, kings: true, structure: true, man_mobility: true, runners: true, king_mobility: true };

    fn new(weights: &Weights) -> Self {
        let is_active = |weight: &TaperedWeight| *weight != [0; 2];
        let any = |features: &[Feature]| features.iter().any(|feature| is_active(&weights.counts[*feature as usize]));
        ActiveTerms {
            men: weights.men.iter().any(is_active),
            kings: weights.kings.iter().any(is_active),
            structure: any(&[Feature::Support, Feature::Loose, Feature::Hanging]),
            man_mobility: any(&[Feature::Step, Feature::Stuck]),
            runners: any(&[Feature::Runner]),
            king_mobility: any(&[Feature::KingReach, Feature::KingDenied, Feature::KingTrapped]),
        }
    }
}

fn piece_square_table<B: Bitboard>(
    geometry: &Geometry<B>,
    relative_squares: &[usize],
    weights: &[TaperedWeight],
) -> Vec<TaperedScore> {
    let mut table = vec![TaperedScore::default(); B::BITS];
    for &bit in &geometry.bits {
        table[bit] = TaperedScore::new(weights[relative_squares[bit]]);
    }
    table
}

/// Return the squares whose row and column satisfy the predicate.
fn squares_where<B: Bitboard>(rules: &Rules, geometry: &Geometry<B>, predicate: impl Fn(usize, usize) -> bool) -> B {
    let all = places(rules).into_iter().zip(&geometry.bits);
    all.filter(|((row, column), _)| predicate(*row, *column)).fold(B::EMPTY, |set, (_, bit)| set | B::bit(*bit))
}

fn halves<B: Bitboard>(rules: &Rules, geometry: &Geometry<B>) -> [B; 2] {
    let columns = rules.columns;
    [
        squares_where(rules, geometry, |_, column| 2 * column + 1 < columns),
        squares_where(rules, geometry, |_, column| 2 * column + 1 > columns),
    ]
}

fn systems<B: Bitboard>(rules: &Rules, geometry: &Geometry<B>) -> [B; 2] {
    if rules.all_squares {
        return [B::EMPTY; 2];
    }
    [rules.rows - 1, 0].map(|first_row| {
        let first: Vec<usize> =
            places(rules).into_iter().filter(|(row, _)| *row == first_row).map(|(_, column)| column).collect();
        squares_where(rules, geometry, |_, column| first.contains(&column))
    })
}

impl<B: Bitboard> Evaluator for Evaluation<B> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn is_linear(&self) -> bool {
        matches!(self, Evaluation::Linear(_))
    }
}

/// A feature sink that adds up the weights of the features.
pub(super) struct WeightedSum<'a, B> {
    pub evaluation: &'a LinearEvaluation<B>,
    pub total: TaperedScore,
}

impl<B: Bitboard> FeatureSink<B> for WeightedSum<'_, B> {
    #[inline(always)]
    fn active_terms(&self) -> ActiveTerms {
        self.evaluation.active_terms
    }

    #[inline(always)]
    fn add(&mut self, feature: Feature, count: i32) {
        self.total.0 += self.evaluation.counts[feature as usize].0 * i64::from(count);
    }

    #[inline(always)]
    fn add_men(&mut self, side: Side, men: B) {
        let sum: i64 = men.bits().map(|bit| self.evaluation.men[side.index()][bit].0).sum();
        self.total.0 += signed(side, sum);
    }

    #[inline(always)]
    fn add_kings(&mut self, side: Side, kings: B) {
        let sum: i64 = kings.bits().map(|bit| self.evaluation.kings[side.index()][bit].0).sum();
        self.total.0 += signed(side, sum);
    }
}

/// Return White's number unchanged, Black's negated.
#[inline(always)]
const fn signed(side: Side, number: i64) -> i64 {
    match side {
        Side::White => number,
        Side::Black => -number,
    }
}
