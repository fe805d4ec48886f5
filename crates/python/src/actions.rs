//! Numbers of moves: what the encodings of both families share.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tablemen_core::actions::ActionError;

use crate::python;

/// Convert an error of an encoding; `subject` is the action or the move, and `position` the position.
pub fn action_error(error: ActionError, subject: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>) -> PyErr {
    let py = subject.py();
    match error {
        ActionError::TooManyMoves { moves, max } => python::error(py, "ActionSpaceError", (moves, max, position)),
        ActionError::IllegalAction(action) => {
            python::error(py, "ArgumentError", ("action", action, "the number of a legal move"))
        }
        ActionError::IllegalMove => python::error(py, "IllegalMoveError", (subject, position)),
        ActionError::IncompleteMove => python::error(
            py,
            "ArgumentError",
            ("actions", subject, "the actions of a whole move: several moves begin with these"),
        ),
        ActionError::TooManyActions => python::error(
            py,
            "ArgumentError",
            ("actions", subject, "the actions of one move: the move ends before the last of these"),
        ),
        ActionError::TooManySeeds { seeds } => python::error(
            py,
            "ArgumentError",
            ("position", seeds, "255 seeds on the board or fewer: an observation has one byte for each pit"),
        ),
    }
}

/// Read actions: numbers that are not negative.
pub fn read_actions(actions: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    actions.try_iter()?.map(|action| read_action(&action?)).collect()
}

/// Read an action; a number that is too large or negative becomes `u32::MAX`, which is never legal.
fn read_action(action: &Bound<'_, PyAny>) -> PyResult<u32> {
    // `__index__` accepts the integers of NumPy and refuses floating-point numbers.
    let number = action.call_method0("__index__");
    let number =
        number.map_err(|_| PyTypeError::new_err(format!("expected an action, which is an int, not {action:?}")))?;
    Ok(number.extract::<u32>().unwrap_or(u32::MAX))
}
