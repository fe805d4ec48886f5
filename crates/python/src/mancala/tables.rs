//! `MancalaTables`: the endgame tables of the solver.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tablemen_core::mancala::solver::EndgameTables;

use super::mover::MancalaMover;
use super::position::MancalaPosition;
use crate::int_arg::IntArg;
use crate::interrupt::allow_interrupts;
use crate::python;

/// Endgame tables: the values of all positions with few seeds in the houses, for the side to move.
///
/// A layer contains the positions with the same number of seeds.
#[pyclass(frozen, module = "tablemen._core")]
pub struct MancalaTables {
    tables: Mutex<EndgameTables>,
}

#[pymethods]
impl MancalaTables {
    /// Create tables without layers; return None if the rules do not support tables.
    #[staticmethod]
    fn of(variant: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let mover = MancalaMover::of(variant)?;
        Ok(EndgameTables::new(mover.get().features).map(|tables| MancalaTables { tables: Mutex::new(tables) }))
    }

    /// The number of layers, which is also the smallest number of seeds that the tables do not cover.
    #[getter]
    fn layers(&self) -> usize {
        self.lock().layers()
    }

    /// Return the number of layers that are useful for solving a position.
    fn wanted(&self, position: &Bound<'_, MancalaPosition>) -> usize {
        self.lock().useful_layers_for(&position.get().board.setup())
    }

    /// Return the number of positions in the next layer.
    fn next_size(&self) -> u64 {
        let tables = self.lock();
        tables.positions(tables.layers())
    }

    /// Build the next layer.
    #[pyo3(signature = (*, threads = IntArg(1)), text_signature = "($self, *, threads=1)")]
    fn grow(&self, py: Python<'_>, threads: IntArg) -> PyResult<()> {
        let threads = threads.threads(py)?;
        let mut grown = self.get();
        allow_interrupts(py, |monitor| grown.grow(threads, &**monitor))?;
        let mut tables = self.lock();
        // Another thread may have added layers in the meantime.
        if tables.layers() < grown.layers() {
            *tables = grown;
        }
        Ok(())
    }

    /// Return the last layer, one signed byte per position; None if there is none.
    fn last<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let tables = self.get();
        Some(PyBytes::new(py, tables.layer(tables.layers().checked_sub(1)?)?))
    }

    /// Append a layer from an immutable buffer, starting at the byte `start`; return False if its size is wrong.
    fn add(&self, buffer: PyBuffer<u8>, start: usize) -> PyResult<bool> {
        Ok(self.lock().add(Box::new(SharedBuffer::new(buffer, start)?)))
    }
}

impl MancalaTables {
    /// Return a snapshot of the tables.
    pub fn get(&self) -> EndgameTables {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, EndgameTables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of a Python buffer from an offset on.
struct SharedBuffer {
    buffer: PyBuffer<u8>,
    start: usize,
}

impl SharedBuffer {
    fn new(buffer: PyBuffer<u8>, start: usize) -> PyResult<Self> {
        let is_fit = buffer.readonly() && buffer.is_c_contiguous() && start <= buffer.len_bytes();
        is_fit.then_some(SharedBuffer { buffer, start }).ok_or_else(|| {
            Python::attach(|py| python::error(py, "TablemenError", ("a layer is read from bytes that cannot change",)))
        })
    }
}

impl AsRef<[u8]> for SharedBuffer {
    #[allow(unsafe_code)]
    fn as_ref(&self) -> &[u8] {
        // SAFETY: `new` has checked that the buffer is C-contiguous and read-only, so `len_bytes` bytes from `buf_ptr`
        // on are valid. The exporter keeps them in place until the buffer is released, which happens when this value is
        // dropped. The bytes do not change: they are a `bytes` object, or a file mapped for reading; such files are
        // replaced by new ones and never modified.
        let bytes = unsafe { std::slice::from_raw_parts(self.buffer.buf_ptr().cast::<u8>(), self.buffer.len_bytes()) };
        &bytes[self.start..]
    }
}
