//! `solve_mancala`: the value of a position under perfect play.

use pyo3::prelude::*;
use tablemen_core::mancala::solver::{Progress, SolveError, SolverOptions, solve};

use super::moves::house;
use super::position::MancalaPosition;
use super::tables::MancalaTables;
use crate::int_arg::{IntArg, MAX_TABLE_MB};
use crate::python;

/// The value, the houses with the values of their moves, and the number of nodes searched.
type Solved = (i32, Vec<(u8, i32)>, u64);

/// Solve a position: return its value, pairs of house and value, and the number of nodes searched.
///
/// `on_progress` is called at intervals with the number of nodes, the house being searched or None, and the bounds of
/// the value of the position, or of the one after the move, for its side to move.
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
    // Limit the size to the address space, which matters on 32-bit machines.
    let max_bytes = u64::from(table_mb.within(py, "table_mb", 1, MAX_TABLE_MB)?) * 1_000_000;
    let options = SolverOptions {
        tables: tables.map(|tables| tables.get().get()),
        threads: threads.threads(py)?,
        max_bytes: usize::try_from(max_bytes).unwrap_or(usize::MAX),
        each_move,
    };
    let setup = position.get().board.setup();
    let mut failure = None;
    let mut report = |progress: &Progress| {
        failure = Python::attach(|py| call_back(py, on_progress.as_ref(), progress)).err();
        failure.is_none()
    };
    let result = py.detach(|| solve(mover.features, &setup, &options, &mut report));
    match (result, failure) {
        (_, Some(failure)) => Err(failure),
        (Ok(solution), None) => {
            let moves = solution.moves.into_iter().map(|(played, value)| (house(played), value));
            Ok((solution.value, moves.collect(), solution.nodes))
        }
        (Err(reason), None) => Err(python::error(py, "UnsolvableError", (mover.rules(py), describe(reason)))),
    }
}

/// Check for signals such as Ctrl-C, and call `on_progress`.
fn call_back(py: Python<'_>, on_progress: Option<&Py<PyAny>>, progress: &Progress) -> PyResult<()> {
    py.check_signals()?;
    if let Some(on_progress) = on_progress {
        on_progress.call1(py, (progress.nodes, progress.played.map(house), progress.lower, progress.upper))?;
    }
    Ok(())
}

/// Return the message of `UnsolvableError`.
fn describe(error: SolveError) -> &'static str {
    match error {
        SolveError::Endless => "its games can be endless",
        SolveError::TooDeep => "its games are too long to search to the end",
        SolveError::NoMemory => "there is not enough memory for a table of table_mb million bytes",
        SolveError::Stopped => unreachable!("a search is stopped only by a Python exception"),
    }
}
