//! Texts as arguments, and `NotationError` for those that cannot be parsed.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use tablemen_core::mancala::NotationError;
use tablemen_core::text::line_and_column;

/// Return the text of a `str`; any other object raises `TypeError`. `what` names the argument in the message.
pub fn read_text<'a>(object: &'a Bound<'_, PyAny>, what: &str) -> PyResult<Cow<'a, str>> {
    let Ok(text) = object.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("{what} as text is a str, not {}", object.get_type().name()?)));
    };
    text.to_str().map_or_else(|_| replace_surrogates(text).map(Cow::Owned), |text| Ok(Cow::Borrowed(text)))
}

/// Replace each surrogate, which Rust cannot represent, by one character, so that columns stay what they are.
fn replace_surrogates(text: &Bound<'_, PyString>) -> PyResult<String> {
    let bytes = text.call_method1("encode", ("utf-32-le", "surrogatepass"))?.cast_into::<PyBytes>()?;
    let codes = bytes.as_bytes().as_chunks::<4>().0.iter().map(|code| u32::from_le_bytes(*code));
    Ok(codes.map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// Return the `tablemen.errors.NotationError` of an error; `text` is what was parsed, and `object` the same in Python.
pub fn notation_error(error: NotationError, text: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let make = || {
        let py = object.py();
        let (line, column) = line_and_column(text, error.at);
        let place = PyDict::new(py);
        place.set_item("line", line)?;
        place.set_item("column", column)?;
        let class = py.import("tablemen.errors")?.getattr("NotationError")?;
        class.call((error.problem, object), Some(&place)).map(PyErr::from_value)
    };
    make().unwrap_or_else(|failure| failure)
}
