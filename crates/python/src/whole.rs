//! Whole numbers as arguments.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use tablemen_core::series::Series;

use crate::python;

/// The deepest count: no tree of moves can be counted as deep as that, and the stack holds it.
pub const DEEPEST: u32 = 1000;

/// The most threads: more of them than there are processors help nobody, and a system has only so many to give.
const MOST_THREADS: u32 = 1024;

/// The largest `table_mb`.
pub const MOST_MB: u32 = 1 << 20;

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

    /// The number of threads that it is.
    pub fn threads(self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.within(py, "threads", 1, MOST_THREADS)? as usize)
    }
}

/// A series of random games, from the arguments of `random_playouts`.
pub fn series(py: Python<'_>, n: Whole, seed: Whole, threads: Whole, longest: Whole) -> PyResult<Series> {
    Ok(Series {
        games: u64::from(n.within(py, "n", 0, u32::MAX)?),
        seed: seed.0 as u64,
        longest: longest.within(py, "longest", 1, u32::MAX)?,
        threads: threads.threads(py)?,
    })
}
