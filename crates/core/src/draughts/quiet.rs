//! Generation of quiet moves: moves without captures.

use super::bitboard::Bitboard;
use super::directions::each_direction;
use super::generator::MoveGenerator;
use super::moves::MoveSink;
use super::position::Position;
use super::specialisation::RuleSource;
use crate::side::Side;

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Generate the quiet moves of the side to move.
    #[inline(always)]
    pub(super) fn generate_quiet<const BLACK: bool>(&self, position: &Position<B>, sink: &mut impl MoveSink<B>) {
        self.quiet_moves_of::<BLACK>(position, position.of(Side::new(BLACK)), sink);
    }

    /// Generate the quiet moves of one piece, if quiet moves are legal.
    pub(super) fn generate_quiet_from(&self, position: &Position<B>, from: usize, sink: &mut impl MoveSink<B>) {
        let must_capture = self.rules.capture_compulsory && self.could_capture(position, position.turn);
        if must_capture || self.is_over_immediately(position) {
            return;
        }
        let piece = position.of(position.turn) & B::bit(from);
        match position.turn {
            Side::White => self.quiet_moves_of::<false>(position, piece, sink),
            Side::Black => self.quiet_moves_of::<true>(position, piece, sink),
        }
    }

    #[inline(always)]
    fn quiet_moves_of<const BLACK: bool>(&self, position: &Position<B>, pieces: B, sink: &mut impl MoveSink<B>) {
        let side = Side::new(BLACK);
        let empty = self.geometry.board & !position.occupied();
        let men = pieces & !position.kings;
        let directions = R::man_moves(&self.rules).of(side);
        each_direction!(R, directions, direction => {
            let delta = R::delta(&self.geometry, direction);
            sink.man_steps(men.shifted(delta) & empty, delta, self.geometry.far_rows[side.index()]);
        });
        let kings = pieces & position.kings;
        if !kings.is_empty() {
            self.quiet_kings(position, kings, empty, side, sink);
        }
    }

    /// Return whether a man of the side to move has a quiet move; kings are ignored.
    #[inline(always)]
    pub(super) fn can_step(&self, position: &Position<B>) -> bool {
        let empty = self.geometry.board & !position.occupied();
        let men = position.men(position.turn);
        let directions = R::man_moves(&self.rules).of(position.turn);
        let mut targets = B::EMPTY;
        each_direction!(R, directions, direction => {
            targets |= men.shifted(R::delta(&self.geometry, direction)) & empty;
        });
        !targets.is_empty()
    }

    fn quiet_kings(&self, position: &Position<B>, kings: B, empty: B, side: Side, sink: &mut impl MoveSink<B>) {
        let limit = self.rules.king_move_limit;
        let run = position.runs[side.index()];
        let directions = R::king_moves(&self.rules).of(side);
        for from in kings.bits() {
            // Runs are recorded only for a side that has men: see `Position::drop_idle_runs`.
            if limit > 0 && run.moves >= limit && usize::from(run.bit) == from {
                continue;
            }
            let mut targets = B::EMPTY;
            each_direction!(R, directions, direction => {
                targets |= if R::flying_kings(&self.rules) {
                    self.free_run(from, direction, !empty)
                } else {
                    B::bit(from).shifted(R::delta(&self.geometry, direction)) & empty
                };
            });
            sink.king_moves(from, targets);
        }
    }

    /// Return the squares on the ray from a bit in a direction, up to the first blocker and without it.
    #[inline(always)]
    pub(super) fn free_run(&self, from: usize, direction: usize, blockers: B) -> B {
        let ray = self.geometry.rays[from][direction];
        match self.nearest(ray & blockers, direction) {
            None => ray,
            Some(blocker) => ray & !(self.geometry.rays[blocker][direction] | B::bit(blocker)),
        }
    }

    /// Return the square of `on_ray`, a subset of a ray in the direction, that is nearest to the origin of the ray.
    #[inline(always)]
    pub(super) fn nearest(&self, on_ray: B, direction: usize) -> Option<usize> {
        if on_ray.is_empty() {
            None
        } else if R::delta(&self.geometry, direction) > 0 {
            Some(on_ray.lowest())
        } else {
            Some(on_ray.highest())
        }
    }
}
