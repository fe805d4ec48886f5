//! The mancala classes of the extension module.

mod actions;
mod arrays;
mod move_cache;
mod mover;
mod moves;
mod position;
mod setup;
mod solver;
mod tables;

pub use actions::MancalaActionEncoding;
pub use arrays::MancalaArrayCodec;
pub use mover::MancalaMover;
pub use moves::{MancalaMove, line};
pub use position::MancalaPosition;
pub use solver::{solve_all_mancala, solve_mancala};
pub use tables::MancalaTables;
