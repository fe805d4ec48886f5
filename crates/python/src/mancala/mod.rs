//! Mancala: rules, moves and positions as Python sees them.

mod known;
mod mover;
mod moves;
mod position;
mod setup;

pub use mover::MancalaMover;
pub use moves::MancalaMove;
pub use position::{MancalaPosition, line};
