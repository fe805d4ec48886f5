//! The interface between a family of games and the search.

use super::value::Value;
use crate::side::Side;
use crate::work::SharedMonitor;

/// A game that can be searched: move generation, evaluation, and hints for move ordering and pruning.
pub trait SearchGame: Sync {
    /// A position with its draw counters.
    type Node: Copy + Send + Sync;
    /// A move.
    type Move: Copy + PartialEq + Send + Sync;
    /// Reusable memory for move generation and evaluation, one per thread.
    type Scratch: Send;

    /// The half width of the first aspiration window around the score of the previous iteration.
    const ASPIRATION_DELTA: i32;
    /// The margin of ProbCut for each ply of depth.
    const PROBCUT_MARGIN: i32;

    /// Create the memory of a thread. The monitor can cancel a generation of moves that takes long.
    fn new_scratch(&self, monitor: Option<&SharedMonitor>) -> Self::Scratch;
    /// Return whether a generation of moves was cancelled, so that its list is incomplete.
    fn is_cancelled(&self, scratch: &Self::Scratch) -> bool;
    /// Return the side to move.
    fn side_to_move(&self, node: &Self::Node) -> Side;
    /// Return the hash key of the position, for the transposition table and repetition detection.
    ///
    /// Equal positions have equal keys. The key is not a Zobrist key (the XOR of a random number for each piece and
    /// square, updated incrementally): it is computed from the packed position by multiplying and mixing its words.
    fn hash_key(&self, node: &Self::Node) -> u64;
    /// Append all legal moves to an empty list; none if the game is over.
    fn generate_moves(&self, node: &Self::Node, scratch: &mut Self::Scratch, list: &mut Vec<Self::Move>);
    /// Return the position after a legal move.
    fn after(&self, node: &Self::Node, played: &Self::Move, scratch: &mut Self::Scratch) -> Self::Node;
    /// Return the value, for the side to move, of a position without legal moves.
    fn end_value(&self, node: &Self::Node, scratch: &mut Self::Scratch) -> Value;
    /// Return the value of a position if it is known without a search: a draw by a counter, or an endgame table entry.
    fn known_value(&self, node: &Self::Node, scratch: &mut Self::Scratch) -> Option<Value>;
    /// Return the value of a position by a tablebase, or None if there is none: `TABLEBASE_WIN` for a win whose distance
    /// to the end is not known, the negated score for a loss, and a proven 0 for a draw.
    #[inline(always)]
    fn tablebase_value(&self, _node: &Self::Node) -> Option<Value> {
        None
    }
    /// Return a lower bound of the number of plies before a draw counter ends the game.
    fn plies_to_draw(&self, node: &Self::Node) -> i32;
    /// Return the number of occurrences of a position that ends the game, or None if repetitions do not matter.
    fn repetition_limit(&self) -> Option<usize>;
    /// Return the score of a position whose repetition ends the game.
    fn repetition_score(&self, node: &Self::Node) -> i32;
    /// Return the static evaluation for the side to move, or None if it has failed, which ends the search.
    fn evaluate(&self, node: &Self::Node, scratch: &mut Self::Scratch) -> Option<i32>;
    /// Return whether `evaluate` calls a function outside the core, which can take long.
    #[inline(always)]
    fn has_slow_evaluation(&self) -> bool {
        false
    }
    /// Return whether `evaluate` is faster for positions that were given to `prepare_evaluations`.
    #[inline(always)]
    fn evaluates_batches(&self) -> bool {
        false
    }
    /// Evaluate positions in one call, and cache their values for `evaluate`. Return None if the evaluation has failed.
    fn prepare_evaluations(&self, _nodes: &[Self::Node]) -> Option<()> {
        Some(())
    }
    /// Append the moves that the quiescence search must follow to an empty list, and classify the position.
    ///
    /// `is_first` is true at the first ply of the quiescence search.
    fn quiescence_moves(
        &self,
        node: &Self::Node,
        is_first: bool,
        scratch: &mut Self::Scratch,
        list: &mut Vec<Self::Move>,
    ) -> Leaf;

    /// Return a 16-bit key of a move, never 0. Few moves of a position share a key.
    fn move_key(&self, played: &Self::Move) -> u16;
    /// Return a static score for move ordering: 0 for a quiet move, at most 30,000.
    fn static_score(&self, node: &Self::Node, played: &Self::Move) -> i32;
    /// Return whether a move is tactical, which exempts it from late move reductions.
    fn is_tactical(&self, node: &Self::Node, played: &Self::Move) -> bool;
    /// Return whether a move is irreversible: no earlier position can occur again after it.
    fn is_irreversible(&self, node: &Self::Node, played: &Self::Move) -> bool;
}

/// The class of a position in the quiescence search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The position is quiet: its value is its static evaluation.
    Quiet,
    /// One of the listed moves must be played.
    Forced,
    /// The listed moves are optional: the side to move may stand pat.
    Optional,
    /// The game is over.
    GameOver,
}
