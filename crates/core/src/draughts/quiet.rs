//! Moves without captures.

use super::directions::each_direction;
use super::features::Features;
use super::mover::Mover;
use super::moves::Sink;
use super::position::Position;
use super::squares::SquareSet;
use crate::side::Side;

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// Puts the quiet moves of the side to move into `sink`.
    #[inline(always)]
    pub(super) fn quiet<const BLACK: bool>(&self, position: &Position<S>, sink: &mut impl Sink<S>) {
        let side = Side::new(BLACK);
        let empty = self.geometry.board & !position.occupied();
        let men = position.men(side);
        let directions = F::man_moves(&self.rules).of(side);
        each_direction!(F, directions, direction => {
            let delta = F::delta(&self.geometry, direction);
            sink.steps(men.shifted(delta) & empty, delta, self.geometry.far_rows[side.index()]);
        });
        let kings = position.of(side) & position.kings;
        if !kings.is_empty() {
            self.quiet_kings(position, kings, empty, side, sink);
        }
    }

    /// Whether a man of the side to move can step; kings are not looked at.
    #[inline(always)]
    pub(super) fn can_step(&self, position: &Position<S>) -> bool {
        let empty = self.geometry.board & !position.occupied();
        let men = position.men(position.turn);
        let directions = F::man_moves(&self.rules).of(position.turn);
        let mut targets = S::EMPTY;
        each_direction!(F, directions, direction => {
            targets |= men.shifted(F::delta(&self.geometry, direction)) & empty;
        });
        !targets.is_empty()
    }

    fn quiet_kings(&self, position: &Position<S>, kings: S, empty: S, side: Side, sink: &mut impl Sink<S>) {
        let limit = self.rules.king_move_limit;
        let run = position.runs[side.index()];
        let directions = F::king_moves(&self.rules).of(side);
        for from in kings.bits() {
            // Runs are kept only for a side that has men: see Position::drop_idle_runs.
            if limit > 0 && run.moves >= limit && usize::from(run.bit) == from {
                continue;
            }
            let mut targets = S::EMPTY;
            each_direction!(F, directions, direction => {
                targets |= if F::flying_kings(&self.rules) {
                    self.free_run(from, direction, !empty)
                } else {
                    S::bit(from).shifted(F::delta(&self.geometry, direction)) & empty
                };
            });
            sink.slides(from, targets);
        }
    }

    /// The squares from a bit on in a direction, up to the first blocker.
    #[inline(always)]
    pub(super) fn free_run(&self, from: usize, direction: usize, blockers: S) -> S {
        let ray = self.geometry.rays[from][direction];
        match self.nearest(ray & blockers, direction) {
            None => ray,
            Some(blocker) => ray & !(self.geometry.rays[blocker][direction] | S::bit(blocker)),
        }
    }

    /// The first square of a set on a ray in the direction.
    #[inline(always)]
    pub(super) fn nearest(&self, on_ray: S, direction: usize) -> Option<usize> {
        if on_ray.is_empty() {
            None
        } else if F::delta(&self.geometry, direction) > 0 {
            Some(on_ray.lowest())
        } else {
            Some(on_ray.highest())
        }
    }
}
