//! `Evaluation`: the compiled form of weights for a rule set.

use std::sync::Arc;

use pyo3::PyTraverseError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use tablemen_core::draughts::{Feature, Judge, Pair, Pattern, Sample, Weights, packed_size};

use super::mover::Mover;
use super::position::Position;
use crate::python;

/// Compiled weights: `tablemen.draughts.evaluation.Evaluation` makes one, searches read it.
#[pyclass(frozen, module = "tablemen._core", name = "Evaluation")]
pub struct Evaluation {
    mover: Py<Mover>,
    judge: Arc<dyn Judge>,
}

/// The bytes of counts, shares and looks: 16, 16 and 32 bits each, the lowest byte first.
type Rows<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl Evaluation {
    /// The features that are counted, besides which squares men and kings are on.
    #[classattr]
    fn features(py: Python<'_>) -> PyResult<Py<PyTuple>> {
        Ok(PyTuple::new(py, Feature::ALL.iter().map(|feature| feature.name()))?.unbind())
    }

    #[new]
    fn new(
        variant: &Bound<'_, PyAny>,
        full: usize,
        counts: Vec<Pair>,
        men: Vec<Pair>,
        kings: Vec<Pair>,
        patterns: Vec<(Vec<Bound<'_, PyAny>>, Bound<'_, PyBytes>)>,
    ) -> PyResult<Self> {
        let py = variant.py();
        let mover = Mover::of(variant)?;
        let counts = counts.try_into().map_err(|counts: Vec<Pair>| {
            PyTypeError::new_err(format!("{} weights for {} features", counts.len(), Feature::COUNT))
        })?;
        let patterns = patterns.iter().map(|(squares, table)| read_pattern(mover.get(), squares, table.as_bytes()));
        let weights = Weights { full, counts, men, kings, patterns: patterns.collect::<PyResult<_>>()? };
        let judge = mover.get().evaluation(&weights);
        let judge = judge.map_err(|problem| python::error(py, "TablemenError", (problem,)))?;
        Ok(Evaluation { mover, judge })
    }

    /// The rules of the positions that it evaluates.
    #[getter]
    fn variant(&self, py: Python<'_>) -> Py<PyAny> {
        self.mover.get().rules(py)
    }

    /// What the position is worth to the side to move, in men.
    fn evaluate(&self, py: Python<'_>, position: &Position) -> PyResult<f64> {
        let judge = self.judge(position, py)?;
        let value = position.board.evaluate(&*judge).expect("the rules are the same, and so are the sets");
        Ok(f64::from(value) / 100.0)
    }

    /// The features of packed positions, one row a position: counts, how much the opening counts, and where the weights
    /// of patterns are.
    fn rows<'py>(&self, py: Python<'py>, packed: &[u8]) -> PyResult<Rows<'py>> {
        let mover = self.mover.get();
        let size = packed_size(mover.notation.squares().count());
        if !packed.len().is_multiple_of(size) {
            let told = format!("{} bytes, not a multiple of the {size} that a packed position has", packed.len());
            return Err(python::error(py, "TablemenError", (told,)));
        }
        let sample = py.detach(|| mover.sample(&*self.judge, packed).map(|sample| bytes_of(&sample)));
        let [counts, shares, looks] = sample.map_err(|index| {
            python::error(py, "TablemenError", (format!("packed position {index} is none of this board"),))
        })?;
        Ok((PyBytes::new(py, &counts), PyBytes::new(py, &shares), PyBytes::new(py, &looks)))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.mover)
    }
}

impl Evaluation {
    /// The core's form of it, for a position of its rules.
    pub fn judge(&self, position: &Position, py: Python<'_>) -> PyResult<Arc<dyn Judge>> {
        if Mover::same(&self.mover, &position.mover, py)? {
            return Ok(Arc::clone(&self.judge));
        }
        let rules = [&self.mover, &position.mover].map(|mover| mover.get().rules(py));
        let told = format!("a position of {} for an evaluation of {}", rules[1].bind(py), rules[0].bind(py));
        Err(python::error(py, "TablemenError", (told,)))
    }
}

fn bytes_of(sample: &Sample) -> [Vec<u8>; 3] {
    [
        sample.counts.iter().flat_map(|number| number.to_le_bytes()).collect(),
        sample.shares.iter().flat_map(|number| number.to_le_bytes()).collect(),
        sample.looks.iter().flat_map(|number| number.to_le_bytes()).collect(),
    ]
}

fn read_pattern(mover: &Mover, squares: &[Bound<'_, PyAny>], table: &[u8]) -> PyResult<Pattern> {
    let squares = squares.iter().map(|square| mover.index(square)).collect::<PyResult<_>>()?;
    let number = |bytes: &[u8]| i16::from_le_bytes([bytes[0], bytes[1]]);
    let table = table.chunks_exact(4).map(|pair| [number(&pair[..2]), number(&pair[2..])]).collect();
    Ok(Pattern { squares, table })
}
