//! `solve_mancala`: what a position is worth under perfect play.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use tablemen_core::mancala::Move;
use tablemen_core::mancala::solve::{Failure, Progress, Question, Solution, solve};

use super::position::MancalaPosition;
use super::tables::{MOST_THREADS, MancalaTables};
use crate::python;
use crate::whole::Whole;

/// How often signals are looked at, and progress is told.
const PAUSE: Duration = Duration::from_millis(50);

/// What a position is worth to its side to move, its moves with what they are worth, and how many positions were searched.
///
/// Moves are houses; without `each_move` only one of the best is there. `watch` is called now and then with the positions
/// searched so far, the move that is looked at, and what is known of its worth: the least and the most.
#[pyfunction]
#[pyo3(
    signature = (position, *, tables, threads, table_mb, each_move, watch),
    text_signature = "(position, *, tables, threads, table_mb, each_move, watch)"
)]
pub fn solve_mancala(
    py: Python<'_>,
    position: &Bound<'_, MancalaPosition>,
    tables: Option<&Bound<'_, MancalaTables>>,
    threads: Whole,
    table_mb: Whole,
    each_move: bool,
    watch: Option<Py<PyAny>>,
) -> PyResult<(i32, Vec<(u8, i32)>, u64)> {
    let question = Question {
        tables: tables.map(|tables| tables.get().share()),
        threads: threads.within(py, "threads", 1, MOST_THREADS)? as usize,
        most_bytes: (table_mb.within(py, "table_mb", 1, 1 << 20)? as usize) << 20,
        each_move,
    };
    let (rules, setup) = (position.get().mover.get().features, position.get().board.setup());
    let (mut looked, mut failure) = (Instant::now(), None);
    let solved = py.detach(|| {
        solve(rules, &setup, &question, &mut |progress| {
            if looked.elapsed() >= PAUSE {
                failure = Python::attach(|py| tell(py, watch.as_ref(), progress)).err();
                looked = Instant::now();
            }
            failure.is_none()
        })
    });
    match (solved, failure) {
        (_, Some(failure)) => Err(failure),
        (Ok(Solution { value, moves, nodes }), None) => {
            Ok((value, moves.into_iter().map(|(played, value)| (house(played), value)).collect(), nodes))
        }
        (Err(failure), None) => Err(python::error(py, "TablemenError", (words(failure),))),
    }
}

/// Looks at signals, and tells how far it has come.
fn tell(py: Python<'_>, watch: Option<&Py<PyAny>>, progress: &Progress) -> PyResult<()> {
    py.check_signals()?;
    if let Some(watch) = watch {
        watch.call1(py, (progress.nodes, progress.played.map(house), progress.least, progress.most))?;
    }
    Ok(())
}

/// The number of a house, from 1; 0 for the swap.
fn house(played: Move) -> u8 {
    match played {
        Move::Sow(house) => house + 1,
        Move::Swap => 0,
    }
}

fn words(failure: Failure) -> &'static str {
    match failure {
        Failure::Endless => "games by these rules can come back to the same position, and are not solved",
        Failure::TooDeep => "games from this position can be longer than a search can follow",
        Failure::NoMemory => "there is no memory for a search",
        Failure::Stopped => unreachable!("it stops only when told to"),
    }
}
