//! Long work without the global interpreter lock (GIL), interruptible by signals such as Ctrl-C.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use tablemen_core::parallel::KeepGoing;

/// The interval at which signals are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Run `work` without the GIL and return its result, or the exception that a signal handler raised.
///
/// `work` must poll its callback, and return None only if the callback returned false.
pub fn allow_interrupts<R: Send>(py: Python<'_>, work: impl FnOnce(KeepGoing<'_>) -> Option<R> + Send) -> PyResult<R> {
    let mut error = None;
    let result = py.detach(|| {
        let mut last_check = Instant::now();
        work(&mut || {
            if last_check.elapsed() < POLL_INTERVAL {
                return true;
            }
            last_check = Instant::now();
            error = Python::attach(|py| py.check_signals()).err();
            error.is_none()
        })
    });
    match (result, error) {
        (_, Some(error)) => Err(error),
        (Some(result), None) => Ok(result),
        (None, None) => unreachable!("work returns None only after the callback returned false"),
    }
}

/// Do short work with the GIL held, and long work without it.
///
/// Releasing the GIL takes longer than most calls, and another thread can hold it for milliseconds. The work is
/// therefore tried with the GIL held until it polls for the first time. Then it is restarted without the GIL, and
/// signals can interrupt it.
pub fn detach_if_long<R: Send>(py: Python<'_>, work: impl Fn(KeepGoing<'_>) -> Option<R> + Sync) -> PyResult<R> {
    match work(&mut || false) {
        Some(result) => Ok(result),
        None => allow_interrupts(py, |keep_going| work(keep_going)),
    }
}
