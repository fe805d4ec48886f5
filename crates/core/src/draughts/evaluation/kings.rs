//! Features of kings: material and mobility.

use super::evaluate::{FeatureSink, PieceSets};
use super::weights::Feature;
use crate::draughts::bitboard::Bitboard;
use crate::draughts::directions::each_direction;
use crate::draughts::generator::MoveGenerator;
use crate::draughts::specialisation::RuleSource;
use crate::side::Side;

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Count the features of kings, given the number of men of each side.
    #[inline(never)]
    pub(super) fn count_kings(&self, sets: &PieceSets<B>, men: [i32; 2], sink: &mut impl FeatureSink<B>) {
        let active = sink.active_terms();
        for side in [Side::White, Side::Black] {
            let (own, other) = (side.index(), side.opponent().index());
            let sign = if side == Side::White { 1 } else { -1 };
            let kings = sets.kings[own].count() as i32;
            if !sets.kings[other].is_empty() {
                sink.add(Feature::ManAgainstKing, sign * men[own]);
                sink.add(Feature::FurtherKingAgainstKing, sign * (kings - 1).max(0));
            }
            if kings == 0 {
                continue;
            }
            sink.add(Feature::King, sign);
            sink.add(Feature::FurtherKing, sign * (kings - 1));
            if active.kings {
                sink.add_kings(side, sets.kings[own]);
            }
            if active.king_mobility {
                let [reach, denied, trapped] = self.king_mobility(sets, side);
                sink.add(Feature::KingReach, sign * reach);
                sink.add(Feature::KingDenied, sign * denied);
                sink.add(Feature::KingTrapped, sign * trapped);
            }
        }
    }

    /// Return the number of safe squares to which the kings of a side can move, of those guarded by men, and of kings
    /// without a safe square.
    fn king_mobility(&self, sets: &PieceSets<B>, side: Side) -> [i32; 3] {
        let guarded = self.guarded(sets, side.opponent());
        let (mut reach, mut denied, mut trapped) = (0, 0, 0);
        for from in sets.kings[side.index()].bits() {
            let mut targets = B::EMPTY;
            each_direction!(R, R::king_moves(&self.rules).of(side), direction => {
                targets |= if R::flying_kings(&self.rules) {
                    self.free_run(from, direction, !sets.empty)
                } else {
                    B::bit(from).shifted(R::delta(&self.geometry, direction)) & sets.empty
                };
            });
            let safe = (targets & !guarded).count() as i32;
            reach += safe;
            denied += targets.count() as i32 - safe;
            trapped += i32::from(safe == 0);
        }
        [reach, denied, trapped]
    }

    /// Return the empty squares on which the men of a side could capture a king.
    fn guarded(&self, sets: &PieceSets<B>, side: Side) -> B {
        let mut guarded = B::EMPTY;
        if self.rules.men_capture_kings {
            each_direction!(R, R::man_captures(&self.rules).of(side), direction => {
                let delta = R::delta(&self.geometry, direction);
                guarded |= sets.men[side.index()].shifted(delta) & sets.empty & sets.empty.shifted(-delta);
            });
        }
        guarded
    }
}
