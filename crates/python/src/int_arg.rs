//! Integer arguments and their limits.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use tablemen_core::random_games::RandomGames;

use crate::python;

/// The maximum depth of perft: deeper trees cannot be counted, and the stack is large enough for this depth.
pub const MAX_PERFT_DEPTH: u32 = 1000;

/// The maximum number of threads: systems limit them, and more threads than processors do not help.
const MAX_THREADS: u32 = 1024;

/// The maximum of `table_mb`.
pub const MAX_TABLE_MB: u32 = 1 << 20;

/// A Python `int` of any size, clamped to 64 bits.
#[derive(Clone, Copy)]
pub struct IntArg(pub i64);

impl<'a, 'py> FromPyObject<'a, 'py> for IntArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<i64>() {
            Ok(number) => Ok(IntArg(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(IntArg(if object.lt(0)? { i64::MIN } else { i64::MAX }))
            }
            Err(error) => Err(error),
        }
    }
}

impl IntArg {
    /// Return the number if it is between `min` and `max`, else an `ArgumentError` with the argument's `name`.
    pub fn within(self, py: Python<'_>, name: &str, min: u32, max: u32) -> PyResult<u32> {
        u32::try_from(self.0).ok().filter(|number| (min..=max).contains(number)).ok_or_else(|| {
            let expected = format!("a whole number from {min} to {max}");
            python::error(py, "ArgumentError", (name, self.0, expected))
        })
    }

    /// Return the number as a valid number of threads.
    pub fn threads(self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.within(py, "threads", 1, MAX_THREADS)? as usize)
    }
}

/// Return the batch of random games for the arguments of `random_playouts`; without a seed it is random.
pub fn random_games(
    py: Python<'_>,
    n: IntArg,
    seed: Option<IntArg>,
    threads: IntArg,
    max_plies: IntArg,
) -> PyResult<RandomGames> {
    // The random numbers of the operating system differ in forked processes, unlike those of a generator in memory.
    let random = || py.import("os")?.call_method1("urandom", (8,))?.extract().map(u64::from_le_bytes);
    Ok(RandomGames {
        games: u64::from(n.within(py, "n", 0, u32::MAX)?),
        seed: seed.map_or_else(random, |seed| Ok(seed.0 as u64))?,
        max_plies: max_plies.within(py, "max_plies", 1, u32::MAX)?,
        threads: threads.threads(py)?,
    })
}
