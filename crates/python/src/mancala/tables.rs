//! `MancalaTables`: what positions with few seeds are worth, built here or read from a file.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tablemen_core::mancala::solve::Tables;

use super::mover::MancalaMover;
use super::position::MancalaPosition;
use crate::int_arg::IntArg;
use crate::interrupt::allow_interrupts;
use crate::python;

/// What every position with few seeds in the houses is worth to its side to move. A layer holds those with as many seeds.
#[pyclass(frozen, module = "tablemen._core")]
pub struct MancalaTables {
    tables: Mutex<Tables>,
}

#[pymethods]
impl MancalaTables {
    /// Tables without layers; None where there can be none for the rules.
    #[staticmethod]
    fn of(variant: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let mover = MancalaMover::of(variant)?;
        Ok(Tables::new(mover.get().features).map(|tables| MancalaTables { tables: Mutex::new(tables) }))
    }

    /// How many layers there are: positions with fewer seeds in the houses are known.
    #[getter]
    fn layers(&self) -> usize {
        self.lock().layers()
    }

    /// How many layers help to solve a position.
    fn wanted(&self, position: &Bound<'_, MancalaPosition>) -> usize {
        self.lock().wanted_for(&position.get().board.setup())
    }

    /// How many positions the next layer has.
    fn next_size(&self) -> u64 {
        let tables = self.lock();
        tables.positions(tables.layers())
    }

    /// Builds the next layer.
    #[pyo3(signature = (*, threads = IntArg(1)), text_signature = "($self, *, threads=1)")]
    fn grow(&self, py: Python<'_>, threads: IntArg) -> PyResult<()> {
        let threads = threads.threads(py)?;
        let mut grown = self.get();
        allow_interrupts(py, |keep_going| grown.grow(threads, keep_going))?;
        let mut tables = self.lock();
        // Another thread may have been as far meanwhile.
        if tables.layers() < grown.layers() {
            *tables = grown;
        }
        Ok(())
    }

    /// The last layer: a signed byte a position.
    fn last<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let tables = self.get();
        Some(PyBytes::new(py, tables.layer(tables.layers().checked_sub(1)?)?))
    }

    /// Takes the next layer from a buffer that never changes, from `start` on; False where it has another size.
    fn add(&self, buffer: PyBuffer<u8>, start: usize) -> PyResult<bool> {
        Ok(self.lock().add(Box::new(Lent::new(buffer, start)?)))
    }
}

impl MancalaTables {
    /// The tables as they are now.
    pub fn get(&self) -> Tables {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A buffer of Python's, from some byte on.
struct Lent {
    buffer: PyBuffer<u8>,
    start: usize,
}

impl Lent {
    fn new(buffer: PyBuffer<u8>, start: usize) -> PyResult<Self> {
        let is_fit = buffer.readonly() && buffer.is_c_contiguous() && start <= buffer.len_bytes();
        is_fit.then_some(Lent { buffer, start }).ok_or_else(|| {
            Python::attach(|py| python::error(py, "TablemenError", ("a layer is read from bytes that cannot change",)))
        })
    }
}

impl AsRef<[u8]> for Lent {
    #[allow(unsafe_code)]
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the buffer is contiguous, as long as it says, and stays where it is until it is released, which is when
        // this value is dropped. It is read-only: bytes, or a file that is mapped for reading, whose writers put a new
        // file in its place and never change one.
        let bytes = unsafe { std::slice::from_raw_parts(self.buffer.buf_ptr().cast::<u8>(), self.buffer.len_bytes()) };
        &bytes[self.start..]
    }
}
