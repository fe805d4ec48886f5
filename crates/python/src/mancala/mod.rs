//! Mancala: rules, moves and positions as Python sees them.

mod known;
mod mover;
mod moves;
mod notation;
mod position;
mod setup;
mod solve;
mod tables;

pub use mover::MancalaMover;
pub use moves::{MancalaMove, line};
pub use position::MancalaPosition;
pub use solve::solve_mancala;
pub use tables::MancalaTables;
