//! The generator: rules, board and precedence put together, and the legal moves of a position.

use std::marker::PhantomData;

use super::bitboard::Bitboard;
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::draw_counters::Draws;
use super::geometry::Geometry;
use super::moves::{CountSink, Move, MoveSink};
use super::position::Position;
use super::precedence::Precedence;
use super::rules::Rules;
use super::specialisation::RuleSource;
use crate::side::Side;

/// The mover of one rule set, compiled for sets of type `B` with what `R` knows.
#[derive(Debug)]
pub struct MoveGenerator<B, R> {
    pub(super) rules: Rules,
    pub(super) geometry: Geometry<B>,
    pub(super) precedence: Precedence,
    /// Which games are drawn; generating moves does not look at it.
    pub(super) draws: Draws,
    /// Whether a game can be over while the side to move could still move.
    can_end_immediately: bool,
    features: PhantomData<R>,
}

/// How a game ended, as far as the position alone shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move has no piece.
    NoPieces,
    /// The side to move has no legal move.
    NoMove,
    /// A man has reached the far row in a game that ends with it.
    Breakthrough,
    /// A side is left with a single piece in a game that ends with it.
    LonePiece,
}

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    pub(super) fn new(rules: Rules) -> Self {
        MoveGenerator {
            geometry: Geometry::new(&rules),
            precedence: Precedence::new(&rules.precedence),
            draws: Draws::new(&rules.draws),
            can_end_immediately: rules.breakthrough || rules.lone_piece_loses || rules.lone_man_loses_to_king,
            rules,
            features: PhantomData,
        }
    }

    /// Puts every legal move into `sink`, captures once or once for every way they can go.
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
        // The side becomes a constant here, and with it the directions of its men.
        match position.turn {
            Side::White => self.generate_for::<false>(position, paths, scratch, sink),
            Side::Black => self.generate_for::<true>(position, paths, scratch, sink),
        }
    }

    /// Append every legal move to a list. Not inlined, unlike `generate`: it has many callers.
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

    /// The position after a move.
    #[inline(always)]
    pub(super) fn after(&self, position: &Position<B>, played: &Move<B>) -> Position<B> {
        position.after(played, self.rules.king_move_limit)
    }

    /// How the game ended and who won, or None while it goes on.
    pub(super) fn ending(&self, position: &Position<B>, scratch: &mut Scratch<B>) -> Option<(Side, Ending)> {
        if let Some(ending) = self.immediate_result(position) {
            return Some(ending);
        }
        let stuck = if self.rules.losing { position.turn } else { position.turn.opponent() };
        if position.of(position.turn).is_empty() {
            return Some((stuck, Ending::NoPieces));
        }
        // Nearly always a man can step. Moves are generated only if kings may be the only pieces that can move.
        if self.can_step(position) || self.could_capture(position, position.turn) {
            return None;
        }
        let mut moves = CountSink::default();
        self.generate(position, CapturePaths::Distinct, scratch, &mut moves);
        (moves.0 == 0).then_some((stuck, Ending::NoMove))
    }

    /// Whether the pieces alone show that the game is over.
    #[inline(always)]
    pub(super) fn is_over_immediately(&self, position: &Position<B>) -> bool {
        self.can_end_immediately && self.immediate_result(position).is_some()
    }

    /// The winner of a game that the pieces alone show to be over.
    #[inline(never)]
    fn immediate_result(&self, position: &Position<B>) -> Option<(Side, Ending)> {
        // The side that has just moved is looked at first: it is the one that can have won.
        let sides = [position.turn.opponent(), position.turn];
        let has_king = |side: Side| !(position.of(side) & position.kings).is_empty();
        if self.rules.breakthrough
            && let Some(winner) = sides.into_iter().find(|side| has_king(*side))
        {
            return Some((winner, Ending::Breakthrough));
        }
        // A side without pieces has no move; that is judged with the moves.
        if position.of(position.turn).is_empty() {
            return None;
        }
        let loser = sides.into_iter().rev().find(|side| {
            let alone = position.of(*side).count() == 1;
            let man = !has_king(*side);
            alone
                && (self.rules.lone_piece_loses
                    || self.rules.lone_man_loses_to_king && man && has_king(side.opponent()))
        })?;
        Some((loser.opponent(), Ending::LonePiece))
    }
}
