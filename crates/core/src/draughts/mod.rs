//! Draughts: one mover for every rule set.

mod board;
mod captures;
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

pub use board::{Board, Setup, SquareMove};
pub use game::{Game, prepare};
pub use mover::Ending;
pub use moves::Jump;
pub use replay::{Failure, Replayed, Scene, Script, Step};
pub use rules::{Criterion, Directions, KingLanding, Promotion, Rules};
