//! How men stand to each other, to enemy men and to their far row.

use super::count::{Scene, Tally};
use super::weights::Feature;
use crate::draughts::directions::{Directions, back, each_direction};
use crate::draughts::features::Features;
use crate::draughts::mover::Mover;
use crate::draughts::squares::SquareSet;
use crate::side::Side;

/// Where a man comes nearer to its far row.
const AHEAD: Directions = Directions(Directions::FORWARD.0 | Directions::FORWARD_DIAGONALS.0);

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// Where men step ahead.
    #[inline(always)]
    fn steps_ahead(&self, side: Side) -> Directions {
        Directions(F::man_moves(&self.rules).0 & AHEAD.0).of(side)
    }

    #[inline(always)]
    pub(super) fn count_structure(&self, scene: &Scene<S>, tally: &mut impl Tally<S>) {
        let [white, black] = [self.structure::<false>(scene), self.structure::<true>(scene)];
        for (index, feature) in [Feature::Support, Feature::Loose, Feature::Hanging].into_iter().enumerate() {
            tally.add(feature, white[index] - black[index]);
        }
    }

    /// Support, loose men and hanging men of a side.
    #[inline(always)]
    fn structure<const BLACK: bool>(&self, scene: &Scene<S>) -> [i32; 3] {
        let side = Side::new(BLACK);
        let (own, other) = (side.index(), side.opponent().index());
        let men = scene.men[own];
        let (mut support, mut loose, mut hanging) = (0, 0, S::EMPTY);
        each_direction!(F, self.steps_ahead(side), direction => {
            support += (men & scene.pieces[own].shifted(F::delta(&self.geometry, direction))).count();
        });
        let open = scene.empty | scene.pieces[other];
        each_direction!(F, F::man_captures(&self.rules).of(side.opponent()), direction => {
            let delta = F::delta(&self.geometry, direction);
            let gap_behind = men & scene.empty.shifted(-delta);
            loose += (gap_behind & open.shifted(delta)).count();
            hanging |= gap_behind & scene.men[other].shifted(delta);
        });
        [support as i32, loose as i32, hanging.count() as i32]
    }

    #[inline(always)]
    pub(super) fn count_steps(&self, scene: &Scene<S>, tally: &mut impl Tally<S>) {
        let [white, black] = [self.steps::<false>(scene), self.steps::<true>(scene)];
        tally.add(Feature::Step, white[0] - black[0]);
        tally.add(Feature::Stuck, white[1] - black[1]);
    }

    /// Steps of men, and men without one.
    #[inline(always)]
    fn steps<const BLACK: bool>(&self, scene: &Scene<S>) -> [i32; 2] {
        let side = Side::new(BLACK);
        let men = scene.men[side.index()];
        let (mut steps, mut free) = (0, S::EMPTY);
        each_direction!(F, F::man_moves(&self.rules).of(side), direction => {
            let stepping = men & scene.empty.shifted(-F::delta(&self.geometry, direction));
            steps += stepping.count();
            free |= stepping;
        });
        [steps as i32, (men & !free).count() as i32]
    }

    #[inline(always)]
    pub(super) fn count_runners(&self, scene: &Scene<S>, reach: usize, tally: &mut impl Tally<S>) {
        // The squares with an enemy piece somewhere ahead, for each side.
        let [mut below, mut above] = [scene.pieces[1], scene.pieces[0]];
        for _ in 0..reach {
            if (scene.men[0] & !below | scene.men[1] & !above).is_empty() {
                break;
            }
            below = self.with_squares_behind::<false>(below);
            above = self.with_squares_behind::<true>(above);
        }
        let runners = [scene.men[0] & !below, scene.men[1] & !above].map(|men| men.count() as i32);
        tally.add(Feature::Runner, runners[0] - runners[1]);
    }

    /// The squares, and those from which a man of the side steps ahead onto one of them.
    #[inline(always)]
    fn with_squares_behind<const BLACK: bool>(&self, squares: S) -> S {
        let mut behind = S::EMPTY;
        each_direction!(F, self.steps_ahead(Side::new(BLACK)), direction => {
            behind |= squares.shifted(F::delta(&self.geometry, back(direction)));
        });
        squares | behind & self.geometry.board
    }
}
