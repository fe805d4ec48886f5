//! The results of a search of either family, as tuples.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tablemen_core::draughts::SquareMove;
use tablemen_core::mancala::{Move, SowResult};
use tablemen_core::search::{SCORE_SCALE, SearchInfo, is_decided, plies_to_end};

use crate::draughts::{self, Position};
use crate::mancala::{self, MancalaPosition};

/// The root position of a search.
pub enum Root {
    Draughts(Py<Position>),
    Mancala(Py<MancalaPosition>),
}

/// The result of an iteration for one line.
#[derive(Clone)]
pub enum Info {
    Draughts(SearchInfo<SquareMove>),
    Mancala(SearchInfo<(Move, SowResult)>),
}

impl Info {
    /// Return depth, rank, score, whether it is proven, the signed number of plies to the end of a won or lost game,
    /// nodes, seconds and the principal variation. The score of a win or a loss is infinite; one that a tablebase has
    /// found has no number of plies.
    pub fn to_tuple<'py>(&self, root: &Root, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match (self, root) {
            (Info::Draughts(info), Root::Draughts(root)) => tuple(info, draughts::line(root.bind(py), &info.pv)?),
            (Info::Mancala(info), Root::Mancala(root)) => tuple(info, mancala::line(root.bind(py), &info.pv)?),
            _ => unreachable!("the moves of a search belong to the family of its root"),
        }
    }
}

fn tuple<'py, M>(info: &SearchInfo<M>, line: Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    let score = match info.value.score {
        score if is_decided(score) => f64::INFINITY.copysign(score.into()),
        score => f64::from(score) / f64::from(SCORE_SCALE),
    };
    let plies = plies_to_end(info.value.score).map(|plies| plies * info.value.score.signum());
    let (depth, rank, proven) = (info.depth, info.rank + 1, info.value.proven);
    (depth, rank, score, proven, plies, info.nodes, info.time.as_secs_f64(), &line).into_pyobject(line.py())
}
