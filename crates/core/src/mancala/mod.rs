//! Mancala: one mover for every rule set.

mod board;
mod mover;
mod moves;
mod perft;
mod playouts;
mod position;
mod routes;
mod row;
mod rules;
mod search_game;
pub mod solve;
mod sow;

pub use board::{Board, Game, Setup};
pub use mover::Ending;
pub use moves::{Move, Yield};
pub use rules::{Capture, GrandSlam, MOST_SEEDS, Rules};
