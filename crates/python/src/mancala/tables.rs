//! `MancalaTables`: the endgame tables of the solver.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use tablemen_core::mancala::solver::EndgameTables;

use super::mover::MancalaMover;
use super::position::MancalaPosition;
use crate::int_arg::IntArg;
use crate::interrupt::allow_interrupts;

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

    /// Append a layer that `last` returned earlier, from the byte `start` of the data on; return False if its size is
    /// wrong.
    ///
    /// Data in a `bytes` object, which cannot change, is not copied. No other type of buffer is accepted.
    fn add(&self, data: &Bound<'_, PyBytes>, start: usize) -> bool {
        self.lock().add(Box::new(LayerBytes { data: data.clone().into(), start }))
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

/// The bytes of a layer: those of a Python object from an offset on.
struct LayerBytes {
    data: PyBackedBytes,
    start: usize,
}

impl AsRef<[u8]> for LayerBytes {
    fn as_ref(&self) -> &[u8] {
        self.data.get(self.start..).unwrap_or_default()
    }
}
