//! Draughts as the search sees it.

use super::captures::Ways;
use super::draw_counters::DrawCounters;
use super::evaluation::Evaluation;
use super::features::Features;
use super::jumps::Scratch;
use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use super::squares::SquareSet;
use crate::random::SPREAD;
use crate::search::{HUNDREDTHS, Leaf, Play, Value, WIN};
use crate::side::Side;

/// A mover with an opinion about positions.
pub(super) struct Tree<'a, S, F> {
    pub(super) mover: &'a Mover<S, F>,
    pub(super) evaluation: &'a Evaluation<S>,
}

/// A position with what the draw rules have counted.
#[derive(Clone, Copy)]
pub(super) struct Node<S> {
    pub(super) position: Position<S>,
    pub(super) counters: DrawCounters,
}

impl<S: SquareSet, F: Features> Tree<'_, S, F> {
    /// A position that a game begins with.
    pub(super) fn begin(&self, position: Position<S>) -> Node<S> {
        Node { position, counters: self.mover.begin_counters(&position) }
    }
}

impl<S: SquareSet, F: Features> Play for Tree<'_, S, F> {
    type Node = Node<S>;
    type Move = Move<S>;
    type Scratch = Scratch<S>;

    const WINDOW: i32 = HUNDREDTHS / 10;
    const DOUBT: i32 = HUNDREDTHS / 10;

    #[inline(always)]
    fn side(&self, node: &Node<S>) -> Side {
        node.position.turn
    }

    #[inline(always)]
    fn key(&self, node: &Node<S>) -> u64 {
        node.position.hash_key()
    }

    #[inline(always)]
    fn moves(&self, node: &Node<S>, scratch: &mut Scratch<S>, list: &mut Vec<Move<S>>) {
        self.mover.list_moves(&node.position, scratch, list);
    }

    #[inline(never)]
    fn after(&self, node: &Node<S>, played: &Move<S>, _: &mut Scratch<S>) -> Node<S> {
        let position = self.mover.after(&node.position, played);
        let counters = self.mover.advance_counters(node.counters, &node.position, played, &position);
        Node { position, counters }
    }

    fn end(&self, node: &Node<S>, scratch: &mut Scratch<S>) -> Value {
        let winner = self.mover.ending(&node.position, scratch).map(|(winner, _)| winner);
        match winner {
            None => Value::proven(0),
            Some(side) if side == node.position.turn => Value::proven(WIN),
            Some(_) => Value::proven(-WIN),
        }
    }

    #[inline(always)]
    fn known(&self, node: &Node<S>, scratch: &mut Scratch<S>) -> Option<Value> {
        if !self.mover.draws.is_drawn(&node.counters) {
            return None;
        }
        // A win that shows in the position counts before any draw.
        if self.mover.ending(&node.position, scratch).is_some() {
            return Some(self.end(node, scratch));
        }
        Some(Value { score: 0, proven: self.mover.draws.is_drawn_at_once(&node.counters) })
    }

    fn plies_left(&self, node: &Node<S>) -> i32 {
        self.mover.draws.plies_left(&node.counters).map_or(i32::MAX, i32::from)
    }

    #[inline(always)]
    fn repetition(&self) -> Option<usize> {
        self.mover.draws.repetition.map(|times| times as usize)
    }

    #[inline(always)]
    fn repeated(&self, _: &Node<S>) -> i32 {
        0
    }

    #[inline(never)]
    fn evaluate(&self, node: &Node<S>) -> i32 {
        self.mover.evaluate(self.evaluation, &node.position)
    }

    #[inline(never)]
    fn leaf(&self, node: &Node<S>, first: bool, scratch: &mut Scratch<S>, list: &mut Vec<Move<S>>) -> Leaf {
        self.mover.leaf(&node.position, first, scratch, list)
    }

    /// The squares in the lower bits, so that experience with a move counts whatever it captures.
    #[inline(always)]
    fn tag(&self, played: &Move<S>) -> u16 {
        let squares = 1 + (usize::from(played.from) * 64 + usize::from(played.to)) % 4095;
        let captured = played.captured.words().fold(0, |hash: u64, word| (hash ^ word).wrapping_mul(SPREAD));
        (captured >> 60) as u16 * 4096 + squares as u16
    }

    #[inline(always)]
    fn promise(&self, _: &Node<S>, played: &Move<S>) -> i32 {
        played.captured.count() as i32 + i32::from(played.crowns)
    }

    #[inline(always)]
    fn is_loud(&self, _: &Node<S>, played: &Move<S>) -> bool {
        !played.captured.is_empty() || played.crowns
    }

    #[inline(always)]
    fn is_final(&self, node: &Node<S>, played: &Move<S>) -> bool {
        !played.captured.is_empty() || !node.position.kings.has(usize::from(played.from))
    }
}

impl<S: SquareSet, F: Features> Mover<S, F> {
    #[inline(never)] // there would be copies without end
    fn list_moves(&self, position: &Position<S>, scratch: &mut Scratch<S>, list: &mut Vec<Move<S>>) {
        self.generate(position, Ways::Distinct, scratch, list);
    }

    /// What has to be looked at before a position can be evaluated: captures, and any move where a piece hangs.
    #[inline(always)]
    fn leaf(&self, position: &Position<S>, first: bool, scratch: &mut Scratch<S>, list: &mut Vec<Move<S>>) -> Leaf {
        if self.is_over_early(position) {
            return Leaf::Over;
        }
        let captures = match position.turn {
            Side::White => self.captures::<false, _>(position, Ways::Distinct, scratch, list),
            Side::Black => self.captures::<true, _>(position, Ways::Distinct, scratch, list),
        };
        if captures {
            return if self.rules.capture_compulsory { Leaf::Forced } else { Leaf::Choice };
        }
        let hangs = first && self.could_capture(position, position.turn.opponent());
        if hangs || !self.can_step(position) {
            self.list_moves(position, scratch, list);
            return if list.is_empty() {
                Leaf::Over
            } else if hangs {
                Leaf::Forced
            } else {
                list.clear();
                Leaf::Calm
            };
        }
        Leaf::Calm
    }
}
