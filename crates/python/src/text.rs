//! `str` arguments, and `NotationError` for texts that cannot be parsed.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tablemen_core::text::{NotationError, line_and_column};

use crate::python;

/// Return an argument as a `str`; raise `TypeError` for any other object. `what` describes the text in the message.
pub fn cast_text<'a, 'py>(text: &'a Bound<'py, PyAny>, what: &str) -> PyResult<&'a Bound<'py, PyString>> {
    match text.cast::<PyString>() {
        Ok(text) => Ok(text),
        Err(_) => Err(PyTypeError::new_err(format!("{what} must be a str, not {}", text.get_type().name()?))),
    }
}

/// Return the characters of a `str`. Lone surrogates, which are not valid in UTF-8, become U+FFFD.
pub fn to_text<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    if let Ok(text) = text.to_str() {
        return Ok(Cow::Borrowed(text));
    }
    let bytes: Vec<u8> = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?.extract()?;
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    Ok(char::decode_utf16(units).map(|each| each.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// Create a `tablemen.errors.NotationError` for a text.
pub fn notation_error(text: &Bound<'_, PyAny>, error: &NotationError) -> PyErr {
    let place = cast_text(text, "a text").and_then(to_text).map(|text| line_and_column(&text, error.at));
    match place {
        Ok(place) => python::error_at(text.py(), "NotationError", (&error.problem, text), place),
        Err(failure) => failure,
    }
}
