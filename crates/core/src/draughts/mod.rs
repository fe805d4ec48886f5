//! Draughts: one mover for every rule set.

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
mod playouts;
mod position;
mod precedence;
mod quiet;
mod replay;
mod rules;
mod search_game;
mod specialisation;
mod two_kings;
mod visited;

pub use board::{Board, Setup, SquareMove};
pub use compiled_rules::{CompiledRules, compile};
pub use directions::Directions;
pub use draw_counters::{CountChange, DrawCounters, DrawRule, DrawnMaterial, MAX_COUNT, MoveCount, Progress, Threat};
pub use evaluation::{Evaluator, Feature, FeatureRows, Pattern, TaperedWeight, Weights, packed_size};
pub use generator::Ending;
pub use material::{Force, Material, Range};
pub use moves::Jump;
pub use replay::{MoveText, ReplayError, Replayed, SetupChange, Step};
pub use rules::{Criterion, KingLanding, Promotion, Rules};
