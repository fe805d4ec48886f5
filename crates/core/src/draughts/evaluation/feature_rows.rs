//! Feature extraction for tuning: the features of many positions as rows of numbers.
//!
//! A packed position is a byte for the side to move (0 White, 1 Black) and three bitboards: White's pieces, Black's
//! pieces, and the kings. A bitboard has a bit for every square, the lowest bit of the first byte for the first square.

use super::compiled::{ActiveTerms, LinearEvaluation};
use super::evaluate::FeatureSink;
use super::weights::Feature;
use crate::arrays::RowError;
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
    /// Write the packed position, which has `packed_size` bytes.
    pub(in crate::draughts) fn pack(&self, position: &Position<B>, packed: &mut [u8]) {
        packed.fill(0);
        packed[0] = position.turn.index() as u8;
        let sets = [position.pieces[0], position.pieces[1], position.kings];
        for (set, bytes) in sets.into_iter().zip(packed[1..].chunks_exact_mut(self.geometry.bits.len().div_ceil(8))) {
            for square in self.geometry.squares_of(set) {
                bytes[square / 8] |= 1 << (square % 8);
            }
        }
    }

    /// Unpack a position.
    pub(in crate::draughts) fn unpack(&self, packed: &[u8]) -> Result<Position<B>, RowError> {
        let (bits, size) = (&self.geometry.bits, self.geometry.bits.len().div_ceil(8));
        if packed.len() != packed_size(bits.len()) {
            let problem = format!("expected {} bytes, got {}", packed_size(bits.len()), packed.len());
            return Err(RowError::whole(problem));
        }
        let mut sets = [B::EMPTY; 3];
        for (index, (set, bytes)) in sets.iter_mut().zip(packed[1..].chunks_exact(size)).enumerate() {
            for square in (0..8 * size).filter(|square| bytes[square / 8] >> (square % 8) & 1 == 1) {
                let Some(bit) = bits.get(square) else {
                    let problem = format!("expected no bits after those of the {} squares", bits.len());
                    return Err(RowError::at(1 + index * size + square / 8, problem));
                };
                *set |= B::bit(*bit);
            }
        }
        let [white, black, kings] = sets;
        if packed[0] > 1 {
            return Err(RowError::at(0, format!("expected 0 or 1 for the side to move, got {}", packed[0])));
        }
        for (wrong, index, problem) in [
            (white & black, 1, "expected a piece of one side, got one of each"),
            (kings & !(white | black), 2, "expected a piece on the square of a king, got none"),
        ] {
            if let Some(square) = self.geometry.squares_of(wrong).next() {
                let (element, square) = (Some(1 + index * size + square / 8), Some(square as u16));
                return Err(RowError { element, square, problem: problem.to_owned() });
            }
        }
        Ok(Position { pieces: [white, black], kings, ..Position::empty(Side::new(packed[0] == 1)) })
    }

    /// Return the features of packed positions. The error is the index of the first invalid one.
    pub(in crate::draughts) fn feature_rows(
        &self,
        evaluation: &LinearEvaluation<B>,
        packed: &[u8],
    ) -> Result<FeatureRows, usize> {
        let mut rows = FeatureRows::default();
        for (index, packed) in packed.chunks(packed_size(self.geometry.bits.len())).enumerate() {
            let position = self.unpack(packed).map_err(|_| index)?;
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
