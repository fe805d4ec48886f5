//! Draughts: one mover for every rule set.

mod board;
mod captures;
mod chart;
mod directions;
mod draw_counters;
mod evaluation;
mod features;
mod flights;
mod game;
mod geometry;
mod jumps;
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
mod squares;
mod states;
mod tree;
mod two_kings;

pub use board::{Board, Setup, SquareMove};
pub use directions::Directions;
pub use draw_counters::{CountChange, DrawCounters, DrawRule, DrawnMaterial, MAX_COUNT, MoveCount, Progress, Threat};
pub use evaluation::{Feature, Judge, Pair, Pattern, Sample, Weights, packed_size};
pub use game::{Game, prepare};
pub use material::{Force, Material, Range};
pub use mover::Ending;
pub use moves::Jump;
pub use replay::{Failure, Replayed, Scene, Script, Step};
pub use rules::{Criterion, KingLanding, Promotion, Rules};
