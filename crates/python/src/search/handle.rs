//! `SearchHandle`: a search that runs in its own thread.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tablemen_core::search::{SearchConfig, TimeManager};

use super::info::{Info, Root};

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
    time: Arc<TimeManager>,
    results: Mutex<Results>,
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
        loop {
            // Acquire the lock without the GIL; otherwise two threads could deadlock.
            let next = py.detach(|| {
                let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
                results.wait();
                results.infos.pop_front().map(Some).or_else(|| results.lines.is_some().then_some(None))
            });
            match next {
                Some(Some(info)) => return Ok(Some(info.to_tuple(&self.root, py)?)),
                Some(None) => return Ok(None),
                None => py.check_signals()?,
            }
        }
    }

    /// Wait for the end of the search and return the final lines, the best first.
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        loop {
            let lines = py.detach(|| {
                let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
                results.wait_for_lines();
                results.lines.clone()
            });
            if let Some(lines) = lines {
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
    /// Start a search.
    pub fn start(
        root: Root,
        time: Arc<TimeManager>,
        guard: BusyGuard,
        search: impl FnOnce(&mut dyn FnMut(Info)) -> Vec<Info> + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, receiver) = channel();
        thread::Builder::new().name("tablemen search".into()).stack_size(STACK).spawn(move || {
            // Sending fails after the handle is dropped; the search still fills the transposition table.
            let lines = search(&mut |info| drop(sender.send(Message::Info(info))));
            drop(guard);
            let _ = sender.send(Message::Done(lines));
        })?;
        let results = Mutex::new(Results { receiver, infos: VecDeque::new(), lines: None });
        Ok(SearchHandle { root, time, results })
    }
}

/// Stop the search, because its results can no longer be read.
impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.time.stop();
    }
}

impl Results {
    /// Wait up to `POLL_INTERVAL` for a result, unless there is one.
    fn wait(&mut self) {
        if self.infos.is_empty() && self.lines.is_none() {
            self.receive();
        }
    }

    /// Wait for the end of the search, until nothing was received for `POLL_INTERVAL`.
    fn wait_for_lines(&mut self) {
        while self.lines.is_none() && self.receive() {}
    }

    /// Wait up to `POLL_INTERVAL` for a message; return whether there was one.
    fn receive(&mut self) -> bool {
        match self.receiver.recv_timeout(POLL_INTERVAL) {
            Ok(Message::Info(info)) => self.infos.push_back(info),
            Ok(Message::Done(lines)) => self.lines = Some(lines),
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => panic!("the search thread panicked"),
        }
        true
    }
}
