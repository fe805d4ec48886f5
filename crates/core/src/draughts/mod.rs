//! Draughts: one mover for every rule set.

mod board;
mod captures;
mod evaluation;
mod features;
mod flights;
mod game;
mod geometry;
mod jumps;
mod lookup;
mod mover;
mod moves;
mod perft;
mod playouts;
mod position;
mod precedence;
mod quiet;
mod replay;
mod rules;
mod squares;
mod states;
mod tree;

pub use board::{Board, Setup, SquareMove};
pub use evaluation::{
    Evaluation, Feature, Judge, LARGEST_PATTERN, LARGEST_VALUE, MOST_PATTERNS, Pair, Pattern, Sample, Weights,
    packed_size, view_count,
};
pub use game::{Game, prepare};
pub use mover::Ending;
pub use moves::Jump;
pub use replay::{Failure, Replayed, Scene, Script, Step};
pub use rules::{Criterion, Directions, KingLanding, Promotion, Rules};
