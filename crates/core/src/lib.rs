//! The core of tablemen: move generation, search and solving for draughts and mancala, without Python.
//!
//! - `draughts`, `mancala`: the two families of games, each with rules, positions, a move generator and notation;
//! - `search`: the alpha-beta search, shared by both families;
//! - `pdn`: a scanner and a parser of PDN game files;
//! - `random_games`, `random`: random playouts and their pseudo-random numbers;
//! - `work`: work counting and cancellation;
//! - `parallel`, `platform`, `memory`: threads and memory;
//! - `actions`, `arrays`: numbers of moves, and positions as rows of arrays;
//! - `envs`: environments, that is, many games that are stepped together;
//! - `side`, `text`: types shared by all of these.

pub mod actions;
pub mod arrays;
pub mod draughts;
pub mod envs;
pub mod mancala;
pub mod memory;
pub mod parallel;
pub mod pdn;
pub mod platform;
pub mod random;
pub mod random_games;
pub mod search;
pub mod side;
pub mod text;
pub mod work;
