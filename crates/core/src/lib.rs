//! Rules, moves, search and solving for draughts and mancala, without Python.

pub mod draughts;
pub mod mancala;
mod pages;
pub mod parallel;
pub mod pdn;
pub mod random;
pub mod search;
pub mod series;
pub mod side;
pub mod text;
