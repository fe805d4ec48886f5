//! Whole numbers as arguments.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::python;

/// An `int` of any size; one that is too large for the machine becomes the largest.
#[derive(Clone, Copy)]
pub struct Whole(pub i64);

impl<'a, 'py> FromPyObject<'a, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<i64>() {
            Ok(number) => Ok(Whole(number)),
            Err(failure) if failure.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Whole(if object.lt(0)? { i64::MIN } else { i64::MAX }))
            }
            Err(failure) => Err(failure),
        }
    }
}

impl Whole {
    /// The number, which must be from `least` to `most`; `name` is what the argument is called.
    pub fn within(self, py: Python<'_>, name: &str, least: u32, most: u32) -> PyResult<u32> {
        u32::try_from(self.0).ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
            python::error(py, "TablemenError", (format!("{name} is {}, not {least} to {most}", self.0),))
        })
    }
}
