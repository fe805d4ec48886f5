//! The move generator: the legal moves of a position, and the results of finished games.

use std::marker::PhantomData;

use super::actions::relative_bits;
use super::bitboard::Bitboard;
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::draw_counters::Draws;
use super::geometry::{Geometry, relative_squares};
use super::moves::{CountSink, Move, MoveSink};
use super::planes::PlaneMap;
use super::position::Position;
use super::precedence::Precedence;
use super::rules::Rules;
use super::specialisation::RuleSource;
use crate::side::Side;

/// The move generator of one rule set, compiled for bitboards of type `B` and the rule source `R`.
#[derive(Debug)]
pub struct MoveGenerator<B, R> {
    pub(super) rules: Rules,
    pub(super) geometry: Geometry<B>,
    pub(super) precedence: Precedence,
    /// The compiled draw rules; move generation does not depend on them.
    pub(super) draws: Draws,
    /// The cells of observation planes.
    pub(super) planes: PlaneMap,
    /// By side to move and bit: the relative square.
    pub(super) relative_bits: [Vec<u16>; 2],
    /// Whether the rules include an immediate result; see `immediate_result`.
    can_end_immediately: bool,
    features: PhantomData<R>,
}

/// The reason for the end of a game, except for draw rules, which depend on previous moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move has no piece.
    NoPieces,
    /// The side to move has no legal move.
    NoMove,
    /// A man has reached the far row, under the rule `breakthrough`.
    Breakthrough,
    /// A side has a single piece, under the rule `lone_piece_loses` or `lone_man_loses_to_king`.
    LonePiece,
}

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    pub(super) fn new(rules: Rules) -> Self {
        let geometry = Geometry::new(&rules);
        MoveGenerator {
            planes: PlaneMap::new(&rules, &geometry),
            relative_bits: relative_bits(&geometry.bits, B::BITS, &relative_squares(&rules)),
            geometry,
            precedence: Precedence::new(&rules.precedence),
            draws: Draws::new(&rules.draws),
            can_end_immediately: rules.breakthrough || rules.lone_piece_loses || rules.lone_man_loses_to_king,
            rules,
            features: PhantomData,
        }
    }

    /// Generate the legal moves into a sink.
    #[inline(always)]
    pub(super) fn generate(
        &self,
        position: &Position<B>,
        paths: CapturePaths,
        scratch: &mut Scratch<B>,
        sink: &mut impl MoveSink<B>,
    ) {
        if self.is_over_immediately(position) {
            return;
        }
        // From here on the side to move is a constant, and so are the directions of its men.
        match position.turn {
            Side::White => self.generate_for::<false>(position, paths, scratch, sink),
            Side::Black => self.generate_for::<true>(position, paths, scratch, sink),
        }
    }

    /// Append the legal moves to a list. Unlike `generate` this is not inlined, because it has many callers.
    #[inline(never)]
    pub(super) fn list_moves(
        &self,
        position: &Position<B>,
        paths: CapturePaths,
        scratch: &mut Scratch<B>,
        list: &mut Vec<Move<B>>,
    ) {
        self.generate(position, paths, scratch, list);
    }

    #[inline(always)]
    fn generate_for<const BLACK: bool>(
        &self,
        position: &Position<B>,
        paths: CapturePaths,
        scratch: &mut Scratch<B>,
        sink: &mut impl MoveSink<B>,
    ) {
        let captured = self.generate_captures::<BLACK, _>(position, paths, scratch, sink);
        if !captured || !self.rules.capture_compulsory {
            self.generate_quiet::<BLACK>(position, sink);
        }
    }

    /// Return the position after a move.
    #[inline(always)]
    pub(super) fn after(&self, position: &Position<B>, played: &Move<B>) -> Position<B> {
        position.after(played, self.rules.king_move_limit)
    }

    /// Return the winner and the reason for the end, or None if the game is not over.
    pub(super) fn ending(&self, position: &Position<B>, scratch: &mut Scratch<B>) -> Option<(Side, Ending)> {
        if let Some(ending) = self.immediate_result(position) {
            return Some(ending);
        }
        let stuck = if self.rules.losing { position.turn } else { position.turn.opponent() };
        if position.of(position.turn).is_empty() {
            return Some((stuck, Ending::NoPieces));
        }
        // In nearly all positions a man has a quiet move. Otherwise generate the moves, since a king might have one.
        if self.can_step(position) || self.could_capture(position, position.turn) {
            return None;
        }
        let mut moves = CountSink::default();
        self.generate(position, CapturePaths::Distinct, scratch, &mut moves);
        (moves.0 == 0).then_some((stuck, Ending::NoMove))
    }

    /// Return whether `immediate_result` ends the game. Such a position has no legal moves.
    #[inline(always)]
    pub(super) fn is_over_immediately(&self, position: &Position<B>) -> bool {
        self.can_end_immediately && self.immediate_result(position).is_some()
    }

    /// Return the winner if a rule ends the game by the pieces on the board, even if the side to move could move.
    ///
    /// These are the rules `breakthrough`, `lone_piece_loses` and `lone_man_loses_to_king`.
    #[inline(never)]
    fn immediate_result(&self, position: &Position<B>) -> Option<(Side, Ending)> {
        // The side that has just moved is checked first: if both sides meet a condition, that side wins.
        let sides = [position.turn.opponent(), position.turn];
        let has_king = |side: Side| !(position.of(side) & position.kings).is_empty();
        if self.rules.breakthrough
            && let Some(winner) = sides.into_iter().find(|side| has_king(*side))
        {
            return Some((winner, Ending::Breakthrough));
        }
        // A side to move without pieces has no move; `ending` handles that case.
        if position.of(position.turn).is_empty() {
            return None;
        }
        let loser = sides.into_iter().rev().find(|side| {
            let is_alone = position.of(*side).count() == 1;
            let is_man = !has_king(*side);
            is_alone
                && (self.rules.lone_piece_loses
                    || self.rules.lone_man_loses_to_king && is_man && has_king(side.opponent()))
        })?;
        Some((loser.opponent(), Ending::LonePiece))
    }
}
