//! Values of the package's Python classes: sides, pieces, outcomes and errors.

use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use tablemen_core::random_games::Playout;
use tablemen_core::side::Side;

/// Python objects that are used often.
struct Known {
    sides: [Py<PyAny>; 2],
    kinds: [Py<PyAny>; 2],
    /// By side, then man and king.
    pieces: [[Py<PyAny>; 2]; 2],
}

static KNOWN: PyOnceLock<Known> = PyOnceLock::new();

fn known(py: Python<'_>) -> PyResult<&'static Known> {
    KNOWN.get_or_try_init(py, || {
        let side = py.import("tablemen.outcome")?.getattr("Side")?;
        let module = py.import("tablemen.draughts.board")?;
        let (kind, piece) = (module.getattr("Kind")?, module.getattr("Piece")?);
        let sides = [side.getattr("WHITE")?.unbind(), side.getattr("BLACK")?.unbind()];
        let kinds = [kind.getattr("MAN")?.unbind(), kind.getattr("KING")?.unbind()];
        let make = |side: usize, kind: usize| -> PyResult<Py<PyAny>> {
            Ok(piece.call1((&sides[side], &kinds[kind]))?.unbind())
        };
        let pieces = [[make(0, 0)?, make(0, 1)?], [make(1, 0)?, make(1, 1)?]];
        Ok(Known { sides, kinds, pieces })
    })
}

/// Return the `tablemen.Side` of a side.
pub fn side(py: Python<'_>, side: Side) -> PyResult<Py<PyAny>> {
    Ok(known(py)?.sides[side.index()].clone_ref(py))
}

/// Convert a `tablemen.Side`.
pub fn to_side(object: &Bound<'_, PyAny>) -> PyResult<Side> {
    let sides = &known(object.py())?.sides;
    [Side::White, Side::Black]
        .into_iter()
        .find(|side| object.is(&sides[side.index()]))
        .ok_or_else(|| PyTypeError::new_err(format!("expected a Side, not {object:?}")))
}

/// Return whether a `tablemen.draughts.Kind` is a king.
pub fn to_is_king(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let kinds = &known(object.py())?.kinds;
    kinds
        .iter()
        .position(|kind| object.is(kind))
        .map(|kind| kind == 1)
        .ok_or_else(|| PyTypeError::new_err(format!("expected a Kind, not {object:?}")))
}

/// Return the `tablemen.draughts.Piece` of a side and kind.
pub fn piece(py: Python<'_>, side: Side, is_king: bool) -> PyResult<Py<PyAny>> {
    Ok(known(py)?.pieces[side.index()][usize::from(is_king)].clone_ref(py))
}

/// Return the side of a `tablemen.draughts.Piece` and whether it is a king.
pub fn to_piece(object: &Bound<'_, PyAny>) -> PyResult<(Side, bool)> {
    let unfit = |_| PyTypeError::new_err(format!("expected a Piece or None, not {object:?}"));
    let (side, kind) = (object.getattr("side").map_err(unfit)?, object.getattr("kind").map_err(unfit)?);
    Ok((to_side(&side)?, to_is_king(&kind)?))
}

/// Create a `tablemen.Outcome` with the `Termination` of this name; no winner means a draw.
pub fn outcome(py: Python<'_>, winner: Option<Side>, termination: &str) -> PyResult<Py<PyAny>> {
    let module = py.import("tablemen.outcome")?;
    let winner = winner.map(|winner| side(py, winner)).transpose()?;
    let termination = module.getattr("Termination")?.getattr(termination)?;
    Ok(module.getattr("Outcome")?.call1((winner, termination))?.unbind())
}

/// Create a `tablemen.outcome.Playouts`.
pub fn playouts<'py>(py: Python<'py>, games: &[Playout]) -> PyResult<Bound<'py, PyAny>> {
    let results = games.iter().map(|game| game.winner.map(|winner| side(py, winner)).transpose());
    let results = PyTuple::new(py, results.collect::<PyResult<Vec<_>>>()?)?;
    let lengths = PyTuple::new(py, games.iter().map(|game| game.plies))?;
    create(py, "tablemen.outcome", "Playouts", (results, lengths))
}

/// Return a Python `bool` as an object, for rich comparisons.
pub fn truth(py: Python<'_>, value: bool) -> PyResult<Py<PyAny>> {
    Ok(value.into_pyobject(py)?.to_owned().into_any().unbind())
}

/// Create a value of one of the package's classes.
fn create<'py>(
    py: Python<'py>,
    module: &str,
    class: &str,
    arguments: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import(module)?.getattr(class)?.call1(arguments)
}

/// Create an error from `tablemen.errors` with a line and a column.
pub fn error_at<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl PyCallArgs<'py>,
    (line, column): (usize, usize),
) -> PyErr {
    let create = || {
        let place = PyDict::new(py);
        place.set_item("line", line)?;
        place.set_item("column", column)?;
        py.import("tablemen.errors")?.getattr(class)?.call(arguments, Some(&place))
    };
    create().map_or_else(|failure| failure, PyErr::from_value)
}

/// Create an error from `tablemen.errors`.
pub fn error<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    create(py, "tablemen.errors", class, arguments).map_or_else(|failure| failure, PyErr::from_value)
}
