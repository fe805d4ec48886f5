//! Kings: how many there are, and where they can go.

use super::count::{Scene, Tally};
use super::weights::Feature;
use crate::draughts::directions::each_direction;
use crate::draughts::features::Features;
use crate::draughts::mover::Mover;
use crate::draughts::squares::SquareSet;
use crate::side::Side;

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// Counts kings, given how many men there are.
    #[inline(never)]
    pub(super) fn count_kings(&self, scene: &Scene<S>, men: [i32; 2], tally: &mut impl Tally<S>) {
        let wants = tally.wants();
        for side in [Side::White, Side::Black] {
            let (own, other) = (side.index(), side.opponent().index());
            let sign = if side == Side::White { 1 } else { -1 };
            let kings = scene.kings[own].count() as i32;
            if !scene.kings[other].is_empty() {
                tally.add(Feature::ManAgainstKing, sign * men[own]);
                tally.add(Feature::FurtherKingAgainstKing, sign * (kings - 1).max(0));
            }
            if kings == 0 {
                continue;
            }
            tally.add(Feature::King, sign);
            tally.add(Feature::FurtherKing, sign * (kings - 1));
            if wants.kings {
                tally.kings(side, scene.kings[own]);
            }
            if wants.mobile_kings {
                let [reach, denied, trapped] = self.king_squares(scene, side);
                tally.add(Feature::KingReach, sign * reach);
                tally.add(Feature::KingDenied, sign * denied);
                tally.add(Feature::KingTrapped, sign * trapped);
            }
        }
    }

    /// Squares that the kings of a side can go to, those of them where men capture, and kings without a safe one.
    fn king_squares(&self, scene: &Scene<S>, side: Side) -> [i32; 3] {
        let guarded = self.guarded(scene, side.opponent());
        let (mut reach, mut denied, mut trapped) = (0, 0, 0);
        for from in scene.kings[side.index()].bits() {
            let mut targets = S::EMPTY;
            each_direction!(F, F::king_moves(&self.rules).of(side), direction => {
                targets |= if F::flying_kings(&self.rules) {
                    self.free_run(from, direction, !scene.empty)
                } else {
                    S::bit(from).shifted(F::delta(&self.geometry, direction)) & scene.empty
                };
            });
            let safe = (targets & !guarded).count() as i32;
            reach += safe;
            denied += targets.count() as i32 - safe;
            trapped += i32::from(safe == 0);
        }
        [reach, denied, trapped]
    }

    /// Empty squares on which the men of a side could capture a king.
    fn guarded(&self, scene: &Scene<S>, side: Side) -> S {
        let mut guarded = S::EMPTY;
        if self.rules.men_capture_kings {
            each_direction!(F, F::man_captures(&self.rules).of(side), direction => {
                let delta = F::delta(&self.geometry, direction);
                guarded |= scene.men[side.index()].shifted(delta) & scene.empty & scene.empty.shifted(-delta);
            });
        }
        guarded
    }
}
