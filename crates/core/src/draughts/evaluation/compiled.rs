//! Weights compiled for sets of one type.

use std::any::Any;

use super::patterns::{Patterns, folded};
use super::weights::{Feature, Pair, Weights, view_count, views};
use super::{Judge, count::Tally};
use crate::draughts::geometry::{Geometry, places};
use crate::draughts::rules::Rules;
use crate::draughts::squares::SquareSet;
use crate::side::Side;

/// Weights are in thousandths of a man, values in hundredths.
pub const UNIT: i64 = 10;

/// No value is larger than this, in hundredths of a man.
pub const LARGEST_VALUE: i32 = 20_000;

/// How fine the opening and the ending are blended.
pub(super) const BLEND: i64 = 256;

/// An evaluation, compiled for sets of the type `S`.
#[derive(Clone, Debug)]
pub struct Evaluation<S> {
    pub(super) counts: [Both; Feature::COUNT],
    /// By side and bit.
    pub(super) men: [Vec<Both>; 2],
    pub(super) kings: [Vec<Both>; 2],
    pub(super) patterns: Patterns,
    /// How much the opening counts, by the number of pieces.
    pub(super) shares: Vec<i64>,
    /// Squares of the left half, and of the right half.
    pub(super) halves: [S; 2],
    /// For each side the columns that have a square in its own first row; none on a board of all squares.
    pub(super) systems: [S; 2],
    /// How many times a man steps ahead at most.
    pub(super) reach: usize,
    /// Which square a side sees a bit as.
    pub(super) views: [Vec<usize>; 2],
    pub(super) view_count: usize,
    /// What has a weight at all; the rest need not be counted.
    pub(super) wants: Wants,
}

/// Which groups of features have a weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wants {
    pub men: bool,
    pub kings: bool,
    pub structure: bool,
    pub steps: bool,
    pub runners: bool,
    pub mobile_kings: bool,
}

/// The weights for opening and ending in one number, so that one addition adds both: the ending's in the upper half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Both(pub i64);

impl Both {
    pub fn new(pair: Pair) -> Self {
        Both(i64::from(pair[0]) + (i64::from(pair[1]) << 32))
    }

    /// The opening's sum and the ending's.
    #[inline(always)]
    pub fn halves(self) -> [i64; 2] {
        let opening = i64::from(self.0 as i32);
        [opening, (self.0 - opening) >> 32]
    }
}

impl<S: SquareSet> Evaluation<S> {
    /// The compiled form of the weights, or why they do not fit the board.
    pub(in crate::draughts) fn new(rules: &Rules, geometry: &Geometry<S>, weights: &Weights) -> Result<Self, String> {
        if let Some(problem) = weights.problem(rules) {
            return Err(problem);
        }
        let weights = &folded(weights);
        let views = views(rules).map(|views| {
            let mut by_bit = vec![0; S::BITS];
            geometry.bits.iter().zip(views).for_each(|(bit, view)| by_bit[*bit] = view);
            by_bit
        });
        let seen = |weights: &[Pair]| [0, 1].map(|side: usize| by_bit(geometry, &views[side], weights));
        let squares = geometry.bits.len();
        let full = weights.full as i64;
        Ok(Evaluation {
            counts: weights.counts.map(Both::new),
            men: seen(&weights.men),
            kings: seen(&weights.kings),
            patterns: Patterns::new(geometry, &weights.patterns),
            shares: (0..=squares as i64).map(|pieces| pieces.min(full) * BLEND / full).collect(),
            halves: halves(rules, geometry),
            systems: systems(rules, geometry),
            reach: rules.rows - 1,
            wants: Wants::new(weights),
            views,
            view_count: view_count(rules),
        })
    }

    /// How much of the opening there is, of `BLEND`.
    #[inline(always)]
    pub(super) fn share(&self, pieces: usize) -> i64 {
        self.shares[pieces]
    }

    /// The value in hundredths of a man that a blended sum of weights is.
    #[inline(always)]
    pub(super) fn value(sums: [i64; 2], share: i64) -> i32 {
        let blended = sums[0] * share + sums[1] * (BLEND - share);
        let value = blended / (BLEND * UNIT);
        value.clamp(-i64::from(LARGEST_VALUE), i64::from(LARGEST_VALUE)) as i32
    }
}

impl Wants {
    fn new(weights: &Weights) -> Self {
        let weighs = |pair: &Pair| *pair != [0; 2];
        let any = |features: &[Feature]| features.iter().any(|feature| weighs(&weights.counts[*feature as usize]));
        Wants {
            men: weights.men.iter().any(weighs),
            kings: weights.kings.iter().any(weighs),
            structure: any(&[Feature::Support, Feature::Loose, Feature::Hanging]),
            steps: any(&[Feature::Step, Feature::Stuck]),
            runners: any(&[Feature::Runner]),
            mobile_kings: any(&[Feature::KingReach, Feature::KingDenied, Feature::KingTrapped]),
        }
    }

    pub const ALL: Wants =
        Wants { men: true, kings: true, structure: true, steps: true, runners: true, mobile_kings: true };
}

fn by_bit<S: SquareSet>(geometry: &Geometry<S>, views: &[usize], weights: &[Pair]) -> Vec<Both> {
    let mut values = vec![Both::default(); S::BITS];
    for &bit in &geometry.bits {
        values[bit] = Both::new(weights[views[bit]]);
    }
    values
}

/// The squares for which `chosen` says so, given row and column.
fn squares_where<S: SquareSet>(rules: &Rules, geometry: &Geometry<S>, chosen: impl Fn(usize, usize) -> bool) -> S {
    let all = places(rules).into_iter().zip(&geometry.bits);
    all.filter(|((row, column), _)| chosen(*row, *column)).fold(S::EMPTY, |set, (_, bit)| set | S::bit(*bit))
}

fn halves<S: SquareSet>(rules: &Rules, geometry: &Geometry<S>) -> [S; 2] {
    let columns = rules.columns;
    [
        squares_where(rules, geometry, |_, column| 2 * column + 1 < columns),
        squares_where(rules, geometry, |_, column| 2 * column + 1 > columns),
    ]
}

fn systems<S: SquareSet>(rules: &Rules, geometry: &Geometry<S>) -> [S; 2] {
    if rules.all_squares {
        return [S::EMPTY; 2];
    }
    [rules.rows - 1, 0].map(|first_row| {
        let first: Vec<usize> =
            places(rules).into_iter().filter(|(row, _)| *row == first_row).map(|(_, column)| column).collect();
        squares_where(rules, geometry, |_, column| first.contains(&column))
    })
}

impl<S: SquareSet> Judge for Evaluation<S> {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Adds up the weights of what is counted.
pub(super) struct Sum<'a, S> {
    pub evaluation: &'a Evaluation<S>,
    pub total: Both,
}

impl<S: SquareSet> Tally<S> for Sum<'_, S> {
    #[inline(always)]
    fn wants(&self) -> Wants {
        self.evaluation.wants
    }

    #[inline(always)]
    fn add(&mut self, feature: Feature, count: i32) {
        self.total.0 += self.evaluation.counts[feature as usize].0 * i64::from(count);
    }

    #[inline(always)]
    fn men(&mut self, side: Side, men: S) {
        let sum: i64 = men.bits().map(|bit| self.evaluation.men[side.index()][bit].0).sum();
        self.total.0 += signed(side, sum);
    }

    #[inline(always)]
    fn kings(&mut self, side: Side, kings: S) {
        let sum: i64 = kings.bits().map(|bit| self.evaluation.kings[side.index()][bit].0).sum();
        self.total.0 += signed(side, sum);
    }
}

/// White's number as it is, Black's with the other sign.
#[inline(always)]
pub(super) const fn signed(side: Side, number: i64) -> i64 {
    match side {
        Side::White => number,
        Side::Black => -number,
    }
}
