//! Reading the pieces of a position from arguments; all problems are collected.

use std::collections::HashMap;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tablemen_core::draughts::Setup;
use tablemen_core::side::Side;

use super::mover::{Mover, refuse_text};
use crate::int_arg::IntArg;
use crate::python;

/// A setup that is being read.
pub struct SetupReader<'a> {
    mover: &'a Mover,
    setup: Setup,
    taken: HashMap<usize, (Side, bool)>,
    problems: Vec<String>,
}

impl<'a> SetupReader<'a> {
    pub fn new(mover: &'a Mover, turn: Side) -> Self {
        let setup = Setup { turn, ..Setup::default() };
        SetupReader { mover, setup, taken: HashMap::new(), problems: Vec::new() }
    }

    /// Place a side's men or kings on squares.
    pub fn place(&mut self, side: Side, is_king: bool, squares: &Bound<'_, PyAny>) -> PyResult<()> {
        refuse_text(squares)?;
        for square in squares.try_iter()? {
            let square = square?;
            let Some(index) = self.find(&square)? else { continue };
            if self.taken.insert(index, (side, is_king)).is_some() {
                self.problems.push(format!("square {square} is named twice"));
                continue;
            }
            let pieces = if is_king { &mut self.setup.kings } else { &mut self.setup.men };
            pieces[side.index()].push(index);
        }
        Ok(())
    }

    /// Return the index of a square; record a problem if it is not on the board.
    fn find(&mut self, square: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let index = self.mover.find(square)?;
        if index.is_none() {
            self.problems.push(self.mover.no_square(square));
        }
        Ok(index)
    }

    /// Read, by side, the king that has made consecutive quiet moves and their number.
    pub fn read_runs(&mut self, runs: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = runs.py();
        let limit: u8 = self.mover.rules(py).getattr(py, "king_move_limit")?.extract(py)?;
        for entry in runs.call_method0("items")?.try_iter()? {
            let (side, run): (Bound<'_, PyAny>, Bound<'_, PyAny>) = entry?.extract()?;
            let side = python::to_side(&side)?;
            let (square, moves): (Bound<'_, PyAny>, IntArg) = run
                .extract()
                .map_err(|_| PyTypeError::new_err(format!("expected a square and a number of moves, not {run:?}")))?;
            let Some(index) = self.find(&square)? else { continue };
            if limit == 0 {
                self.problems.push("this variant does not limit the quiet moves of kings".to_owned());
            } else if self.taken.get(&index) != Some(&(side, true)) {
                self.problems.push(format!("there is no king on {square} that could have made quiet moves"));
            } else if !(1..=i64::from(limit)).contains(&moves.0) {
                self.problems
                    .push(format!("expected 1 to {limit} quiet moves of the king on {square}, got {}", moves.0));
            } else {
                self.setup.runs[side.index()] = Some((index, moves.0 as u8));
            }
        }
        Ok(())
    }

    pub fn finish(self, py: Python<'_>) -> PyResult<Setup> {
        if self.problems.is_empty() {
            return Ok(self.setup);
        }
        Err(python::error(py, "InvalidPositionError", (self.problems,)))
    }
}
