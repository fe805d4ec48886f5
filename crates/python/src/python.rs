//! The package's own Python classes, as the core needs them: sides, pieces, outcomes and errors.

use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use tablemen_core::random_games::Playout;
use tablemen_core::side::Side;

/// Python objects that are asked for again and again.
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
        let module = py.import("tablemen.draughts.piece")?;
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

/// `tablemen.Side`.
pub fn side(py: Python<'_>, side: Side) -> PyResult<Py<PyAny>> {
    Ok(known(py)?.sides[side.index()].clone_ref(py))
}

/// The side that a `tablemen.Side` is.
pub fn to_side(object: &Bound<'_, PyAny>) -> PyResult<Side> {
    let sides = &known(object.py())?.sides;
    [Side::White, Side::Black]
        .into_iter()
        .find(|side| object.is(&sides[side.index()]))
        .ok_or_else(|| PyTypeError::new_err(format!("expected a Side, not {object:?}")))
}

/// Whether a `tablemen.draughts.Kind` is that of a king.
pub fn to_is_king(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let kinds = &known(object.py())?.kinds;
    kinds
        .iter()
        .position(|kind| object.is(kind))
        .map(|kind| kind == 1)
        .ok_or_else(|| PyTypeError::new_err(format!("expected a Kind, not {object:?}")))
}

/// `tablemen.draughts.Piece`.
pub fn piece(py: Python<'_>, side: Side, is_king: bool) -> PyResult<Py<PyAny>> {
    Ok(known(py)?.pieces[side.index()][usize::from(is_king)].clone_ref(py))
}

/// `tablemen.Outcome`, with the `Termination` of this name; no winner is a draw.
pub fn outcome(py: Python<'_>, winner: Option<Side>, termination: &str) -> PyResult<Py<PyAny>> {
    let module = py.import("tablemen.outcome")?;
    let winner = winner.map(|winner| side(py, winner)).transpose()?;
    let termination = module.getattr("Termination")?.getattr(termination)?;
    Ok(module.getattr("Outcome")?.call1((winner, termination))?.unbind())
}

/// `tablemen.playouts.Playouts`.
pub fn playouts<'py>(py: Python<'py>, games: &[Playout]) -> PyResult<Bound<'py, PyAny>> {
    let results = games.iter().map(|game| game.winner.map(|winner| side(py, winner)).transpose());
    let results = PyTuple::new(py, results.collect::<PyResult<Vec<_>>>()?)?;
    let lengths = PyTuple::new(py, games.iter().map(|game| game.plies))?;
    call(py, "tablemen.playouts", "Playouts", (results, lengths))
}

/// Rules as they are pasted back and pickled: by their name alone where the variants of this module have it.
pub fn reference(py: Python<'_>, rules: &Py<PyAny>, variants: &str) -> PyResult<Py<PyAny>> {
    let name = rules.getattr(py, "name")?;
    let known = py.import(variants)?.getattr("VARIANTS")?.call_method1("get", (&name,))?;
    Ok(if known.is(rules) { name } else { rules.clone_ref(py) })
}

/// True and False, as comparisons give them.
pub fn truth(py: Python<'_>, value: bool) -> PyResult<Py<PyAny>> {
    Ok(value.into_pyobject(py)?.to_owned().into_any().unbind())
}

/// Calls a function of one of the package's modules.
pub fn call<'py>(
    py: Python<'py>,
    module: &str,
    function: &str,
    arguments: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import(module)?.getattr(function)?.call1(arguments)
}

/// An error of the tree in `tablemen.errors`.
pub fn error<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    call(py, "tablemen.errors", class, arguments).map_or_else(|failure| failure, PyErr::from_value)
}
