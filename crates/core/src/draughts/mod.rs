//! Draughts: one mover for every rule set.

mod board;
mod capture_generator;
mod capture_graph;
mod captures;
mod counts;
mod directions;
mod draws;
mod evaluation;
mod features;
mod game;
mod geometry;
mod lookup;
mod material;
mod mover;
mod moves;
mod perft;
mod playouts;
mod position;
mod precedence;
mod quiet;
mod replay;
mod rules;
mod search_game;
mod squares;
mod visited;

pub use board::{Board, DrawState, Setup, SquareMove};
pub use counts::LARGEST as LARGEST_COUNT;
pub use directions::Directions;
pub use draws::{DrawRule, DrawnMaterial, MoveCount, Progress, Threat};
pub use evaluation::{Feature, Judge, Pair, Pattern, Sample, Weights, packed_size};
pub use game::{Game, prepare};
pub use material::{Force, Material, Range};
pub use mover::Ending;
pub use moves::Jump;
pub use replay::{Failure, Replayed, Scene, Script, Step};
pub use rules::{Criterion, KingLanding, Promotion, Rules};
