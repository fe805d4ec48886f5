//! Mancala: one move generator for every rule set.

mod arrays;
mod batch;
mod board;
mod generator;
mod moves;
mod notation;
mod perft;
mod playouts;
mod position;
mod row;
mod rules;
mod search_game;
mod setup;
pub mod solver;
mod sow;
mod sow_table;

pub use arrays::{ActionEncoding, ArrayFormat, MAX_OBSERVED_SEEDS};
pub use batch::{MancalaBatch, RepetitionEnd};
pub use board::{Board, Game};
pub use generator::Ending;
pub use moves::{Move, SowResult};
pub use notation::{format_move, format_position, parse_move, parse_position};
pub use rules::{Capture, GrandSlam, MAX_SEEDS, Rules};
pub use setup::{Setup, SetupBuilder};
