//! The implementation of `SearchGame` for mancala.

use std::sync::Arc;

use super::board::{Board, BoundPosition, LazyTables};
use super::generator::MoveGenerator;
use super::moves::Move;
use super::position::Position;
use super::row::Row;
use super::solver::EndgameTables;
use crate::search::{FunctionEvaluation, Leaf, SCORE_SCALE, SearchGame, Value};
use crate::side::Side;
use crate::work::SharedMonitor;

/// The score of a seed in a house: it is likely, but not certain, to end in the owner's store.
const IN_HOUSE: i32 = SCORE_SCALE / 3;
/// The bonus for the side to move.
const TO_MOVE: i32 = SCORE_SCALE / 2;
/// The ordering score of an extra turn, in captured seeds.
const EXTRA_TURN: i32 = 20;

/// A move generator with endgame tables, and an evaluation.
pub(super) struct MancalaSearch<'a, R> {
    pub(super) generator: &'a Arc<MoveGenerator<R>>,
    pub(super) lazy_tables: &'a Arc<LazyTables>,
    /// The endgame tables: the values of positions with few seeds.
    pub(super) tables: Option<&'a EndgameTables>,
    /// The evaluation by a function outside the core; without one, seeds are counted.
    pub(super) function: Option<&'a FunctionEvaluation<Box<dyn Board>>>,
}

impl<R: Row> MancalaSearch<'_, R> {
    /// Return the final margin of the side to move if the game ended now.
    #[inline(always)]
    fn margin(&self, position: &Position<R>) -> i32 {
        (self.generator.lead(position) + self.generator.rest(position)) * SCORE_SCALE
    }

    /// Return a position with its rules, for a function outside the core.
    fn board(&self, position: &Position<R>) -> Box<dyn Board> {
        Box::new(BoundPosition {
            generator: Arc::clone(self.generator),
            tables: Arc::clone(self.lazy_tables),
            position: *position,
        })
    }
}

impl<R: Row> SearchGame for MancalaSearch<'_, R> {
    type Node = Position<R>;
    type Move = Move;
    type Scratch = ();

    const ASPIRATION_DELTA: i32 = SCORE_SCALE;
    const PROBCUT_MARGIN: i32 = SCORE_SCALE / 2;

    fn new_scratch(&self, _: Option<&SharedMonitor>) {}

    #[inline(always)]
    fn is_cancelled(&self, (): &()) -> bool {
        false
    }

    #[inline(always)]
    fn side_to_move(&self, node: &Position<R>) -> Side {
        node.turn
    }

    #[inline(always)]
    fn hash_key(&self, node: &Position<R>) -> u64 {
        node.hash_key()
    }

    #[inline(always)]
    fn generate_moves(&self, node: &Position<R>, (): &mut (), list: &mut Vec<Move>) {
        list.extend(self.generator.legal_moves(node));
    }

    #[inline(always)]
    fn after(&self, node: &Position<R>, played: &Move, (): &mut ()) -> Position<R> {
        self.generator.after(node, *played)
    }

    fn end_value(&self, node: &Position<R>, (): &mut ()) -> Value {
        Value::proven(self.margin(node))
    }

    #[inline(always)]
    fn known_value(&self, node: &Position<R>, (): &mut ()) -> Option<Value> {
        // The tables ignore the stores, and have no positions with an open swap.
        let tables = self.tables.filter(|_| !node.swap_open)?;
        let to_come = i32::from(tables.margin_of(node.own, node.other)?);
        Some(Value::proven((self.generator.lead(node) + to_come) * SCORE_SCALE))
    }

    fn plies_to_draw(&self, _: &Position<R>) -> i32 {
        i32::MAX
    }

    /// One repetition is enough: a cycle that can be forced once can be forced again.
    #[inline(always)]
    fn repetition_limit(&self) -> Option<usize> {
        Some(2)
    }

    /// If a position is repeated, each side keeps its seeds.
    #[inline(always)]
    fn repetition_score(&self, node: &Position<R>) -> i32 {
        self.margin(node)
    }

    #[inline(always)]
    fn evaluate(&self, node: &Position<R>, (): &mut ()) -> Option<i32> {
        match self.function {
            None => Some(self.generator.lead(node) * SCORE_SCALE + self.generator.rest(node) * IN_HOUSE + TO_MOVE),
            Some(function) => function.value(node.hash_key(), || self.board(node)),
        }
    }

    #[inline(always)]
    fn has_slow_evaluation(&self) -> bool {
        self.function.is_some()
    }

    #[inline(always)]
    fn evaluates_batches(&self) -> bool {
        self.function.is_some_and(FunctionEvaluation::is_batch)
    }

    fn prepare_evaluations(&self, nodes: &[Position<R>]) -> Option<()> {
        let Some(function) = self.function else { return Some(()) };
        function.prepare(nodes.iter().map(Position::hash_key), |index| self.board(&nodes[index]))
    }

    /// List extra turns and captures, which are optional.
    #[inline(always)]
    fn quiescence_moves(&self, node: &Position<R>, _: bool, (): &mut (), list: &mut Vec<Move>) -> Leaf {
        let moves = self.generator.legal_moves(node);
        if moves.is_empty() {
            return Leaf::GameOver;
        }
        list.extend(moves.filter(|played| self.is_tactical(node, &played)));
        if list.is_empty() { Leaf::Quiet } else { Leaf::Optional }
    }

    #[inline(always)]
    fn move_key(&self, played: &Move) -> u16 {
        match played {
            Move::Sow(house) => u16::from(*house) + 1,
            Move::Swap => u16::from(u8::MAX),
        }
    }

    /// Extra turns first, those of later houses before those of earlier ones; then captures by the number of seeds.
    #[inline(always)]
    fn static_score(&self, node: &Position<R>, played: &Move) -> i32 {
        let mut after = *node;
        let result = self.generator.play(&mut after, *played);
        match played {
            Move::Sow(house) if result.extra_turn => EXTRA_TURN + i32::from(*house),
            _ => i32::from(result.captured).min(10_000),
        }
    }

    #[inline(always)]
    fn is_tactical(&self, node: &Position<R>, played: &Move) -> bool {
        let mut after = *node;
        let result = self.generator.play(&mut after, *played);
        result.extra_turn || result.captured > 0
    }

    /// A move that adds seeds to a store is irreversible, because seeds never leave a store.
    #[inline(always)]
    fn is_irreversible(&self, node: &Position<R>, played: &Move) -> bool {
        let houses = self.generator.rules.houses;
        let after = self.generator.after(node, *played);
        let stores = |position: &Position<R>| position.own.get(houses) + position.other.get(houses);
        matches!(played, Move::Swap) || stores(&after) > stores(node)
    }
}
