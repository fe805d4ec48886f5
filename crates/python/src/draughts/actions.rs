//! `ActionEncoding`: numbers of the moves of draughts.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tablemen_core::draughts as core;
use tablemen_core::draughts::Board;
use tablemen_core::draughts::notation::is_ambiguous;
use tablemen_core::envs::StartError;

use super::draws;
use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use crate::actions::{action_error, read_actions};
use crate::envs::{BatchOptions, GameBatch, Games, start_error};
use crate::int_arg::IntArg;
use crate::interrupt::{allow_interrupts, detach_if_long};
use crate::python;

/// A numbering of the legal moves of a rule set.
#[pyclass(frozen, module = "tablemen._core")]
pub struct ActionEncoding {
    pub mover: Py<Mover>,
    pub encoding: core::ActionEncoding,
    name: String,
    pub size: usize,
}

#[pymethods]
impl ActionEncoding {
    #[new]
    #[pyo3(signature = (mover, name, limit = None))]
    fn new(py: Python<'_>, mover: Py<Mover>, name: &str, limit: Option<IntArg>) -> PyResult<Self> {
        let rules = mover.get().core_rules();
        let limit = limit
            .map(|limit| limit.within(py, "limit", 1, core::MAX_ENCODING_SIZE as u32))
            .transpose()?
            .map(|limit| limit as usize);
        let encoding = match name {
            "slot" => {
                limit.map_or_else(|| core::ActionEncoding::slot(rules), |size| core::ActionEncoding::Slot { size })
            }
            "from-to" => limit.map_or_else(core::ActionEncoding::from_to, |ties| core::ActionEncoding::FromTo { ties }),
            "step" if limit.is_none() => core::ActionEncoding::Step,
            "step" => return Err(python::error(py, "ArgumentError", ("limit", limit, "None for the encoding step"))),
            _ => return Err(python::error(py, "ArgumentError", ("name", name, "slot, from-to or step"))),
        };
        Ok(ActionEncoding { size: encoding.size(rules), mover, encoding, name: name.to_owned() })
    }

    /// The name of the encoding.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The number of actions.
    #[getter]
    fn size(&self) -> usize {
        self.size
    }

    /// Return the actions of a legal move.
    fn encode<'py>(&self, position: &Bound<'py, Position>, r#move: &Bound<'py, Move>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, board, played) = (position.py(), &position.get().board, r#move.get());
        self.check(position)?;
        if !Mover::same(&self.mover, &played.mover, py)? {
            return Err(python::error(py, "IllegalMoveError", (r#move, position)));
        }
        let actions = detach_if_long(py, |monitor| board.encode(self.encoding, &played.played, monitor))?;
        PyTuple::new(py, actions.map_err(|error| action_error(error, r#move, position))?)
    }

    /// Return the legal move with these actions.
    fn decode(&self, position: &Bound<'_, Position>, actions: &Bound<'_, PyAny>) -> PyResult<Py<Move>> {
        let (py, this) = (position.py(), position.get());
        self.check(position)?;
        let read = read_actions(actions)?;
        let decoded = detach_if_long(py, |monitor| {
            this.board.decode(self.encoding, &read, monitor).map(|decoded| {
                decoded.map(|played| {
                    let legal = this.board.legal_moves(false, monitor);
                    let ambiguous = legal.is_none_or(|legal| is_ambiguous(&played, &legal));
                    (played, ambiguous)
                })
            })
        })?;
        let (played, ambiguous) = decoded.map_err(|error| action_error(error, actions, position))?;
        this.mover.get().moves.get(position, played, ambiguous)
    }

    /// Create a batch of games with these actions; they begin with the positions `starts`, in turn.
    fn batch(&self, starts: &Bound<'_, PyList>, options: BatchOptions) -> PyResult<GameBatch> {
        let py = starts.py();
        let (mover, settings) = (self.mover.get(), options.settings(py)?);
        let ends = draws::read_ends(mover.rules(py).bind(py), options.claim_draws)?;
        let positions = starts.iter().map(|start| Ok(start.cast_into::<Position>()?)).collect::<PyResult<Vec<_>>>()?;
        for position in &positions {
            self.check(position)?;
        }
        let boards: Vec<&dyn Board> = positions.iter().map(|position| &*position.get().board).collect();
        let games =
            allow_interrupts(py, |monitor| match mover.batch(self.encoding, &ends, &boards, settings, monitor) {
                Err(StartError::Cancelled) => None,
                games => Some(games),
            })?;
        let games = games.map_err(|error| start_error(error, starts))?;
        GameBatch::new(py, Games::Draughts(self.mover.clone_ref(py), self.encoding, games), settings)
    }
}

impl ActionEncoding {
    /// Raise an error unless the position has the rules of the encoding.
    fn check(&self, position: &Bound<'_, Position>) -> PyResult<()> {
        if Mover::same(&self.mover, &position.get().mover, position.py())? {
            return Ok(());
        }
        let rules = self.mover.get().rules(position.py());
        let expected = format!("a position of {}", rules.bind(position.py()));
        Err(python::error(position.py(), "ArgumentError", ("position", position, expected)))
    }
}
