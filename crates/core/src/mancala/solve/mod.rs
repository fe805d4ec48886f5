//! What positions are worth under perfect play, for games that come to an end by themselves: the Kalah family.

mod layer;
mod memory;
mod node;
mod numbering;
mod order;
mod search;
mod solver;
mod sowings;
mod tables;

pub use tables::{Kept, Tables};

use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use super::row::{Row, Wide};
use super::rules::Rules;
use super::setup::Setup;
use node::Solvable;
use solver::Solver;
use tables::View;

/// What is asked of a solver.
#[derive(Clone, Debug)]
pub struct Question {
    /// Tables for the rules, with as many layers as one likes; None for a search without them.
    pub tables: Option<Tables>,
    /// How many threads search.
    pub threads: usize,
    /// How many bytes the memory of the search takes at most.
    pub most_bytes: usize,
    /// Whether to find out what each move is worth.
    pub each_move: bool,
}

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The margin with which the side to move wins, stores included; it loses where that is negative.
    pub value: i32,
    /// Its moves and what they are worth to it; only one of the best where nobody asked for each.
    pub moves: Vec<(Move, i32)>,
    /// How many positions were searched.
    pub nodes: u64,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// How many positions were searched.
    pub nodes: u64,
    /// The move that is looked at; None while it is the position itself.
    pub played: Option<Move>,
    /// What the position, or the one after the move, is worth at least to its side to move.
    pub least: i32,
    /// And at most.
    pub most: i32,
}

/// Told now and then how far a search has come; says whether to go on.
pub type Watch<'a> = &'a mut dyn FnMut(&Progress) -> bool;

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The watch said so.
    Stopped,
    /// Games can be longer than the search can follow.
    TooDeep,
    /// The system has no memory to give.
    NoMemory,
    /// Games need not come to an end by themselves.
    Endless,
}

/// Solves a position: both sides play for the largest margin.
pub fn solve(rules: Rules, setup: &Setup, question: &Question, watch: Watch<'_>) -> Result<Solution, Failure> {
    if !tables::is_solvable(&rules) {
        return Err(Failure::Endless);
    }
    // Where a full store ends the game, the memory needs the byte above the houses for it.
    let fits = rules.houses + usize::from(rules.majority_ends) < u64::ROOM;
    if fits && setup.total() <= u64::MAX_SEEDS {
        solve_with::<u64>(rules, setup, question, watch)
    } else {
        solve_with::<Wide>(rules, setup, question, watch)
    }
}

fn solve_with<R: Solvable>(
    rules: Rules,
    setup: &Setup,
    question: &Question,
    watch: Watch<'_>,
) -> Result<Solution, Failure> {
    let mover = Mover::<R>::new(rules);
    let view = question.tables.as_ref().map_or_else(View::empty, Tables::view);
    let solver =
        Solver::new(&mover, &view, question.threads, question.most_bytes, watch).map_err(|_| Failure::NoMemory)?;
    solver.solve(&Position::new(setup), question.each_move)
}

#[cfg(test)]
mod tests;
