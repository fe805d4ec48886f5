//! What a search finds, of either family, as tuples.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tablemen_core::draughts::SquareMove;
use tablemen_core::mancala::{Move, SowResult};
use tablemen_core::search::{HUNDREDTHS, Report, plies_to_end};

use crate::draughts::{self, Position};
use crate::mancala::{self, MancalaPosition};

/// The position that a search is about.
pub enum Subject {
    Draughts(Py<Position>),
    Mancala(Py<MancalaPosition>),
}

/// What was found about it.
#[derive(Clone)]
pub enum Found {
    Draughts(Report<SquareMove>),
    Mancala(Report<(Move, SowResult)>),
}

impl Found {
    /// Depth, rank, score, whether it is proven, plies to the end where it is a win or loss, nodes, seconds, and the line.
    pub fn to_tuple<'py>(&self, subject: &Subject, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match (self, subject) {
            (Found::Draughts(report), Subject::Draughts(root)) => {
                tuple(report, draughts::line(root.bind(py), &report.line)?)
            }
            (Found::Mancala(report), Subject::Mancala(root)) => {
                tuple(report, mancala::line(root.bind(py), &report.line)?)
            }
            _ => unreachable!("a search of one family finds moves of that family"),
        }
    }
}

fn tuple<'py, M>(report: &Report<M>, line: Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    let score = f64::from(report.value.score) / f64::from(HUNDREDTHS);
    let plies = plies_to_end(report.value.score).map(|plies| plies * report.value.score.signum());
    let (depth, rank, proven) = (report.depth, report.rank + 1, report.value.proven);
    (depth, rank, score, proven, plies, report.nodes, report.time.as_secs_f64(), &line).into_pyobject(line.py())
}
