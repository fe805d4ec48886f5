//! Counting: everything that has a weight, in one pass over a position.

use super::compiled::{Both, Evaluation, Sum, Wants};
use super::weights::Feature;
use crate::draughts::features::Features;
use crate::draughts::mover::Mover;
use crate::draughts::position::Position;
use crate::draughts::squares::SquareSet;
use crate::side::Side;

/// Where counts go. They are White's less Black's.
pub(super) trait Tally<S> {
    /// What need not be counted.
    fn wants(&self) -> Wants;
    /// A feature, so many times.
    fn add(&mut self, feature: Feature, count: i32);
    /// The squares that the men of a side are on.
    fn men(&mut self, side: Side, men: S);
    /// The squares that the kings of a side are on.
    fn kings(&mut self, side: Side, kings: S);
}

/// What both sides have, as counting needs it again and again.
pub(super) struct Scene<S> {
    pub men: [S; 2],
    pub kings: [S; 2],
    pub pieces: [S; 2],
    pub empty: S,
}

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// What the position is worth to the side to move, in hundredths of a man; never beyond `LARGEST_VALUE`. The
    /// evaluation is one of these rules.
    #[inline]
    pub(in crate::draughts) fn evaluate(&self, evaluation: &Evaluation<S>, position: &Position<S>) -> i32 {
        let scene = self.scene(position);
        let mut sum = Sum { evaluation, total: Both::default() };
        self.count(evaluation, &scene, &mut sum);
        let turn = evaluation.counts[Feature::Turn as usize].0;
        let opposition = evaluation.counts[Feature::Opposition as usize].0 * i64::from(evaluation.opposition(position));
        let seen = if position.turn == Side::White { sum.total.0 } else { -sum.total.0 };
        let mut sums = Both(seen + turn + opposition).halves();
        if !evaluation.patterns.is_empty() {
            let values = evaluation.patterns.values(scene.men);
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += if position.turn == Side::White { value } else { -value };
            }
        }
        Evaluation::<S>::value(sums, evaluation.share(position.occupied().count()))
    }

    #[inline(always)]
    pub(super) fn scene(&self, position: &Position<S>) -> Scene<S> {
        let sides = [Side::White, Side::Black];
        Scene {
            men: sides.map(|side| position.men(side)),
            kings: sides.map(|side| position.of(side) & position.kings),
            pieces: position.pieces,
            empty: self.geometry.board & !position.occupied(),
        }
    }

    /// Counts everything but what belongs to the side to move.
    #[inline(always)]
    pub(super) fn count(&self, evaluation: &Evaluation<S>, scene: &Scene<S>, tally: &mut impl Tally<S>) {
        let wants = tally.wants();
        let [white, black] = scene.men.map(|men| men.count() as i32);
        tally.add(Feature::Man, white - black);
        for side in [Side::White, Side::Black] {
            if wants.men {
                tally.men(side, scene.men[side.index()]);
            }
        }
        let imbalances = scene.men.map(|men| imbalance(men, evaluation.halves));
        tally.add(Feature::Imbalance, imbalances[0] - imbalances[1]);
        if wants.structure {
            self.count_structure(scene, tally);
        }
        if wants.steps {
            self.count_steps(scene, tally);
        }
        if wants.runners {
            self.count_runners(scene, evaluation.reach, tally);
        }
        if !(scene.kings[0] | scene.kings[1]).is_empty() {
            self.count_kings(scene, [white, black], tally);
        }
    }
}

impl<S: SquareSet> Evaluation<S> {
    /// One where the side to move has the opposition, the opposite where the other side has, 0 where that says nothing.
    #[inline(always)]
    pub(super) fn opposition(&self, position: &Position<S>) -> i32 {
        let system = self.systems[position.turn.index()];
        if system.is_empty() || position.pieces[0].count() != position.pieces[1].count() {
            return 0;
        }
        if (position.occupied() & system).count() % 2 == 1 { 1 } else { -1 }
    }
}

#[inline(always)]
fn imbalance<S: SquareSet>(men: S, halves: [S; 2]) -> i32 {
    let [left, right] = halves.map(|half| (men & half).count() as i32);
    (left - right).abs()
}
