//! The implementation of `SearchGame` for draughts.

use std::sync::Arc;

use super::bitboard::Bitboard;
use super::board::{Board, BoundPosition};
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::draw_counters::DrawCounters;
use super::evaluation::{Accumulator, Evaluation, Evaluator};
use super::generator::MoveGenerator;
use super::moves::Move;
use super::position::Position;
use super::specialisation::RuleSource;
use super::tablebase::{self, SearchProber};
use crate::random::SPREAD;
use crate::search::{FunctionEvaluation, Leaf, SCORE_SCALE, SearchGame, TABLEBASE_WIN, Value, WIN};
use crate::side::Side;
use crate::work::SharedMonitor;

/// A move generator with an evaluation, and a tablebase if there is one.
pub(super) struct DraughtsSearch<'a, B, R> {
    pub(super) generator: &'a Arc<MoveGenerator<B, R>>,
    pub(super) evaluation: SearchEvaluation<'a, B>,
    pub(super) tablebase: Option<SearchProber<'a, B, R>>,
}

/// The evaluation of a search.
#[derive(Clone, Copy)]
pub(super) enum SearchEvaluation<'a, B> {
    /// One of the core.
    Compiled(&'a Evaluation<B>),
    /// A function outside the core.
    Function(&'a FunctionEvaluation<Box<dyn Board>>),
}

impl<'a, B: 'static> SearchEvaluation<'a, B> {
    /// Return the evaluation behind a trait object, or None if it was compiled for boards of another type.
    pub(super) fn of(evaluator: &'a dyn Evaluator) -> Option<Self> {
        let compiled = evaluator.as_any().downcast_ref().map(SearchEvaluation::Compiled);
        compiled.or_else(|| evaluator.as_any().downcast_ref().map(SearchEvaluation::Function))
    }
}

/// A position with its draw counters.
#[derive(Clone, Copy)]
pub(super) struct Node<B> {
    pub(super) position: Position<B>,
    pub(super) counters: DrawCounters,
}

/// The memory of a search thread.
pub(super) struct SearchScratch<B> {
    pub(super) captures: Scratch<B>,
    accumulator: Accumulator<B>,
}

impl<B: Bitboard> SearchScratch<B> {
    pub(super) fn new(monitor: Option<&SharedMonitor>) -> Self {
        SearchScratch { captures: Scratch::new(monitor), accumulator: Accumulator::new() }
    }
}

impl<B: Bitboard, R: RuleSource> DraughtsSearch<'_, B, R> {
    /// Return the node of the first position of a game.
    pub(super) fn start(&self, position: Position<B>) -> Node<B> {
        Node { position, counters: self.generator.begin_counters(&position) }
    }

    /// Return the position of a node with its rules, for a function outside the core.
    fn board(&self, node: &Node<B>) -> Box<dyn Board> {
        Box::new(BoundPosition { generator: Arc::clone(self.generator), position: node.position })
    }
}

impl<B: Bitboard, R: RuleSource> SearchGame for DraughtsSearch<'_, B, R> {
    type Node = Node<B>;
    type Move = Move<B>;
    type Scratch = SearchScratch<B>;

    const ASPIRATION_DELTA: i32 = SCORE_SCALE / 10;
    const PROBCUT_MARGIN: i32 = SCORE_SCALE / 10;

    fn new_scratch(&self, monitor: Option<&SharedMonitor>) -> SearchScratch<B> {
        SearchScratch::new(monitor)
    }

    #[inline(always)]
    fn is_cancelled(&self, scratch: &SearchScratch<B>) -> bool {
        scratch.captures.work.is_cancelled()
    }

    #[inline(always)]
    fn side_to_move(&self, node: &Node<B>) -> Side {
        node.position.turn
    }

    #[inline(always)]
    fn hash_key(&self, node: &Node<B>) -> u64 {
        node.position.hash_key()
    }

    #[inline(always)]
    fn generate_moves(&self, node: &Node<B>, scratch: &mut SearchScratch<B>, list: &mut Vec<Move<B>>) {
        scratch.captures.work.reset();
        self.generator.list_moves(&node.position, CapturePaths::Distinct, &mut scratch.captures, list);
    }

    #[inline(never)]
    fn after(&self, node: &Node<B>, played: &Move<B>, _: &mut SearchScratch<B>) -> Node<B> {
        let position = self.generator.after(&node.position, played);
        let counters = self.generator.advance_counters(node.counters, &node.position, played, &position);
        Node { position, counters }
    }

    fn end_value(&self, node: &Node<B>, scratch: &mut SearchScratch<B>) -> Value {
        let winner = self.generator.ending(&node.position, &mut scratch.captures).map(|(winner, _)| winner);
        match winner {
            None => Value::proven(0),
            Some(side) if side == node.position.turn => Value::proven(WIN),
            Some(_) => Value::proven(-WIN),
        }
    }

    #[inline(always)]
    fn known_value(&self, node: &Node<B>, scratch: &mut SearchScratch<B>) -> Option<Value> {
        if !self.generator.draws.is_drawn(&node.counters) {
            return None;
        }
        // A win in the position takes precedence over a draw.
        if self.generator.ending(&node.position, &mut scratch.captures).is_some() {
            return Some(self.end_value(node, scratch));
        }
        Some(Value { score: 0, proven: self.generator.draws.is_drawn_at_once(&node.counters) })
    }

    #[inline(always)]
    fn tablebase_value(&self, node: &Node<B>) -> Option<Value> {
        match self.tablebase.as_ref()?.probe(&node.position)? {
            tablebase::Value::Draw => Some(Value::proven(0)),
            // A draw rule can end the game before it is won.
            tablebase::Value::Win => Some(Value::heuristic(TABLEBASE_WIN)),
            tablebase::Value::Loss => Some(Value::heuristic(-TABLEBASE_WIN)),
        }
    }

    fn plies_to_draw(&self, node: &Node<B>) -> i32 {
        self.generator.draws.plies_left(&node.counters).map_or(i32::MAX, i32::from)
    }

    #[inline(always)]
    fn repetition_limit(&self) -> Option<usize> {
        self.generator.draws.repetition.map(|times| times as usize)
    }

    #[inline(always)]
    fn repetition_score(&self, _: &Node<B>) -> i32 {
        0
    }

    #[inline(never)]
    fn evaluate(&self, node: &Node<B>, scratch: &mut SearchScratch<B>) -> Option<i32> {
        match self.evaluation {
            SearchEvaluation::Compiled(evaluation) => {
                Some(self.generator.evaluate(evaluation, &node.position, &mut scratch.accumulator))
            }
            SearchEvaluation::Function(function) => function.value(self.hash_key(node), || self.board(node)),
        }
    }

    #[inline(always)]
    fn has_slow_evaluation(&self) -> bool {
        matches!(self.evaluation, SearchEvaluation::Function(_))
    }

    #[inline(always)]
    fn evaluates_batches(&self) -> bool {
        matches!(self.evaluation, SearchEvaluation::Function(function) if function.is_batch())
    }

    fn prepare_evaluations(&self, nodes: &[Node<B>]) -> Option<()> {
        let SearchEvaluation::Function(function) = self.evaluation else { return Some(()) };
        function.prepare(nodes.iter().map(|node| self.hash_key(node)), |index| self.board(&nodes[index]))
    }

    #[inline(never)]
    fn quiescence_moves(
        &self,
        node: &Node<B>,
        is_first: bool,
        scratch: &mut SearchScratch<B>,
        list: &mut Vec<Move<B>>,
    ) -> Leaf {
        scratch.captures.work.reset();
        self.generator.quiescence_moves(&node.position, is_first, &mut scratch.captures, list)
    }

    /// Return the key of a move. Its lower 12 bits depend only on the squares: moves that differ in their captures
    /// share a history entry.
    #[inline(always)]
    fn move_key(&self, played: &Move<B>) -> u16 {
        let squares = 1 + (usize::from(played.from) * 64 + usize::from(played.to)) % 4095;
        let captured = played.captured.words().fold(0, |hash: u64, word| (hash ^ word).wrapping_mul(SPREAD));
        (captured >> 60) as u16 * 4096 + squares as u16
    }

    #[inline(always)]
    fn static_score(&self, _: &Node<B>, played: &Move<B>) -> i32 {
        played.captured.count() as i32 + i32::from(played.crowns)
    }

    #[inline(always)]
    fn is_tactical(&self, _: &Node<B>, played: &Move<B>) -> bool {
        !played.captured.is_empty() || played.crowns
    }

    #[inline(always)]
    fn is_irreversible(&self, node: &Node<B>, played: &Move<B>) -> bool {
        !played.captured.is_empty() || !node.position.kings.has(usize::from(played.from))
    }
}

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// List captures, or all moves if the opponent threatens a capture at the first ply of the quiescence search.
    #[inline(always)]
    fn quiescence_moves(
        &self,
        position: &Position<B>,
        is_first: bool,
        scratch: &mut Scratch<B>,
        list: &mut Vec<Move<B>>,
    ) -> Leaf {
        if self.is_over_immediately(position) {
            return Leaf::GameOver;
        }
        let captures = match position.turn {
            Side::White => self.generate_captures::<false, _>(position, CapturePaths::Distinct, scratch, list),
            Side::Black => self.generate_captures::<true, _>(position, CapturePaths::Distinct, scratch, list),
        };
        if captures {
            return if self.rules.capture_compulsory { Leaf::Forced } else { Leaf::Optional };
        }
        let is_threatened = is_first && self.could_capture(position, position.turn.opponent());
        if is_threatened || !self.can_step(position) {
            self.list_moves(position, CapturePaths::Distinct, scratch, list);
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
