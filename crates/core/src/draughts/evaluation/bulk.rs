//! The features of many positions, for fitting weights to them.
//!
//! A packed position is a byte for the side to move (0 White, 1 Black) and three sets of squares: White's pieces,
//! Black's, and the kings. A set has a bit for every square, the lowest of the first byte for the first square.

use super::compiled::{Evaluation, Wants};
use super::count::Tally;
use super::weights::Feature;
use crate::draughts::features::Features;
use crate::draughts::mover::Mover;
use crate::draughts::position::Position;
use crate::draughts::squares::SquareSet;
use crate::side::Side;

/// The bytes of a packed position on a board with so many squares.
pub const fn packed_size(squares: usize) -> usize {
    1 + 3 * squares.div_ceil(8)
}

/// The features of positions, one row a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The counts of `Feature::ALL`, then those of men and of kings on each square that a side sees: the side to
    /// move's less the other's.
    pub counts: Vec<i16>,
    /// How much the opening counts, of 256.
    pub shares: Vec<u16>,
    /// For every pattern the place of its weight in the tables, as the side to move sees it (to be added) and as the
    /// other side does (to be taken off).
    pub looks: Vec<u32>,
}

struct Row<'a, S> {
    evaluation: &'a Evaluation<S>,
    counts: &'a mut [i16],
}

impl<S: SquareSet> Row<'_, S> {
    fn add_squares(&mut self, begin: usize, side: Side, set: S) {
        let sign = if side == Side::White { 1 } else { -1 };
        for bit in set.bits() {
            self.counts[begin + self.evaluation.views[side.index()][bit]] += sign;
        }
    }
}

impl<S: SquareSet> Tally<S> for Row<'_, S> {
    fn wants(&self) -> Wants {
        Wants::ALL
    }
    fn add(&mut self, feature: Feature, count: i32) {
        self.counts[feature as usize] += count as i16;
    }
    fn men(&mut self, side: Side, men: S) {
        self.add_squares(Feature::COUNT, side, men);
    }
    fn kings(&mut self, side: Side, kings: S) {
        self.add_squares(Feature::COUNT + self.evaluation.view_count, side, kings);
    }
}

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// The position that was packed; None where a square has pieces of both sides, or a king where no piece is.
    pub(in crate::draughts) fn unpack(&self, packed: &[u8]) -> Option<Position<S>> {
        let (turn, sets) = packed.split_first()?;
        let bits = &self.geometry.bits;
        let mut sets = sets.chunks_exact(bits.len().div_ceil(8)).map(|bytes| {
            let taken = (0..8 * bytes.len()).filter(|square| bytes[square / 8] >> (square % 8) & 1 == 1);
            taken.map(|square| bits.get(square).map(|bit| S::bit(*bit))).try_fold(S::EMPTY, |set, bit| Some(set | bit?))
        });
        let (white, black, kings) = (sets.next()??, sets.next()??, sets.next()??);
        let sound = *turn < 2 && (white & black).is_empty() && (kings & !(white | black)).is_empty();
        let turn = Side::new(*turn == 1);
        sound.then(|| Position { pieces: [white, black], kings, ..Position::empty(turn) })
    }

    /// The features of packed positions, or the number of the first one that is none.
    pub(in crate::draughts) fn sample(&self, evaluation: &Evaluation<S>, packed: &[u8]) -> Result<Sample, usize> {
        let mut sample = Sample::default();
        for (index, packed) in packed.chunks(packed_size(self.geometry.bits.len())).enumerate() {
            let position = self.unpack(packed).ok_or(index)?;
            self.add_to(&mut sample, evaluation, &position);
        }
        Ok(sample)
    }

    fn add_to(&self, sample: &mut Sample, evaluation: &Evaluation<S>, position: &Position<S>) {
        let begin = sample.counts.len();
        sample.counts.resize(begin + Feature::COUNT + 2 * evaluation.view_count, 0);
        let counts = &mut sample.counts[begin..];
        let scene = self.scene(position);
        self.count(evaluation, &scene, &mut Row { evaluation, counts });
        if position.turn == Side::Black {
            counts.iter_mut().for_each(|count| *count = -*count);
        }
        counts[Feature::Turn as usize] = 1;
        counts[Feature::Opposition as usize] = evaluation.opposition(position) as i16;
        sample.shares.push(evaluation.share(position.occupied().count()) as u16);
        for [white, black] in evaluation.patterns.looks(scene.men) {
            sample.looks.extend(if position.turn == Side::White { [white, black] } else { [black, white] });
        }
    }
}
