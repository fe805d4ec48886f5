//! Evaluation of a position: count the features of both sides in one pass and add up their weights.

use super::compiled::{ActiveTerms, Evaluation, LinearEvaluation, TaperedScore, WeightedSum};
use super::network::Accumulator;
use super::weights::Feature;
use crate::draughts::bitboard::Bitboard;
use crate::draughts::generator::MoveGenerator;
use crate::draughts::position::Position;
use crate::draughts::specialisation::RuleSource;
use crate::side::Side;

/// A receiver of feature counts, White's minus Black's.
pub(super) trait FeatureSink<B> {
    /// Return the groups of features to count.
    fn active_terms(&self) -> ActiveTerms;
    /// Add the count of a feature.
    fn add(&mut self, feature: Feature, count: i32);
    /// Add the men of a side, for the piece-square table.
    fn add_men(&mut self, side: Side, men: B);
    /// Add the kings of a side, for the piece-square table.
    fn add_kings(&mut self, side: Side, kings: B);
}

/// The bitboards of a position from which the features are computed.
pub(super) struct PieceSets<B> {
    pub men: [B; 2],
    pub kings: [B; 2],
    pub pieces: [B; 2],
    pub empty: B,
}

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Return the value of the position for the side to move, in hundredths of a man, limited to ±`MAX_VALUE`. The
    /// evaluation must be compiled for these rules.
    ///
    /// The accumulator is that of the search thread; evaluations are faster if it belongs to a similar position.
    #[inline(always)]
    pub(in crate::draughts) fn evaluate(
        &self,
        evaluation: &Evaluation<B>,
        position: &Position<B>,
        accumulator: &mut Accumulator<B>,
    ) -> i32 {
        match evaluation {
            Evaluation::Linear(linear) => self.evaluate_linear(linear, position),
            Evaluation::Network(network) => network.evaluate(position, accumulator),
        }
    }

    #[inline(never)]
    fn evaluate_linear(&self, evaluation: &LinearEvaluation<B>, position: &Position<B>) -> i32 {
        let sets = self.piece_sets(position);
        let mut sum = WeightedSum { evaluation, total: TaperedScore::default() };
        self.count_features(evaluation, &sets, &mut sum);
        let turn = evaluation.counts[Feature::Turn as usize].0;
        let opposition = evaluation.counts[Feature::Opposition as usize].0 * i64::from(evaluation.opposition(position));
        let relative = if position.turn == Side::White { sum.total.0 } else { -sum.total.0 };
        let mut scores = TaperedScore(relative + turn + opposition).opening_and_ending();
        if !evaluation.patterns.is_empty() {
            let values = evaluation.patterns.scores(sets.men);
            for (score, value) in scores.iter_mut().zip(values) {
                *score += if position.turn == Side::White { value } else { -value };
            }
        }
        LinearEvaluation::<B>::interpolate(scores, evaluation.phase(position.occupied().count()))
    }

    #[inline(always)]
    pub(super) fn piece_sets(&self, position: &Position<B>) -> PieceSets<B> {
        PieceSets {
            men: Side::both(|side| position.men(side)),
            kings: Side::both(|side| position.of(side) & position.kings),
            pieces: position.pieces,
            empty: self.geometry.board & !position.occupied(),
        }
    }

    /// Count all features except those of the side to move (`Turn` and `Opposition`) and the patterns.
    #[inline(always)]
    pub(super) fn count_features(
        &self,
        evaluation: &LinearEvaluation<B>,
        sets: &PieceSets<B>,
        sink: &mut impl FeatureSink<B>,
    ) {
        let active = sink.active_terms();
        let [white, black] = sets.men.map(|men| men.count() as i32);
        sink.add(Feature::Man, white - black);
        for side in [Side::White, Side::Black] {
            if active.men {
                sink.add_men(side, sets.men[side.index()]);
            }
        }
        let imbalances = sets.men.map(|men| imbalance(men, evaluation.halves));
        sink.add(Feature::Imbalance, imbalances[0] - imbalances[1]);
        if active.structure {
            self.count_structure(sets, sink);
        }
        if active.man_mobility {
            self.count_man_mobility(sets, sink);
        }
        if active.runners {
            self.count_runners(sets, evaluation.max_steps, sink);
        }
        if !(sets.kings[0] | sets.kings[1]).is_empty() {
            self.count_kings(sets, [white, black], sink);
        }
    }
}

impl<B: Bitboard> LinearEvaluation<B> {
    /// Return 1 if the side to move has the opposition, -1 if the opponent has it, 0 if the feature does not apply.
    #[inline(always)]
    pub(super) fn opposition(&self, position: &Position<B>) -> i32 {
        let system = self.systems[position.turn.index()];
        if system.is_empty() || position.pieces[0].count() != position.pieces[1].count() {
            return 0;
        }
        if (position.occupied() & system).count() % 2 == 1 { 1 } else { -1 }
    }
}

#[inline(always)]
fn imbalance<B: Bitboard>(men: B, halves: [B; 2]) -> i32 {
    let [left, right] = halves.map(|half| (men & half).count() as i32);
    (left - right).abs()
}
