//! `SearchHandle`: a search that runs in its own thread.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{process, thread};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tablemen_core::search::{SearchConfig, TimeManager};

use super::function::Failure;
use super::info::{Info, Root};
use crate::python;

/// A search of either family: it calls back with the results of each iteration and returns the final lines.
pub type Task = Box<dyn FnOnce(&SearchConfig<'_>, &mut dyn FnMut(Info)) -> Vec<Info> + Send>;

/// The stack of the search thread, enough for a line of the maximum length.
const STACK: usize = 64 << 20;
/// The interval at which signals are checked while there are no results.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

enum Message {
    Info(Info),
    Done(Vec<Info>),
}

/// A search that runs in its own thread.
#[pyclass(frozen, module = "tablemen._core")]
pub struct SearchHandle {
    root: Root,
    /// The process that runs the search.
    process: u32,
    time: Arc<TimeManager>,
    results: Mutex<Results>,
    /// The exception of an evaluation by a Python function, which is raised at the end of the results.
    failure: Failure,
}

/// The results that the search thread has sent.
struct Results {
    receiver: Receiver<Message>,
    infos: VecDeque<Info>,
    lines: Option<Vec<Info>>,
}

/// Marks the search engine as idle when it is dropped, even if the search panics.
pub struct BusyGuard(pub Arc<AtomicBool>);

impl Drop for BusyGuard {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

#[pymethods]
impl SearchHandle {
    /// Wait for the next result and return it, or None after the last one.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.check_process(py)?;
        loop {
            // Acquire the lock without the GIL; otherwise two threads could deadlock.
            let next = py.detach(|| {
                let mut results = self.lock();
                results.wait(POLL_INTERVAL);
                results.infos.pop_front().map(Some).or_else(|| results.lines.is_some().then_some(None))
            });
            match next {
                Some(Some(info)) => return Ok(Some(info.to_tuple(&self.root, py)?)),
                Some(None) => return self.failure.check(py).map(|()| None),
                None => py.check_signals()?,
            }
        }
    }

    /// Return whether `next` returns at once. If `is_blocking` is true, wait until it does.
    #[pyo3(signature = (*, is_blocking))]
    fn wait(&self, py: Python<'_>, is_blocking: bool) -> PyResult<bool> {
        self.check_process(py)?;
        let interval = if is_blocking { POLL_INTERVAL } else { Duration::ZERO };
        loop {
            let is_ready = py.detach(|| self.lock().wait(interval));
            if is_ready || !is_blocking {
                return Ok(is_ready);
            }
            py.check_signals()?;
        }
    }

    /// Wait for the end of the search and return the final lines, the best first.
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.check_process(py)?;
        loop {
            let lines = py.detach(|| {
                let mut results = self.lock();
                results.wait_for_lines();
                results.lines.clone()
            });
            if let Some(lines) = lines {
                self.failure.check(py)?;
                let lines = lines.iter().map(|info| info.to_tuple(&self.root, py));
                return PyTuple::new(py, lines.collect::<PyResult<Vec<_>>>()?);
            }
            py.check_signals()?;
        }
    }

    /// Stop the search.
    fn stop(&self) {
        self.time.stop();
    }

    /// Start the thinking time of a pondering search.
    fn ponder_hit(&self) {
        self.time.ponder_hit();
    }
}

impl SearchHandle {
    /// Start a search. If `calls_python` is true, it evaluates positions with a Python function, which fails with
    /// `failure`.
    pub fn start(
        root: Root,
        time: Arc<TimeManager>,
        guard: BusyGuard,
        failure: Failure,
        calls_python: bool,
        search: impl FnOnce(&mut dyn FnMut(Info)) -> Vec<Info> + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, receiver) = channel();
        thread::Builder::new().name("tablemen search".into()).stack_size(STACK).spawn(move || {
            // Sending fails after the handle is dropped; the search still fills the transposition table.
            let on_info = &mut |info| drop(sender.send(Message::Info(info)));
            let lines = if calls_python {
                // Keep the thread's Python state: creating it takes longer than a call of a short function.
                Python::try_attach(|py| py.detach(|| search(on_info))).unwrap_or_default()
            } else {
                search(on_info)
            };
            drop(guard);
            let _ = sender.send(Message::Done(lines));
        })?;
        let results = Mutex::new(Results { receiver, infos: VecDeque::new(), lines: None });
        Ok(SearchHandle { root, process: process::id(), time, results, failure })
    }

    fn lock(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Raise `TablemenError` in a process that was forked during the search: a fork does not copy the search thread.
    fn check_process(&self, py: Python<'_>) -> PyResult<()> {
        // The lock is not acquired: a thread that does not exist in this process may hold it.
        let has_all_results = || self.results.try_lock().is_ok_and(|results| results.lines.is_some());
        if process::id() == self.process || has_all_results() {
            return Ok(());
        }
        let problem = format!("this search runs in process {}, not in this process, a fork of it", self.process);
        Err(python::error(py, "TablemenError", (problem,)))
    }
}

/// Stop the search, because its results can no longer be read.
impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.time.stop();
    }
}

impl Results {
    /// Wait up to an interval for a result, and return whether there is one, or the search has ended.
    fn wait(&mut self, interval: Duration) -> bool {
        !self.infos.is_empty() || self.lines.is_some() || self.receive(interval)
    }

    /// Wait for the end of the search, until nothing was received for `POLL_INTERVAL`.
    fn wait_for_lines(&mut self) {
        while self.lines.is_none() && self.receive(POLL_INTERVAL) {}
    }

    /// Wait up to an interval for a message; return whether there was one.
    fn receive(&mut self, interval: Duration) -> bool {
        match self.receiver.recv_timeout(interval) {
            Ok(Message::Info(info)) => self.infos.push_back(info),
            Ok(Message::Done(lines)) => self.lines = Some(lines),
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => panic!("the search thread panicked"),
        }
        true
    }
}
