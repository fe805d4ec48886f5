//! Long work without the interpreter's lock, which Ctrl-C can still stop.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use tablemen_core::parallel::GoOn;

/// How often signals are looked at.
const PAUSE: Duration = Duration::from_millis(50);

/// Does the work without the lock. The work asks the closure that it is given, now and then, whether to go on.
pub fn patiently<R: Send>(py: Python<'_>, work: impl FnOnce(GoOn<'_>) -> Option<R> + Send) -> PyResult<R> {
    let mut failure = None;
    let result = py.detach(|| {
        let mut looked = Instant::now();
        work(&mut || {
            if looked.elapsed() < PAUSE {
                return true;
            }
            looked = Instant::now();
            failure = Python::attach(|py| py.check_signals()).err();
            failure.is_none()
        })
    });
    match (result, failure) {
        (_, Some(failure)) => Err(failure),
        (Some(result), None) => Ok(result),
        (None, None) => unreachable!("work stops early only when told to"),
    }
}
