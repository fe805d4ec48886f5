//! Feature extraction for tuning: the features of many positions as rows of numbers.
//!
//! A packed position is a byte for the side to move (0 White, 1 Black) and three bitboards: White's pieces, Black's
//! pieces, and the kings. A bitboard has a bit for every square, the lowest bit of the first byte for the first square.

use super::compiled::{ActiveTerms, LinearEvaluation};
use super::evaluate::FeatureSink;
use super::weights::Feature;
use crate::draughts::bitboard::Bitboard;
use crate::draughts::generator::MoveGenerator;
use crate::draughts::position::Position;
use crate::draughts::specialisation::RuleSource;
use crate::side::Side;

/// Return the number of bytes of a packed position on a board with this number of squares.
pub const fn packed_size(squares: usize) -> usize {
    1 + 3 * squares.div_ceil(8)
}

/// The features of positions, one row per position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureRows {
    /// The counts of `Feature::ALL`, then of men and of kings on each relative square: those of the side to move minus
    /// those of the opponent.
    pub counts: Vec<i16>,
    /// The game phase: the weight of the opening, out of 256.
    pub phases: Vec<u16>,
    /// Two indices into the concatenated tables for every pattern: from the point of view of the side to move, whose
    /// weight is added, and from that of the opponent, whose weight is subtracted.
    pub pattern_indices: Vec<u32>,
}

/// A feature sink that stores the counts of one row.
struct RowSink<'a, B> {
    evaluation: &'a LinearEvaluation<B>,
    counts: &'a mut [i16],
}

impl<B: Bitboard> RowSink<'_, B> {
    fn add_squares(&mut self, begin: usize, side: Side, set: B) {
        let sign = if side == Side::White { 1 } else { -1 };
        for bit in set.bits() {
            self.counts[begin + self.evaluation.relative_squares[side.index()][bit]] += sign;
        }
    }
}

impl<B: Bitboard> FeatureSink<B> for RowSink<'_, B> {
    fn active_terms(&self) -> ActiveTerms {
        ActiveTerms::ALL
    }
    fn add(&mut self, feature: Feature, count: i32) {
        self.counts[feature as usize] += count as i16;
    }
    fn add_men(&mut self, side: Side, men: B) {
        self.add_squares(Feature::COUNT, side, men);
    }
    fn add_kings(&mut self, side: Side, kings: B) {
        self.add_squares(Feature::COUNT + self.evaluation.relative_square_count, side, kings);
    }
}

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Append the packed position.
    pub(in crate::draughts) fn pack(&self, position: &Position<B>, packed: &mut Vec<u8>) {
        packed.push(position.turn.index() as u8);
        let bytes = self.geometry.bits.len().div_ceil(8);
        for set in [position.pieces[0], position.pieces[1], position.kings] {
            let begin = packed.len();
            packed.resize(begin + bytes, 0);
            for square in self.geometry.squares_of(set) {
                packed[begin + square / 8] |= 1 << (square % 8);
            }
        }
    }

    /// Unpack a position. Return None if a square has pieces of both sides, or a king is on a square without a piece.
    pub(in crate::draughts) fn unpack(&self, packed: &[u8]) -> Option<Position<B>> {
        let (turn, sets) = packed.split_first()?;
        let bits = &self.geometry.bits;
        let mut sets = sets.chunks_exact(bits.len().div_ceil(8)).map(|bytes| {
            let occupied = (0..8 * bytes.len()).filter(|square| bytes[square / 8] >> (square % 8) & 1 == 1);
            let mut bits = occupied.map(|square| bits.get(square).map(|bit| B::bit(*bit)));
            bits.try_fold(B::EMPTY, |set, bit| Some(set | bit?))
        });
        let (white, black, kings) = (sets.next()??, sets.next()??, sets.next()??);
        let valid = *turn < 2 && (white & black).is_empty() && (kings & !(white | black)).is_empty();
        let turn = Side::new(*turn == 1);
        valid.then(|| Position { pieces: [white, black], kings, ..Position::empty(turn) })
    }

    /// Return the features of packed positions. The error is the index of the first invalid one.
    pub(in crate::draughts) fn feature_rows(
        &self,
        evaluation: &LinearEvaluation<B>,
        packed: &[u8],
    ) -> Result<FeatureRows, usize> {
        let mut rows = FeatureRows::default();
        for (index, packed) in packed.chunks(packed_size(self.geometry.bits.len())).enumerate() {
            let position = self.unpack(packed).ok_or(index)?;
            self.add_row(&mut rows, evaluation, &position);
        }
        Ok(rows)
    }

    fn add_row(&self, rows: &mut FeatureRows, evaluation: &LinearEvaluation<B>, position: &Position<B>) {
        let begin = rows.counts.len();
        rows.counts.resize(begin + Feature::COUNT + 2 * evaluation.relative_square_count, 0);
        let counts = &mut rows.counts[begin..];
        let sets = self.piece_sets(position);
        self.count_features(evaluation, &sets, &mut RowSink { evaluation, counts });
        if position.turn == Side::Black {
            counts.iter_mut().for_each(|count| *count = -*count);
        }
        counts[Feature::Turn as usize] = 1;
        counts[Feature::Opposition as usize] = evaluation.opposition(position) as i16;
        rows.phases.push(evaluation.phase(position.occupied().count()) as u16);
        for [white, black] in evaluation.patterns.table_indices(sets.men) {
            rows.pattern_indices.extend(if position.turn == Side::White { [white, black] } else { [black, white] });
        }
    }
}
