//! The implementation of `SearchGame` for draughts.

use super::capture_generator::Scratch;
use super::captures::Ways;
use super::draw_counters::DrawCounters;
use super::evaluation::Evaluation;
use super::features::Features;
use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use super::squares::SquareSet;
use crate::random::SPREAD;
use crate::search::{Leaf, SCORE_SCALE, SearchGame, Value, WIN};
use crate::side::Side;

/// A move generator with an evaluation.
pub(super) struct DraughtsSearch<'a, S, F> {
    pub(super) mover: &'a Mover<S, F>,
    pub(super) evaluation: &'a Evaluation<S>,
}

/// A position with its draw counters.
#[derive(Clone, Copy)]
pub(super) struct Node<S> {
    pub(super) position: Position<S>,
    pub(super) counters: DrawCounters,
}

impl<S: SquareSet, F: Features> DraughtsSearch<'_, S, F> {
    /// Return the node of the position that a game begins with.
    pub(super) fn start(&self, position: Position<S>) -> Node<S> {
        Node { position, counters: self.mover.begin_counters(&position) }
    }
}

impl<S: SquareSet, F: Features> SearchGame for DraughtsSearch<'_, S, F> {
    type Node = Node<S>;
    type Move = Move<S>;
    type Scratch = Scratch<S>;

    const ASPIRATION_DELTA: i32 = SCORE_SCALE / 10;
    const PROBCUT_MARGIN: i32 = SCORE_SCALE / 10;

    #[inline(always)]
    fn side_to_move(&self, node: &Node<S>) -> Side {
        node.position.turn
    }

    #[inline(always)]
    fn hash_key(&self, node: &Node<S>) -> u64 {
        node.position.hash_key()
    }

    #[inline(always)]
    fn generate_moves(&self, node: &Node<S>, scratch: &mut Scratch<S>, list: &mut Vec<Move<S>>) {
        self.mover.list_moves(&node.position, Ways::Distinct, scratch, list);
    }

    #[inline(never)]
    fn after(&self, node: &Node<S>, played: &Move<S>, _: &mut Scratch<S>) -> Node<S> {
        let position = self.mover.after(&node.position, played);
        let counters = self.mover.advance_counters(node.counters, &node.position, played, &position);
        Node { position, counters }
    }

    fn end_value(&self, node: &Node<S>, scratch: &mut Scratch<S>) -> Value {
        let winner = self.mover.ending(&node.position, scratch).map(|(winner, _)| winner);
        match winner {
            None => Value::proven(0),
            Some(side) if side == node.position.turn => Value::proven(WIN),
            Some(_) => Value::proven(-WIN),
        }
    }

    #[inline(always)]
    fn known_value(&self, node: &Node<S>, scratch: &mut Scratch<S>) -> Option<Value> {
        if !self.mover.draws.is_drawn(&node.counters) {
            return None;
        }
        // A win in the position takes precedence over a draw.
        if self.mover.ending(&node.position, scratch).is_some() {
            return Some(self.end_value(node, scratch));
        }
        Some(Value { score: 0, proven: self.mover.draws.is_drawn_at_once(&node.counters) })
    }

    fn plies_to_draw(&self, node: &Node<S>) -> i32 {
        self.mover.draws.plies_left(&node.counters).map_or(i32::MAX, i32::from)
    }

    #[inline(always)]
    fn repetition_limit(&self) -> Option<usize> {
        self.mover.draws.repetition.map(|times| times as usize)
    }

    #[inline(always)]
    fn repetition_score(&self, _: &Node<S>) -> i32 {
        0
    }

    #[inline(never)]
    fn evaluate(&self, node: &Node<S>) -> i32 {
        self.mover.evaluate(self.evaluation, &node.position)
    }

    #[inline(never)]
    fn quiescence_moves(
        &self,
        node: &Node<S>,
        is_first: bool,
        scratch: &mut Scratch<S>,
        list: &mut Vec<Move<S>>,
    ) -> Leaf {
        self.mover.quiescence_moves(&node.position, is_first, scratch, list)
    }

    /// The lower 12 bits depend on the squares only: moves that differ in their captures share a history entry.
    #[inline(always)]
    fn move_key(&self, played: &Move<S>) -> u16 {
        let squares = 1 + (usize::from(played.from) * 64 + usize::from(played.to)) % 4095;
        let captured = played.captured.words().fold(0, |hash: u64, word| (hash ^ word).wrapping_mul(SPREAD));
        (captured >> 60) as u16 * 4096 + squares as u16
    }

    #[inline(always)]
    fn static_score(&self, _: &Node<S>, played: &Move<S>) -> i32 {
        played.captured.count() as i32 + i32::from(played.crowns)
    }

    #[inline(always)]
    fn is_tactical(&self, _: &Node<S>, played: &Move<S>) -> bool {
        !played.captured.is_empty() || played.crowns
    }

    #[inline(always)]
    fn is_irreversible(&self, node: &Node<S>, played: &Move<S>) -> bool {
        !played.captured.is_empty() || !node.position.kings.has(usize::from(played.from))
    }
}

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// List captures, or all moves if the opponent threatens a capture at the first ply of the quiescence search.
    #[inline(always)]
    fn quiescence_moves(
        &self,
        position: &Position<S>,
        is_first: bool,
        scratch: &mut Scratch<S>,
        list: &mut Vec<Move<S>>,
    ) -> Leaf {
        if self.is_over_early(position) {
            return Leaf::GameOver;
        }
        let captures = match position.turn {
            Side::White => self.captures::<false, _>(position, Ways::Distinct, scratch, list),
            Side::Black => self.captures::<true, _>(position, Ways::Distinct, scratch, list),
        };
        if captures {
            return if self.rules.capture_compulsory { Leaf::Forced } else { Leaf::Optional };
        }
        let is_threatened = is_first && self.could_capture(position, position.turn.opponent());
        if is_threatened || !self.can_step(position) {
            self.list_moves(position, Ways::Distinct, scratch, list);
            return if list.is_empty() {
                Leaf::GameOver
            } else if is_threatened {
                Leaf::Forced
            } else {
                list.clear();
                Leaf::Quiet
            };
        }
        Leaf::Quiet
    }
}
