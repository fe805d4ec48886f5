//! `solve_mancala` and `solve_all_mancala`: the values of positions under perfect play.

use pyo3::prelude::*;
use tablemen_core::mancala::solver::{Progress, Solution, SolveError, SolverOptions, solve, solve_all};

use super::mover::MancalaMover;
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
    let options = read_options(py, tables, threads, table_mb, each_move)?;
    let setup = position.get().board.setup();
    let mut failure = None;
    let mut report = |progress: &Progress| {
        failure = Python::attach(|py| call_back(py, on_progress.as_ref(), progress)).err();
        failure.is_none()
    };
    let result = py.detach(|| solve(mover.features, &setup, &options, &mut report));
    failure.map_or(Ok(()), Err)?;
    result.map(to_tuple).map_err(|reason| unsolvable(py, mover, reason))
}

/// Solve positions with the same rules: return for each what `solve_mancala` returns.
///
/// Each thread solves one position at a time. `on_solved` is called at intervals with the number of solved positions.
#[pyfunction]
#[pyo3(signature = (positions, *, tables, threads, table_mb, each_move, on_solved))]
pub fn solve_all_mancala(
    py: Python<'_>,
    positions: Vec<Bound<'_, MancalaPosition>>,
    tables: Option<&Bound<'_, MancalaTables>>,
    threads: IntArg,
    table_mb: IntArg,
    each_move: bool,
    on_solved: Option<Py<PyAny>>,
) -> PyResult<Vec<Solved>> {
    let options = read_options(py, tables, threads, table_mb, each_move)?;
    let Some(first) = positions.first() else { return Ok(vec![]) };
    let mover = first.get().mover.get();
    for position in &positions {
        if !MancalaMover::same(&first.get().mover, &position.get().mover, py)? {
            return Err(python::error(py, "TablemenError", ("the positions have different rules",)));
        }
    }
    let setups: Vec<_> = positions.iter().map(|position| position.get().board.setup()).collect();
    let mut failure = None;
    let mut report = |solved: usize| {
        let call = |py: Python<'_>| {
            py.check_signals()?;
            on_solved.as_ref().map_or(Ok(()), |on_solved| on_solved.call1(py, (solved,)).map(drop))
        };
        failure = Python::attach(call).err();
        failure.is_none()
    };
    let result = py.detach(|| solve_all(mover.features, &setups, &options, &mut report));
    failure.map_or(Ok(()), Err)?;
    let solutions = result.map_err(|reason| unsolvable(py, mover, reason))?;
    Ok(solutions.into_iter().map(to_tuple).collect())
}

fn read_options(
    py: Python<'_>,
    tables: Option<&Bound<'_, MancalaTables>>,
    threads: IntArg,
    table_mb: IntArg,
    each_move: bool,
) -> PyResult<SolverOptions> {
    // Limit the size to the address space, which matters on 32-bit machines.
    let max_bytes = u64::from(table_mb.within(py, "table_mb", 1, MAX_TABLE_MB)?) * 1_000_000;
    Ok(SolverOptions {
        tables: tables.map(|tables| tables.get().get()),
        threads: threads.threads(py)?,
        max_bytes: usize::try_from(max_bytes).unwrap_or(usize::MAX),
        each_move,
    })
}

fn to_tuple(solution: Solution) -> Solved {
    let moves = solution.moves.into_iter().map(|(played, value)| (house(played), value));
    (solution.value, moves.collect(), solution.nodes)
}

fn unsolvable(py: Python<'_>, mover: &MancalaMover, reason: SolveError) -> PyErr {
    python::error(py, "UnsolvableError", (mover.rules(py), describe(reason)))
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
