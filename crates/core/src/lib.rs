//! Rules, moves, search and solving for draughts and mancala, without Python.

pub mod draughts;
mod huge_pages;
pub mod mancala;
pub mod parallel;
pub mod pdn;
pub mod platform;
pub mod random;
pub mod random_games;
pub mod search;
pub mod side;
pub mod text;
