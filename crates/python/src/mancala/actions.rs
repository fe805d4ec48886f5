//! `MancalaActionEncoding`: numbers of the moves of mancala.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tablemen_core::actions::ActionError;
use tablemen_core::mancala as core;

use super::mover::{MancalaMover, read_repetition};
use super::moves::MancalaMove;
use super::position::MancalaPosition;
use crate::actions::{action_error, read_actions};
use crate::envs::{BatchOptions, GameBatch, Games, start_error};
use crate::int_arg::IntArg;
use crate::python;

/// A numbering of the legal moves of a rule set.
#[pyclass(frozen, module = "tablemen._core")]
pub struct MancalaActionEncoding {
    pub mover: Py<MancalaMover>,
    pub encoding: core::ActionEncoding,
}

#[pymethods]
impl MancalaActionEncoding {
    #[new]
    #[pyo3(signature = (mover, name, limit = None))]
    fn new(py: Python<'_>, mover: Py<MancalaMover>, name: &str, limit: Option<IntArg>) -> PyResult<Self> {
        let encoding = match name {
            "slot" => core::ActionEncoding::Slot,
            "house" => core::ActionEncoding::House,
            _ => return Err(python::error(py, "ArgumentError", ("name", name, "house or slot"))),
        };
        match limit {
            None => Ok(MancalaActionEncoding { mover, encoding }),
            Some(limit) => Err(python::error(py, "ArgumentError", ("limit", limit.0, "None for mancala"))),
        }
    }

    /// The name of the encoding.
    #[getter]
    fn name(&self) -> &'static str {
        match self.encoding {
            core::ActionEncoding::Slot => "slot",
            core::ActionEncoding::House => "house",
        }
    }

    /// The number of actions.
    #[getter]
    pub fn size(&self) -> usize {
        self.encoding.size(&self.mover.get().features)
    }

    /// Return the actions of a legal move, which is one.
    fn encode<'py>(
        &self,
        position: &Bound<'py, MancalaPosition>,
        r#move: &Bound<'py, MancalaMove>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (py, played) = (position.py(), r#move.get());
        self.check(position)?;
        if !MancalaMover::same(&self.mover, &played.mover, py)? {
            return Err(python::error(py, "IllegalMoveError", (r#move, position)));
        }
        let action = position.get().board.encode(self.encoding, played.played);
        PyTuple::new(py, [action.map_err(|error| action_error(error, r#move, position))?])
    }

    /// Return the legal move with these actions.
    fn decode<'py>(
        &self,
        position: &Bound<'py, MancalaPosition>,
        actions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (position.py(), position.get());
        self.check(position)?;
        let decoded = match *read_actions(actions)? {
            [] => Err(ActionError::IncompleteMove),
            [action] => this.board.decode(self.encoding, action),
            _ => Err(ActionError::TooManyActions),
        };
        let played = decoded.map_err(|error| action_error(error, actions, position))?;
        let legal = this.mover.get().moves.list(&this.mover, &*this.board, py)?;
        let is_found =
            |listed: &Bound<'py, PyAny>| listed.cast::<MancalaMove>().is_ok_and(|it| it.get().played == played);
        Ok(legal.iter().find(is_found).expect("a decoded move is legal"))
    }

    /// Create a batch of games with these actions; they begin with the positions `starts`, in turn.
    fn batch(&self, starts: &Bound<'_, PyList>, options: BatchOptions) -> PyResult<GameBatch> {
        let py = starts.py();
        let (mover, settings) = (self.mover.get(), options.settings(py)?);
        let repetition = read_repetition(mover.rules(py).bind(py), options.claim_draws)?;
        let mut setups = Vec::new();
        for start in starts.iter() {
            let start = start.cast_into::<MancalaPosition>()?;
            self.check(&start)?;
            setups.push(start.get().board.setup());
        }
        let games = mover.batch(self.encoding, repetition, &setups, settings);
        let games = games.map_err(|error| start_error(error, starts))?;
        GameBatch::new(py, Games::Mancala(self.mover.clone_ref(py), self.encoding, games), settings)
    }
}

impl MancalaActionEncoding {
    /// Raise an error unless the position has the rules of the encoding.
    fn check(&self, position: &Bound<'_, MancalaPosition>) -> PyResult<()> {
        if MancalaMover::same(&self.mover, &position.get().mover, position.py())? {
            return Ok(());
        }
        let rules = self.mover.get().rules(position.py());
        let expected = format!("a position of {}", rules.bind(position.py()));
        Err(python::error(position.py(), "ArgumentError", ("position", position, expected)))
    }
}
