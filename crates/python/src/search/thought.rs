//! `Thought`: a search that goes on in a thread of its own.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tablemen_core::search::{Order, Watch};

use super::found::{Found, Subject};

/// Searches as ordered, tells what it finds, and gives what it ends with.
pub type Task = Box<dyn FnOnce(&Order<'_>, &mut dyn FnMut(Found)) -> Vec<Found> + Send>;

/// A line of the greatest length needs that much.
const STACK: usize = 64 << 20;
/// How often signals are looked at while nothing is found.
const PAUSE: Duration = Duration::from_millis(50);

enum Message {
    Found(Found),
    Ended(Vec<Found>),
}

/// A search that goes on in a thread of its own.
#[pyclass(frozen, module = "tablemen._core")]
pub struct Thought {
    subject: Subject,
    watch: Arc<Watch>,
    mail: Mutex<Mail>,
}

/// What has come from the thread.
struct Mail {
    receiver: Receiver<Message>,
    found: VecDeque<Found>,
    end: Option<Vec<Found>>,
}

/// Frees the searcher when the thread ends, however it ends.
pub struct Freed(pub Arc<AtomicBool>);

impl Drop for Freed {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

#[pymethods]
impl Thought {
    /// What was found next, waiting for it; None when the search has ended.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        loop {
            // The lock is waited for without the interpreter's, or two threads could wait for each other.
            let got = py.detach(|| {
                let mut mail = self.mail.lock().unwrap_or_else(PoisonError::into_inner);
                mail.wait();
                mail.found.pop_front().map(Some).or_else(|| mail.end.is_some().then_some(None))
            });
            match got {
                Some(Some(found)) => return Ok(Some(found.to_tuple(&self.subject, py)?)),
                Some(None) => return Ok(None),
                None => py.check_signals()?,
            }
        }
    }

    /// What the search ended with, waiting for it: the best lines, the best first.
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        loop {
            let end = py.detach(|| {
                let mut mail = self.mail.lock().unwrap_or_else(PoisonError::into_inner);
                mail.wait_for_end();
                mail.end.clone()
            });
            if let Some(lines) = end {
                let lines = lines.iter().map(|found| found.to_tuple(&self.subject, py));
                return PyTuple::new(py, lines.collect::<PyResult<Vec<_>>>()?);
            }
            py.check_signals()?;
        }
    }

    /// Ends the search at once.
    fn stop(&self) {
        self.watch.stop();
    }

    /// The opponent has played what was expected: from now on time counts.
    fn hit(&self) {
        self.watch.hit();
    }
}

impl Thought {
    /// Begins a search.
    pub fn start(
        subject: Subject,
        watch: Arc<Watch>,
        freed: Freed,
        search: impl FnOnce(&mut dyn FnMut(Found)) -> Vec<Found> + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, receiver) = channel();
        thread::Builder::new().name("tablemen search".into()).stack_size(STACK).spawn(move || {
            // Nobody may listen any more: then what is found is for the table alone.
            let end = search(&mut |found| drop(sender.send(Message::Found(found))));
            drop(freed);
            let _ = sender.send(Message::Ended(end));
        })?;
        let mail = Mutex::new(Mail { receiver, found: VecDeque::new(), end: None });
        Ok(Thought { subject, watch, mail })
    }
}

/// A search that nobody can ask any more need not go on.
impl Drop for Thought {
    fn drop(&mut self) {
        self.watch.stop();
    }
}

impl Mail {
    /// Waits a little for something new, unless there is something already.
    fn wait(&mut self) {
        if self.found.is_empty() && self.end.is_none() {
            match self.receiver.recv_timeout(PAUSE) {
                Ok(Message::Found(found)) => self.found.push_back(found),
                Ok(Message::Ended(end)) => self.end = Some(end),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => panic!("a search broke off"),
            }
        }
    }

    /// Waits a little for the end.
    fn wait_for_end(&mut self) {
        while self.end.is_none() {
            match self.receiver.recv_timeout(PAUSE) {
                Ok(Message::Found(found)) => self.found.push_back(found),
                Ok(Message::Ended(end)) => self.end = Some(end),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("a search broke off"),
            }
        }
    }
}
