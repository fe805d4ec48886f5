//! `MancalaTables`: what positions with few seeds are worth.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use tablemen_core::mancala::solve::{FileProblem, Tables};

use super::mover::MancalaMover;
use super::position::MancalaPosition;
use crate::patience::patiently;
use crate::python;
use crate::whole::Whole;

/// How many threads there can be at most.
pub const MOST_THREADS: u32 = 256;

/// What every position with few seeds in the houses is worth, layer by layer: a layer has all positions with as many.
///
/// Rules that differ in nothing but the number of seeds at the start have the same tables.
#[pyclass(frozen, module = "tablemen._core")]
pub struct MancalaTables {
    mover: Py<MancalaMover>,
    tables: Mutex<Tables>,
}

#[pymethods]
impl MancalaTables {
    #[new]
    #[pyo3(signature = (variant), text_signature = "(variant)")]
    fn new(variant: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mover = MancalaMover::of(variant)?;
        let Some(tables) = Tables::new(mover.get().features) else {
            let why = "there are no tables for these rules: they are for games of the Kalah family with up to 7 houses a side \
                       that no full store ends";
            return Err(python::error(variant.py(), "TablemenError", (why,)));
        };
        Ok(MancalaTables { mover, tables: Mutex::new(tables) })
    }

    /// The variant that they are for.
    #[getter]
    fn variant(&self, py: Python<'_>) -> Py<PyAny> {
        self.mover.get().rules(py)
    }

    /// How many layers there are: positions with fewer seeds in the houses are known.
    #[getter]
    fn layers(&self) -> usize {
        self.share().layers()
    }

    /// How many layers to have for a board with so many seeds in the houses.
    fn wanted(&self, py: Python<'_>, seeds: Whole) -> PyResult<usize> {
        Ok(self.share().wanted(seeds.within(py, "seeds", 0, u16::MAX.into())? as usize))
    }

    /// How many positions the layer with so many seeds holds: a byte each.
    fn positions(&self, py: Python<'_>, seeds: Whole) -> PyResult<u64> {
        Ok(self.share().positions(seeds.within(py, "seeds", 0, MOST_LAYERS - 1)? as usize))
    }

    /// Builds the next layer.
    #[pyo3(signature = (*, threads = Whole(1)), text_signature = "($self, *, threads=1)")]
    fn build(&self, py: Python<'_>, threads: Whole) -> PyResult<()> {
        let threads = threads.within(py, "threads", 1, MOST_THREADS)? as usize;
        let mut grown = self.share();
        self.check_room(py, &grown)?;
        patiently(py, |go_on| grown.grow(threads, go_on))?;
        self.replace(grown);
        Ok(())
    }

    /// Takes the next layer from a file. One that holds something else, or is damaged, raises `TablemenError`.
    fn read(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let mut grown = self.share();
        self.check_room(py, &grown)?;
        match py.detach(|| grown.read(&path)) {
            Ok(()) => {
                self.replace(grown);
                Ok(())
            }
            Err(FileProblem::Unreadable(error)) => Err(error.into()),
            Err(problem) => Err(python::error(py, "TablemenError", (format!("{} {problem}", path.display()),))),
        }
    }

    /// Writes the layer with so many seeds to a file, which is there in one step when it is whole.
    fn write(&self, py: Python<'_>, seeds: Whole, path: PathBuf) -> PyResult<()> {
        let tables = self.share();
        let most = tables.layers().checked_sub(1).ok_or_else(|| {
            python::error(py, "TablemenError", ("there is no layer yet that could be written".to_owned(),))
        })?;
        let seeds = seeds.within(py, "seeds", 0, most as u32)? as usize;
        Ok(py.detach(|| tables.write(seeds, &path))?)
    }

    /// How many seeds more than the other the side to move still gets under perfect play; None where it is not known.
    ///
    /// What lies in the stores comes on top. The variant must be that of the tables, whatever it begins with.
    fn margin(&self, py: Python<'_>, position: &Bound<'_, MancalaPosition>) -> PyResult<Option<i8>> {
        let (ours, theirs) = (self.mover.get().features, position.get().mover.get().features);
        if ours != theirs {
            let why = "the position is of another variant than the tables".to_owned();
            return Err(python::error(py, "TablemenError", (why,)));
        }
        let setup = position.get().board.setup();
        let [own, other] = [setup.turn, setup.turn.opponent()].map(|side| &setup.houses[side.index()]);
        Ok(self.share().margin(own, other))
    }
}

/// More layers than this have no use: a memory that holds them has not been built.
const MOST_LAYERS: u32 = 32;

impl MancalaTables {
    /// The tables as they are now. Nothing is done while the lock is held.
    pub fn share(&self) -> Tables {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes tables with more layers.
    fn replace(&self, grown: Tables) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if grown.layers() > tables.layers() {
            *tables = grown;
        }
    }

    fn check_room(&self, py: Python<'_>, tables: &Tables) -> PyResult<()> {
        Whole(tables.layers() as i64 + 1).within(py, "layers", 1, MOST_LAYERS).map(|_| ())
    }
}
