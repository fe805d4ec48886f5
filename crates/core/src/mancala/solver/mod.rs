//! The solver: values of positions under perfect play, for games that are always finite (the Kalah family).
//!
//! The value is the final margin in seeds. An MTD(f) driver (`mtdf`) runs null-window alpha-beta searches
//! (`null_window`) with a transposition table (`transposition`). Positions with few seeds are looked up in endgame
//! tables (`endgame_tables`), which are built layer by layer through backward induction (`layer`).

mod batch;
mod endgame_tables;
mod layer;
mod move_ordering;
mod mtdf;
mod node;
mod null_window;
mod numbering;
mod sowings;
mod transposition;

pub use batch::{OnSolved, solve_all};
pub use endgame_tables::{EndgameTables, SharedBytes};

use super::generator::MoveGenerator;
use super::moves::Move;
use super::position::Position;
use super::row::{Row, WideRow};
use super::rules::Rules;
use super::setup::Setup;
use endgame_tables::View;
use mtdf::Solver;
use node::Solvable;

/// Options of the solver.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Endgame tables for the rules, with any number of layers; None for a search without them.
    pub tables: Option<EndgameTables>,
    /// The number of search threads.
    pub threads: usize,
    /// The maximum size of the transposition table in bytes.
    pub max_bytes: usize,
    /// Whether to find the value of every move.
    pub each_move: bool,
}

/// The value of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The final margin of the side to move, including the stores; negative for a loss.
    pub value: i32,
    /// The moves with their values for the side to move; without `each_move`, only one of the best moves.
    pub moves: Vec<(Move, i32)>,
    /// The number of positions searched.
    pub nodes: u64,
}

/// The progress of the solver.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The number of positions searched.
    pub nodes: u64,
    /// The move being searched; None if it is the position itself.
    pub played: Option<Move>,
    /// The lower bound of the value of the position, or of the one after the move, for its side to move.
    pub lower: i32,
    /// The upper bound of the same value.
    pub upper: i32,
}

/// A callback that is called at intervals during the search. The search stops if it returns false.
pub type OnProgress<'a> = &'a mut dyn FnMut(&Progress) -> bool;

/// The reason why a position was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The progress callback returned false.
    Stopped,
    /// A line of play is longer than the stack allows.
    TooDeep,
    /// The transposition table could not be allocated.
    NoMemory,
    /// Games under these rules can be infinite.
    Endless,
}

/// Solve a position: both sides play for the largest margin.
pub fn solve(
    rules: Rules,
    setup: &Setup,
    options: &SolverOptions,
    on_progress: OnProgress<'_>,
) -> Result<Solution, SolveError> {
    if !endgame_tables::is_solvable(&rules) {
        return Err(SolveError::Endless);
    }
    if fits_in_words(&rules, setup) {
        solve_with::<u64>(rules, setup, options, on_progress)
    } else {
        solve_with::<WideRow>(rules, setup, options, on_progress)
    }
}

/// Return whether the rows of a position fit in machine words.
fn fits_in_words(rules: &Rules, setup: &Setup) -> bool {
    // The transposition table stores a bound in the highest byte of a row. If a majority ends the game, positions
    // differ by their stores, so the store also needs a byte.
    let fits = rules.houses + usize::from(rules.majority_ends) < u64::MAX_PITS;
    fits && setup.total() <= u64::MAX_SEEDS
}

fn solve_with<R: Solvable>(
    rules: Rules,
    setup: &Setup,
    options: &SolverOptions,
    on_progress: OnProgress<'_>,
) -> Result<Solution, SolveError> {
    let generator = MoveGenerator::<R>::new(rules);
    let view = options.tables.as_ref().map_or_else(View::empty, EndgameTables::view);
    let solver = Solver::new(&generator, &view, options.threads, options.max_bytes, on_progress);
    solver.map_err(|_| SolveError::NoMemory)?.solve(&Position::new(setup), options.each_move)
}

#[cfg(test)]
mod tests;
