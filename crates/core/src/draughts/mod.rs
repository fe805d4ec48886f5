//! Draughts: one move generator for all variants, configured by a rule set.
//!
//! The data flows from the rules to the moves:
//!
//! 1. Rules: `rules` (fields of a variant), `directions`, `precedence` (capture precedence as a rank), `material` and
//!    `draw_counters` (draw rules). `compiled_rules` selects the bitboard type and the rule source for them;
//!    `specialisation` has the rule sources, which give the compiler the facts of common variants as constants.
//! 2. Geometry: `bitboard` (sets of squares in 64 bits, 128 bits or more words) and `geometry` (the mapping of squares
//!    to bits with guard bits, steps and rays).
//! 3. Position: `position` (pieces, side to move, hash key).
//! 4. Move generator: `generator` combines `quiet` (quiet moves) and `captures` (single jumps of all pieces at once).
//!    `capture_generator` searches longer captures jump by jump and drops those of a lower precedence rank; it records
//!    its states in `visited`. `capture_graph` speeds up flying kings among many pieces.
//! 5. Moves: `moves` has the moves and the sinks that receive them: lists, counters and tests for one move.
//!
//! Built on the move generator:
//!
//! - `board`: the public traits, in square indices, without type parameters;
//! - `perft`, `playouts`, `lookup` (moves by squares), `replay` (recorded games), `notation` (text of positions and
//!   moves);
//! - `search_game`, `evaluation`: the game for the alpha-beta search and its static evaluation;
//! - `planes`, `arrays`, `actions`, `steps`: positions as arrays of bytes, and moves as numbers;
//! - `batch`: many games that are stepped together;
//! - `self_play`: games of the search against itself, for fitting evaluations;
//! - `two_kings`: retrograde analysis of one king against one king, for draw rules.

mod actions;
mod arrays;
mod batch;
mod bitboard;
mod board;
mod capture_generator;
mod capture_graph;
mod captures;
mod compiled_rules;
mod directions;
mod draw_counters;
mod evaluation;
mod generator;
mod geometry;
mod lookup;
mod material;
mod moves;
pub mod notation;
mod perft;
mod planes;
mod playouts;
mod position;
mod precedence;
mod quiet;
mod replay;
mod rules;
mod search_game;
mod self_play;
mod specialisation;
mod steps;
pub mod tablebase;
mod two_kings;
mod visited;

pub use actions::{ActionEncoding, Arrays, MAX_ENCODING_SIZE};
pub use arrays::ArrayFormat;
pub use batch::{DraughtsBatch, DrawEnds};
pub use board::{Analysis, Board, DrawCounting, Setup, SquareMove};
pub use compiled_rules::{CompiledRules, compile};
pub use directions::Directions;
pub use draw_counters::{CountChange, DrawCounters, DrawRule, DrawnMaterial, MAX_COUNT, MoveCount, Progress, Threat};
pub use evaluation::{
    Evaluator, Examples, Feature, FeatureRows, NetworkShape, NetworkTrainer, NetworkWeights, Pattern, TaperedWeight,
    Weights, packed_size,
};
pub use generator::Ending;
pub use material::{Force, Material, Range};
pub use moves::Jump;
pub use planes::{CAPTURE_PLANES, PLANES};
pub use replay::{Ambiguity, MoveText, ReplayError, Replayed, SetupChange, Step};
pub use rules::{Criterion, KingLanding, Promotion, Rules};
pub use self_play::SelfPlay;
