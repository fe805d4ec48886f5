//! Functions for draughts notation that are not methods of positions or moves.

use pyo3::prelude::*;
use tablemen_core::side::Side;

use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use crate::python;
use crate::text::{cast_text, notation_error, to_text};

/// Format a move in the notation of its variant; `full` gives its whole path even if it is not ambiguous.
#[pyfunction]
#[pyo3(signature = (r#move, *, full = false))]
pub fn format_move(r#move: &Bound<'_, Move>, full: bool) -> String {
    let Move { mover, played, ambiguous, .. } = r#move.get();
    mover.get().notation.format_move(played, full || *ambiguous)
}

/// Format Black's squares and White's, each listed as in a FEN.
#[pyfunction]
pub fn format_square_lists(position: &Bound<'_, Position>) -> (String, String) {
    let Position { mover, board } = position.get();
    let setup = board.setup();
    let list = |side| mover.get().notation.format_square_list(&setup, side);
    (list(Side::Black), list(Side::White))
}

/// Parse Black's squares and White's, each listed as in a FEN.
#[pyfunction]
pub fn parse_square_lists(
    black: &Bound<'_, PyAny>,
    white: &Bound<'_, PyAny>,
    variant: &Bound<'_, PyAny>,
    turn: &Bound<'_, PyAny>,
) -> PyResult<Position> {
    let mover = Mover::of(variant)?;
    let (black_list, white_list) = (cast_text(black, "a list of squares")?, cast_text(white, "a list of squares")?);
    let turn = python::to_side(turn)?;
    let setup = mover.get().notation.parse_square_lists(&to_text(black_list)?, &to_text(white_list)?, turn);
    let setup =
        setup.map_err(|(side, error)| notation_error(if side == Side::Black { black } else { white }, &error))?;
    let board = mover.get().board(&setup);
    Ok(Position { mover, board })
}
