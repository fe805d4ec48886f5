//! `Evaluation`: a compiled evaluation of the positions of a rule set.

use std::sync::Arc;

use pyo3::PyTraverseError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use tablemen_core::draughts::{
    Evaluator, Feature, FeatureRows, NetworkWeights, Pattern, SelfPlay, TaperedWeight, Weights, packed_size,
};

use super::mover::Mover;
use super::position::Position;
use super::tablebase::Tablebase;
use crate::int_arg::IntArg;
use crate::interrupt::allow_interrupts;
use crate::python;

/// The size of the transposition table of a game of self-play, enough for some thousand nodes.
const SELF_PLAY_TABLE_BYTES: usize = 1 << 20;

/// Compiled weights, created by `tablemen.draughts.evaluation.Evaluation` and used by searches.
#[pyclass(frozen, module = "tablemen._core", name = "Evaluation")]
pub struct Evaluation {
    mover: Py<Mover>,
    evaluator: Arc<dyn Evaluator>,
}

/// Counts, phases and pattern indices as little-endian numbers of 16, 16 and 32 bits.
type RowBytes<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl Evaluation {
    /// The names of the features, without piece-square tables and patterns.
    #[classattr]
    fn features(py: Python<'_>) -> PyResult<Py<PyTuple>> {
        Ok(PyTuple::new(py, Feature::ALL.iter().map(|feature| feature.name()))?.unbind())
    }

    #[new]
    fn new(
        variant: &Bound<'_, PyAny>,
        full: usize,
        counts: Vec<TaperedWeight>,
        men: Vec<TaperedWeight>,
        kings: Vec<TaperedWeight>,
        patterns: Vec<(Vec<Bound<'_, PyAny>>, Bound<'_, PyBytes>)>,
    ) -> PyResult<Self> {
        let py = variant.py();
        let mover = Mover::of(variant)?;
        let counts = counts.try_into().map_err(|counts: Vec<TaperedWeight>| {
            PyTypeError::new_err(format!(
                "expected {} weights, one for each feature, got {}",
                Feature::COUNT,
                counts.len()
            ))
        })?;
        let patterns = patterns.iter().map(|(squares, table)| read_pattern(mover.get(), squares, table.as_bytes()));
        let weights = Weights { full, counts, men, kings, patterns: patterns.collect::<PyResult<_>>()? };
        let evaluator = mover.get().evaluation(&weights);
        let evaluator = evaluator.map_err(|problem| python::error(py, "TablemenError", (problem,)))?;
        Ok(Evaluation { mover, evaluator })
    }

    /// Compile a network: see `tablemen.draughts.network.Network`. Weights are little-endian numbers of 16 bits, biases of
    /// the output of 32 bits.
    #[staticmethod]
    #[pyo3(signature = (variant, *, full, hidden, input, input_bias, output, output_bias, scale))]
    #[expect(clippy::too_many_arguments, reason = "the parts of a network")]
    fn network(
        variant: &Bound<'_, PyAny>,
        full: usize,
        hidden: usize,
        input: &[u8],
        input_bias: &[u8],
        output: &[u8],
        output_bias: &[u8],
        scale: i64,
    ) -> PyResult<Self> {
        let py = variant.py();
        let mover = Mover::of(variant)?;
        let weights = NetworkWeights {
            full,
            hidden,
            input: read_numbers(input),
            input_bias: read_numbers(input_bias),
            output: read_numbers(output),
            output_bias: output_bias.as_chunks().0.iter().copied().map(i32::from_le_bytes).collect(),
            scale,
        };
        let evaluator = mover.get().network(&weights);
        let evaluator = evaluator.map_err(|problem| python::error(py, "TablemenError", (problem,)))?;
        Ok(Evaluation { mover, evaluator })
    }

    /// The rules of the positions to evaluate.
    #[getter]
    fn variant(&self, py: Python<'_>) -> Py<PyAny> {
        self.mover.get().rules(py)
    }

    /// Return the static evaluation of a position for the side to move, in men.
    fn evaluate(&self, py: Python<'_>, position: &Position) -> PyResult<f64> {
        let evaluator = self.evaluator(position, py)?;
        let value = position.board.evaluate(&*evaluator).expect("the rules are the same, and so are the bitboards");
        Ok(f64::from(value) / 100.0)
    }

    /// Return the features of packed positions, one row per position: counts, game phases and pattern indices.
    fn rows<'py>(&self, py: Python<'py>, packed: &[u8]) -> PyResult<RowBytes<'py>> {
        let mover = self.mover.get();
        if !self.evaluator.is_linear() {
            let problem = "a network has no features; only linear evaluations have";
            return Err(python::error(py, "TablemenError", (problem,)));
        }
        let size = packed_size(mover.notation.squares().count());
        if !packed.len().is_multiple_of(size) {
            let problem = format!("expected {size} bytes for each packed position, got {} bytes", packed.len());
            return Err(python::error(py, "TablemenError", (problem,)));
        }
        let rows = py.detach(|| mover.feature_rows(&*self.evaluator, packed).map(|rows| to_bytes(&rows)));
        let [counts, phases, pattern_indices] = rows.map_err(|index| {
            python::error(py, "TablemenError", (format!("packed position {index} is not a position of this board"),))
        })?;
        Ok((PyBytes::new(py, &counts), PyBytes::new(py, &phases), PyBytes::new(py, &pattern_indices)))
    }

    /// Play games of the search against itself from a position, and return the records of their quiet positions: see
    /// `tools.tune.records`. A game depends on its number and the settings, but not on the threads. Scores are in
    /// hundredths of a man.
    #[pyo3(signature = (start, games, *, tablebase, threads, seed, nodes, random_plies, max_opening_score, max_plies,
                        decided_score, decided_plies))]
    #[expect(clippy::too_many_arguments, reason = "the settings of self-play")]
    fn self_play<'py>(
        &self,
        py: Python<'py>,
        start: &Position,
        games: (u64, u64),
        tablebase: Option<&Tablebase>,
        threads: IntArg,
        seed: u64,
        nodes: u64,
        random_plies: u32,
        max_opening_score: i32,
        max_plies: u32,
        decided_score: i32,
        decided_plies: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let evaluator = self.evaluator(start, py)?;
        if let Some(tablebase) = tablebase
            && !Mover::same(&tablebase.mover, &start.mover, py)?
        {
            return Err(PyTypeError::new_err("the tablebase has other rules than the position"));
        }
        let settings = SelfPlay {
            seed,
            nodes,
            table_bytes: SELF_PLAY_TABLE_BYTES,
            random_plies,
            max_opening_score,
            max_plies,
            decided_score,
            decided_plies,
        };
        let (threads, tables) = (threads.threads(py)?, tablebase.map(|tablebase| &*tablebase.tables));
        let records = allow_interrupts(py, |monitor| {
            start.board.self_play(&settings, games.0..games.1, threads, &*evaluator, tables, monitor)
        })?;
        Ok(PyBytes::new(py, &records))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.mover)
    }
}

impl Evaluation {
    /// Return the core's evaluator for a position. Raises `TablemenError` if the position has different rules.
    pub fn evaluator(&self, position: &Position, py: Python<'_>) -> PyResult<Arc<dyn Evaluator>> {
        self.evaluator_of(&position.mover, py)
    }

    /// Return the core's evaluator for positions of some rules. Raises `TablemenError` if it has different rules.
    pub fn evaluator_of(&self, mover: &Py<Mover>, py: Python<'_>) -> PyResult<Arc<dyn Evaluator>> {
        if Mover::same(&self.mover, mover, py)? {
            return Ok(Arc::clone(&self.evaluator));
        }
        let rules = [&self.mover, mover].map(|mover| mover.get().rules(py));
        let problem = format!("expected a position of {}, got one of {}", rules[0].bind(py), rules[1].bind(py));
        Err(python::error(py, "TablemenError", (problem,)))
    }
}

fn to_bytes(rows: &FeatureRows) -> [Vec<u8>; 3] {
    [
        rows.counts.iter().flat_map(|number| number.to_le_bytes()).collect(),
        rows.phases.iter().flat_map(|number| number.to_le_bytes()).collect(),
        rows.pattern_indices.iter().flat_map(|number| number.to_le_bytes()).collect(),
    ]
}

fn read_pattern(mover: &Mover, squares: &[Bound<'_, PyAny>], table: &[u8]) -> PyResult<Pattern> {
    let squares = squares.iter().map(|square| mover.index(square)).collect::<PyResult<_>>()?;
    Ok(Pattern { squares, table: read_numbers(table).as_chunks().0.to_vec() })
}

fn read_numbers(bytes: &[u8]) -> Vec<i16> {
    bytes.as_chunks().0.iter().copied().map(i16::from_le_bytes).collect()
}
