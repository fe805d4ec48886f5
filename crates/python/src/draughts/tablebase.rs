//! `Tablebase`: the slices of an endgame tablebase.

use std::sync::Arc;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tablemen_core::draughts::Board;
use tablemen_core::draughts::tablebase::{
    self, BuiltSlice, Counts, FileError, MAX_PIECES, Probe, RULES_ID, Slice, Value,
};
use tablemen_core::memory::map_file;
use tablemen_core::parallel;

use super::mover::Mover;
use super::position::Position;
use crate::int_arg::IntArg;
use crate::interrupt::allow_interrupts;
use crate::python;

/// The men and kings of the side to move, and those of its opponent.
type SliceCounts = (u8, u8, u8, u8);

/// The same as an argument.
type SliceArg = (IntArg, IntArg, IntArg, IntArg);

/// A value as a sign, and the distance in plies if it is known.
type DistanceProbe = (i8, Option<u16>);

/// The wins, draws and losses of a slice, the longest distance, and whether it has distances.
type Statistics = (u64, u64, u64, u16, bool);

/// The slices of an endgame tablebase of one rule set, in memory-mapped files or in memory.
#[pyclass(frozen, module = "tablemen._core")]
pub struct Tablebase {
    pub mover: Py<Mover>,
    pub tables: Arc<dyn tablebase::Tablebase>,
}

#[pymethods]
impl Tablebase {
    /// Create an empty tablebase; `rules_id` are 16 bytes that identify the rules in files. Raises
    /// `TablemenError` if the rules are not supported.
    #[new]
    fn new(variant: &Bound<'_, PyAny>, rules_id: [u8; RULES_ID]) -> PyResult<Self> {
        let py = variant.py();
        let mover = Mover::of(variant)?;
        let tables = mover.get().tablebase(rules_id);
        let tables = tables.map_err(|obstacle| python::error(py, "TablemenError", (obstacle,)))?;
        Ok(Tablebase { mover, tables })
    }

    /// Return the slices with a number of pieces, in an order in which they can be built.
    #[staticmethod]
    fn slices(pieces: usize) -> Vec<SliceCounts> {
        Slice::list(pieces).into_iter().map(to_counts).collect()
    }

    /// Return the slices that must be present to build a slice and its twin.
    #[staticmethod]
    fn dependencies(py: Python<'_>, pieces: SliceArg) -> PyResult<Vec<SliceCounts>> {
        Ok(to_slice(py, pieces)?.dependencies().into_iter().map(to_counts).collect())
    }

    /// Return the number of indices of a slice.
    fn size(&self, py: Python<'_>, pieces: SliceArg) -> PyResult<u64> {
        Ok(self.tables.size(to_slice(py, pieces)?))
    }

    /// Map the file of a slice, and return the slice. Raises `OSError`, and `TablebaseError` if the file is damaged or
    /// belongs to other rules.
    fn add_file(&self, py: Python<'_>, path: std::path::PathBuf) -> PyResult<SliceCounts> {
        let map = map_file(&path).map_err(|error| PyOSError::new_err(error.to_string()))?;
        let slice = self.tables.add(Box::new(map));
        slice.map(to_counts).map_err(|error| damaged(py, &error))
    }

    /// Return the statistics of a slice, or None if it is not present.
    fn statistics(&self, py: Python<'_>, pieces: SliceArg) -> PyResult<Option<Statistics>> {
        let found = self.tables.counts(to_slice(py, pieces)?);
        let list = |(counts, has_distances): (Counts, bool)| {
            (counts.wins, counts.draws, counts.losses, counts.longest, has_distances)
        };
        Ok(found.map(list))
    }

    /// Check the checksum of a slice. Raises `TablebaseError`.
    fn check(&self, py: Python<'_>, pieces: SliceArg) -> PyResult<()> {
        let slice = to_slice(py, pieces)?;
        py.detach(|| self.tables.check(slice)).map_err(|error| damaged(py, &error))
    }

    /// Build a slice and its twin, and return their files. The slices that captures and promotions lead to must be
    /// present.
    fn build<'py>(
        &self,
        py: Python<'py>,
        pieces: SliceArg,
        distances: bool,
        threads: IntArg,
    ) -> PyResult<Vec<(SliceCounts, Bound<'py, PyBytes>)>> {
        let (slice, threads) = (to_slice(py, pieces)?, threads.threads(py)?);
        let built = allow_interrupts(py, |monitor| self.tables.build(slice, distances, threads, monitor).transpose())?;
        let built: Vec<BuiltSlice> = built.map_err(|error| damaged(py, &error))?;
        Ok(built.iter().map(|each| (to_counts(each.slice), PyBytes::new(py, &each.file))).collect())
    }

    /// Compare a slice and its twin with the legal moves of all their positions, and return the first position whose value
    /// or distance does not follow from those after its moves; None if there is none. Raises `TablebaseError` if a slice
    /// that moves lead to is missing or damaged.
    fn verify(&self, py: Python<'_>, pieces: SliceArg, threads: IntArg) -> PyResult<Option<Position>> {
        let (slice, threads) = (to_slice(py, pieces)?, threads.threads(py)?);
        let found = allow_interrupts(py, |monitor| self.tables.verify(slice, threads, monitor).transpose())?;
        let found = found.map_err(|error| damaged(py, &error))?;
        Ok(found.map(|board| Position { mover: self.mover.clone_ref(py), board }))
    }

    /// Add a slice from the content of its file.
    fn add(&self, py: Python<'_>, content: &[u8]) -> PyResult<SliceCounts> {
        self.tables.add(Box::new(content.to_vec())).map(to_counts).map_err(|error| damaged(py, &error))
    }

    /// Return 1 for a win of the side to move, 0 for a draw, -1 for a loss; None if the slice is not present.
    fn probe(&self, position: &Bound<'_, Position>) -> PyResult<Option<i8>> {
        Ok(self.look_up(position, false)?.map(|probe| sign(probe.value)))
    }

    /// Return for each position the results of `probe_distance` for the positions after its legal moves, in their order;
    /// None if the tablebase does not have one of them.
    fn probe_moves(
        &self,
        py: Python<'_>,
        positions: Vec<Bound<'_, Position>>,
        threads: IntArg,
    ) -> PyResult<Vec<Option<Vec<DistanceProbe>>>> {
        let threads = threads.threads(py)?;
        for position in &positions {
            self.check_rules(position)?;
        }
        let boards: Vec<&dyn Board> = positions.iter().map(|position| &*position.get().board).collect();
        let probed = allow_interrupts(py, |monitor| {
            parallel::map(&boards, threads, &**monitor, |board| {
                self.tables.probe_moves(*board, true, monitor).transpose()
            })
        })?;
        let to_probes = |probes: Vec<Probe>| probes.into_iter().map(to_distance_probe).collect();
        probed.into_iter().map(|found| Ok(found.map_err(|error| damaged(py, &error))?.map(to_probes))).collect()
    }

    /// Return the value as `probe` does, and the distance to the end of the game in plies, which is None if the tablebase
    /// has no distances.
    fn probe_distance(&self, position: &Bound<'_, Position>) -> PyResult<Option<DistanceProbe>> {
        Ok(self.look_up(position, true)?.map(to_distance_probe))
    }
}

impl Tablebase {
    fn look_up(&self, position: &Bound<'_, Position>, with_distance: bool) -> PyResult<Option<Probe>> {
        self.check_rules(position)?;
        let found = self.tables.probe(&*position.get().board, with_distance);
        found.map_err(|error| damaged(position.py(), &error))
    }

    /// Raise `TablemenError` if a position has other rules.
    fn check_rules(&self, position: &Bound<'_, Position>) -> PyResult<()> {
        let (py, position) = (position.py(), position.get());
        if Mover::same(&self.mover, &position.mover, py)? {
            return Ok(());
        }
        let (rules, other) = (self.mover.get().rules(py), position.mover.get().rules(py));
        let message = format!("the tablebase is for {}, not for {}", rules.bind(py), other.bind(py));
        Err(python::error(py, "TablemenError", (message,)))
    }
}

fn to_distance_probe(probe: Probe) -> DistanceProbe {
    (sign(probe.value), probe.distance)
}

fn damaged(py: Python<'_>, error: &FileError) -> PyErr {
    python::error(py, "TablebaseError", (error.to_string(),))
}

fn sign(value: Value) -> i8 {
    match value {
        Value::Win => 1,
        Value::Draw => 0,
        Value::Loss => -1,
    }
}

fn to_slice(py: Python<'_>, (own_men, own_kings, other_men, other_kings): SliceArg) -> PyResult<Slice> {
    let given = (own_men.0, own_kings.0, other_men.0, other_kings.0);
    let count = |given: IntArg| u8::try_from(given.0).unwrap_or(u8::MAX);
    let slice = Slice {
        own_men: count(own_men),
        own_kings: count(own_kings),
        other_men: count(other_men),
        other_kings: count(other_kings),
    };
    let expected = || format!("at most {MAX_PIECES} pieces, some of each side");
    if slice.is_valid() { Ok(slice) } else { Err(python::error(py, "ArgumentError", ("slice", given, expected()))) }
}

fn to_counts(slice: Slice) -> SliceCounts {
    (slice.own_men, slice.own_kings, slice.other_men, slice.other_kings)
}
