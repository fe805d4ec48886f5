//! Text notation for Python: functions, `str` arguments and the errors of `tablemen.errors`.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tablemen_core::draughts::notation::NotationError;
use tablemen_core::side::Side;

use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use crate::python;

/// Format a move in the notation of its variant; `full` gives its whole path even if it is not ambiguous.
#[pyfunction]
#[pyo3(signature = (r#move, *, full = false))]
pub fn format_move(r#move: &Bound<'_, Move>, full: bool) -> String {
    let Move { mover, played, ambiguous } = r#move.get();
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

/// Return the characters of a `str`. Lone surrogates, which UTF-8 does not have, become U+FFFD one by one.
pub fn to_text<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    if let Ok(text) = text.to_str() {
        return Ok(Cow::Borrowed(text));
    }
    let bytes: Vec<u8> = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?.extract()?;
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    Ok(char::decode_utf16(units).map(|each| each.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// Return an argument as a `str`; for any other object raise a `TypeError` that says what the text is.
pub fn cast_text<'a, 'py>(text: &'a Bound<'py, PyAny>, what: &str) -> PyResult<&'a Bound<'py, PyString>> {
    match text.cast::<PyString>() {
        Ok(text) => Ok(text),
        Err(_) => Err(PyTypeError::new_err(format!("{what} is a str, not {}", text.get_type().name()?))),
    }
}

/// Create a `NotationError` about a text.
pub fn notation_error(text: &Bound<'_, PyAny>, error: &NotationError) -> PyErr {
    let NotationError { problem, line, column } = error;
    python::error(text.py(), "_notation_error", (problem, text, *line, *column))
}
