//! `solve_mancala`: what a position is worth under perfect play.

use pyo3::prelude::*;
use tablemen_core::mancala::solve::{Failure, Progress, Question, solve};

use super::moves::house;
use super::position::MancalaPosition;
use super::tables::MancalaTables;
use crate::int_arg::{IntArg, MAX_TABLE_MB};
use crate::python;

/// The value, moves with theirs, and how many positions were searched.
type Solved = (i32, Vec<(u8, i32)>, u64);

/// Solves a position: its value, pairs of houses and what they are worth, and how many positions were searched.
///
/// `on_progress` is called now and then with that number, the house that is looked at or None, and the bounds of what the
/// position, or the one after the move, is worth to its side to move.
#[pyfunction]
#[pyo3(signature = (position, *, tables, threads, table_mb, each_move, on_progress))]
pub fn solve_mancala(
    position: &Bound<'_, MancalaPosition>,
    tables: Option<&Bound<'_, MancalaTables>>,
    threads: IntArg,
    table_mb: IntArg,
    each_move: bool,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Solved> {
    let (py, mover) = (position.py(), position.get().mover.get());
    let question = Question {
        tables: tables.map(|tables| tables.get().get()),
        threads: threads.threads(py)?,
        most_bytes: table_mb.within(py, "table_mb", 1, MAX_TABLE_MB)? as usize * 1_000_000,
        each_move,
    };
    let setup = position.get().board.setup();
    let mut failure = None;
    let mut watch = |progress: &Progress| {
        failure = Python::attach(|py| tell(py, on_progress.as_ref(), progress)).err();
        failure.is_none()
    };
    let result = py.detach(|| solve(mover.features, &setup, &question, &mut watch));
    match (result, failure) {
        (_, Some(failure)) => Err(failure),
        (Ok(solution), None) => {
            let moves = solution.moves.into_iter().map(|(played, value)| (house(played), value));
            Ok((solution.value, moves.collect(), solution.nodes))
        }
        (Err(reason), None) => Err(python::error(py, "UnsolvableError", (mover.rules(py), why(reason)))),
    }
}

/// Sees to Ctrl-C, and says how far the search has come.
fn tell(py: Python<'_>, on_progress: Option<&Py<PyAny>>, progress: &Progress) -> PyResult<()> {
    py.check_signals()?;
    if let Some(on_progress) = on_progress {
        on_progress.call1(py, (progress.nodes, progress.played.map(house), progress.least, progress.most))?;
    }
    Ok(())
}

fn why(failure: Failure) -> &'static str {
    match failure {
        Failure::Endless => "its games need not come to an end by themselves",
        Failure::TooDeep => "its games are too long to be followed to the end",
        Failure::NoMemory => "the system has not as much memory as table_mb asks for",
        Failure::Stopped => unreachable!("a search is stopped only by a failure of Python's"),
    }
}
