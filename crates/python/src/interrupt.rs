//! Long work without the global interpreter lock (GIL): interruptible by signals such as Ctrl-C, and limited.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use tablemen_core::work::{Monitor, SharedMonitor};

use crate::python;

/// The interval at which signals are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A work limit and its remaining units.
#[derive(Clone, Copy)]
struct WorkLimit {
    units: u64,
    left: u64,
}

thread_local! {
    static WORK_LIMIT: Cell<Option<WorkLimit>> = const { Cell::new(None) };
}

/// Set the work limit of the calling thread, and return the previous limit and its remaining units. None means no limit.
#[pyfunction]
#[pyo3(signature = (units, left = None))]
pub fn set_work_limit(units: Option<u64>, left: Option<u64>) -> Option<(u64, u64)> {
    let limit = units.map(|units| WorkLimit { units, left: left.unwrap_or(units) });
    WORK_LIMIT.replace(limit).map(|limit| (limit.units, limit.left))
}

/// Subtract units of work from the limit of the calling thread. Raises `WorkLimitError` if fewer are left.
pub fn charge(py: Python<'_>, units: u64) -> PyResult<()> {
    let Some(limit) = WORK_LIMIT.get() else { return Ok(()) };
    WORK_LIMIT.set(Some(WorkLimit { left: limit.left.saturating_sub(units), ..limit }));
    if limit.left < units { Err(python::error(py, "WorkLimitError", (limit.units,))) } else { Ok(()) }
}

/// Why work was cancelled.
enum Failure {
    Signal(PyErr),
    WorkLimit,
    Memory,
}

/// Checks signals on the thread that started the work, and counts the units of all threads.
struct SignalMonitor {
    thread: ThreadId,
    last_check: Mutex<Instant>,
    units: AtomicU64,
    limit: u64,
    is_cancelled: AtomicBool,
    failure: Mutex<Option<Failure>>,
}

impl SignalMonitor {
    fn new() -> Self {
        SignalMonitor {
            thread: thread::current().id(),
            last_check: Mutex::new(Instant::now()),
            units: AtomicU64::new(0),
            limit: WORK_LIMIT.get().map_or(u64::MAX, |limit| limit.left),
            is_cancelled: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    fn cancel(&self, failure: Failure) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        lock(&self.failure).get_or_insert(failure);
    }

    /// Return the exception that a signal handler raised, if there is one. Only the starting thread checks.
    fn check_signals(&self) -> PyResult<()> {
        if thread::current().id() != self.thread {
            return Ok(());
        }
        let mut last_check = lock(&self.last_check);
        if last_check.elapsed() < POLL_INTERVAL {
            return Ok(());
        }
        *last_check = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}

impl Monitor for SignalMonitor {
    fn add(&self, units: u64) -> bool {
        if self.units.fetch_add(units, Ordering::Relaxed).saturating_add(units) > self.limit {
            self.cancel(Failure::WorkLimit);
        } else if let Err(error) = self.check_signals() {
            self.cancel(Failure::Signal(error));
        }
        !self.is_cancelled.load(Ordering::Relaxed)
    }

    fn memory_exhausted(&self) {
        self.cancel(Failure::Memory);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Run `work` without the GIL and return its result.
///
/// `work` must return None only if the monitor cancelled it. Raises the exception of a signal handler, `WorkLimitError` if
/// the thread has a work limit and exceeds it, and `MemoryError` if an allocation failed.
pub fn allow_interrupts<R: Send>(py: Python<'_>, work: impl FnOnce(&SharedMonitor) -> Option<R> + Send) -> PyResult<R> {
    let monitor = Arc::new(SignalMonitor::new());
    let shared: SharedMonitor = Arc::clone(&monitor) as SharedMonitor;
    let result = py.detach(move || work(&shared));
    let charged = charge(py, monitor.units.load(Ordering::Relaxed));
    let failure = lock(&monitor.failure).take();
    match (failure, result) {
        (Some(Failure::Signal(error)), _) => Err(error),
        (Some(Failure::Memory), _) => Err(PyMemoryError::new_err("not enough memory for the captures of a position")),
        (Some(Failure::WorkLimit), _) => Err(charged.err().unwrap_or_else(|| unreachable!("the limit is exceeded"))),
        (None, Some(result)) => charged.map(|()| result),
        (None, None) => unreachable!("work returns None only if it was cancelled"),
    }
}

/// Do short work with the GIL held, and long work without it.
///
/// Releasing the GIL takes longer than most calls, and another thread can hold it for milliseconds. The work is
/// therefore tried with the GIL held and without a monitor, so that it is cancelled if it is long. Then it is restarted
/// without the GIL, and signals can interrupt it.
pub fn detach_if_long<R: Send>(
    py: Python<'_>,
    work: impl Fn(Option<&SharedMonitor>) -> Option<R> + Sync,
) -> PyResult<R> {
    charge(py, 1)?;
    match work(None) {
        Some(result) => Ok(result),
        None => allow_interrupts(py, |monitor| work(Some(monitor))),
    }
}
