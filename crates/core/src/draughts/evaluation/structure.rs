//! Features of men: structure (support, loose and hanging men), mobility and runners.

use super::evaluate::{FeatureSink, PieceSets};
use super::weights::Feature;
use crate::draughts::bitboard::Bitboard;
use crate::draughts::directions::{Directions, back, each_direction};
use crate::draughts::generator::MoveGenerator;
use crate::draughts::specialisation::RuleSource;
use crate::side::Side;

/// The directions that lead towards the far row.
const FORWARD: Directions = Directions(Directions::FORWARD.0 | Directions::FORWARD_DIAGONALS.0);

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Return the directions in which men step forward.
    #[inline(always)]
    fn forward_steps(&self, side: Side) -> Directions {
        Directions(R::man_moves(&self.rules).0 & FORWARD.0).of(side)
    }

    #[inline(always)]
    pub(super) fn count_structure(&self, sets: &PieceSets<B>, sink: &mut impl FeatureSink<B>) {
        let [white, black] = [self.structure::<false>(sets), self.structure::<true>(sets)];
        for (index, feature) in [Feature::Support, Feature::Loose, Feature::Hanging].into_iter().enumerate() {
            sink.add(feature, white[index] - black[index]);
        }
    }

    /// Return the counts of `Support`, `Loose` and `Hanging` for a side.
    #[inline(always)]
    fn structure<const BLACK: bool>(&self, sets: &PieceSets<B>) -> [i32; 3] {
        let side = Side::new(BLACK);
        let (own, other) = (side.index(), side.opponent().index());
        let men = sets.men[own];
        let (mut support, mut loose, mut hanging) = (0, 0, B::EMPTY);
        each_direction!(R, self.forward_steps(side), direction => {
            support += (men & sets.pieces[own].shifted(R::delta(&self.geometry, direction))).count();
        });
        let open = sets.empty | sets.pieces[other];
        each_direction!(R, R::man_captures(&self.rules).of(side.opponent()), direction => {
            let delta = R::delta(&self.geometry, direction);
            let gap_behind = men & sets.empty.shifted(-delta);
            loose += (gap_behind & open.shifted(delta)).count();
            hanging |= gap_behind & sets.men[other].shifted(delta);
        });
        [support as i32, loose as i32, hanging.count() as i32]
    }

    #[inline(always)]
    pub(super) fn count_man_mobility(&self, sets: &PieceSets<B>, sink: &mut impl FeatureSink<B>) {
        let [white, black] = [self.man_mobility::<false>(sets), self.man_mobility::<true>(sets)];
        sink.add(Feature::Step, white[0] - black[0]);
        sink.add(Feature::Stuck, white[1] - black[1]);
    }

    /// Return the counts of `Step` and `Stuck` for a side.
    #[inline(always)]
    fn man_mobility<const BLACK: bool>(&self, sets: &PieceSets<B>) -> [i32; 2] {
        let side = Side::new(BLACK);
        let men = sets.men[side.index()];
        let (mut steps, mut free) = (0, B::EMPTY);
        each_direction!(R, R::man_moves(&self.rules).of(side), direction => {
            let stepping = men & sets.empty.shifted(-R::delta(&self.geometry, direction));
            steps += stepping.count();
            free |= stepping;
        });
        [steps as i32, (men & !free).count() as i32]
    }

    #[inline(always)]
    pub(super) fn count_runners(&self, sets: &PieceSets<B>, max_steps: usize, sink: &mut impl FeatureSink<B>) {
        // The squares with an enemy piece somewhere ahead, for each side.
        let [mut below, mut above] = [sets.pieces[1], sets.pieces[0]];
        for _ in 0..max_steps {
            if (sets.men[0] & !below | sets.men[1] & !above).is_empty() {
                break;
            }
            below = self.with_squares_behind::<false>(below);
            above = self.with_squares_behind::<true>(above);
        }
        let runners = [(sets.men[0] & !below).count() as i32, (sets.men[1] & !above).count() as i32];
        sink.add(Feature::Runner, runners[0] - runners[1]);
    }

    /// Return the squares and those from which a man of the side can step forward onto one of them.
    #[inline(always)]
    fn with_squares_behind<const BLACK: bool>(&self, squares: B) -> B {
        let mut behind = B::EMPTY;
        each_direction!(R, self.forward_steps(Side::new(BLACK)), direction => {
            behind |= squares.shifted(R::delta(&self.geometry, back(direction)));
        });
        squares | behind & self.geometry.board
    }
}
