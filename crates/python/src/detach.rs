//! Releasing the interpreter's lock only for long work.

use pyo3::prelude::*;
use tablemen_core::parallel::GoOn;

use crate::patience::patiently;

/// Do the work with the interpreter's lock held if it is short, and without it if it is long.
///
/// Releasing the lock takes longer than most calls do, and another thread can keep it for milliseconds. So the work is
/// tried with the lock held until it polls for the first time. Then it is started again without the lock, and signals
/// can interrupt it.
pub fn detach_if_long<R: Send>(py: Python<'_>, work: impl Fn(GoOn<'_>) -> Option<R> + Sync) -> PyResult<R> {
    match work(&mut || false) {
        Some(result) => Ok(result),
        None => patiently(py, |go_on| work(go_on)),
    }
}
