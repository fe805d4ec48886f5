//! Reading the pieces of a position from arguments; all problems are collected.

use std::collections::HashSet;

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
    /// The squares that were read.
    changed: HashSet<usize>,
    problems: Vec<String>,
}

impl<'a> SetupReader<'a> {
    pub fn new(mover: &'a Mover, turn: Side) -> Self {
        let setup = Setup { turn, ..Setup::default() };
        SetupReader { mover, setup, changed: HashSet::new(), problems: Vec::new() }
    }

    /// Start from the pieces of another setup, with this side to move.
    pub fn from_setup(mover: &'a Mover, setup: Setup, turn: Side) -> Self {
        SetupReader { setup: Setup { turn, ..setup }, ..SetupReader::new(mover, turn) }
    }

    /// Change the pieces on the squares of a mapping: its values are pieces, or None for an empty square.
    pub fn change_pieces(&mut self, pieces: &Bound<'_, PyAny>) -> PyResult<()> {
        let unfit = |_| PyTypeError::new_err(format!("expected pieces by square, not {pieces:?}"));
        for entry in pieces.call_method0("items").map_err(unfit)?.try_iter()? {
            let (square, piece): (Bound<'_, PyAny>, Bound<'_, PyAny>) = entry?.extract()?;
            let piece = if piece.is_none() { None } else { Some(python::to_piece(&piece)?) };
            let Some(index) = self.find(&square)? else { continue };
            if !self.changed.insert(index) {
                self.problems.push(format!("square {square} is named twice"));
                continue;
            }
            for pieces in self.setup.men.iter_mut().chain(&mut self.setup.kings) {
                pieces.retain(|other| *other != index);
            }
            if let Some((side, is_king)) = piece {
                let pieces = if is_king { &mut self.setup.kings } else { &mut self.setup.men };
                pieces[side.index()].push(index);
            }
        }
        Ok(())
    }

    /// Forget the quiet moves of kings.
    pub fn clear_runs(&mut self) {
        self.setup.runs = [None; 2];
    }

    /// Place a side's men or kings on squares.
    pub fn place(&mut self, side: Side, is_king: bool, squares: &Bound<'_, PyAny>) -> PyResult<()> {
        refuse_text(squares)?;
        for square in squares.try_iter()? {
            let square = square?;
            let Some(index) = self.find(&square)? else { continue };
            if !self.changed.insert(index) {
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
            } else if !self.setup.kings[side.index()].contains(&index) {
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
