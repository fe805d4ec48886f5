//! `NetworkTrainer`: fitting the weights of a network.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tablemen_core::draughts::{Examples, NetworkShape, NetworkTrainer as Trainer};
use tablemen_core::work::SharedMonitor;

use crate::int_arg::IntArg;
use crate::interrupt::allow_interrupts;
use crate::python;

/// A network that is being fitted with the Adam optimiser. All numbers are 32-bit floating-point numbers.
#[pyclass(frozen, module = "tablemen._core", name = "NetworkTrainer")]
pub struct NetworkTrainer {
    trainer: Mutex<Trainer>,
}

#[pymethods]
impl NetworkTrainer {
    #[new]
    #[pyo3(signature = (weights, *, squares, hidden, buckets, full))]
    fn new(
        py: Python<'_>,
        weights: &[u8],
        squares: usize,
        hidden: usize,
        buckets: usize,
        full: usize,
    ) -> PyResult<Self> {
        let trainer = Trainer::new(NetworkShape { squares, hidden, buckets, full }, read_floats(weights));
        let trainer = trainer.map_err(|problem| python::error(py, "TablemenError", (problem,)))?;
        Ok(NetworkTrainer { trainer: Mutex::new(trainer) })
    }

    /// Return the weights: of the inputs, their biases, of the outputs, and their biases.
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &to_bytes(self.lock().weights()))
    }

    /// Take a step with the learning rate, and return the sum of the losses before it. Targets are expected results for
    /// the side to move, from 0 to 1.
    #[pyo3(signature = (positions, targets, *, rate, threads))]
    fn step(&self, py: Python<'_>, positions: &[u8], targets: &[u8], rate: f32, threads: IntArg) -> PyResult<f64> {
        let threads = threads.threads(py)?;
        self.run(py, positions, targets, |trainer, examples, monitor| trainer.step(examples, rate, threads, &**monitor))
    }

    /// Return the sum of the losses.
    #[pyo3(signature = (positions, targets, *, threads))]
    fn loss(&self, py: Python<'_>, positions: &[u8], targets: &[u8], threads: IntArg) -> PyResult<f64> {
        let threads = threads.threads(py)?;
        self.run(py, positions, targets, |trainer, examples, monitor| trainer.loss(examples, threads, &**monitor))
    }

    /// Return the gradient of the mean loss, in the order of the weights.
    #[pyo3(signature = (positions, targets, *, threads))]
    fn gradient<'py>(
        &self,
        py: Python<'py>,
        positions: &[u8],
        targets: &[u8],
        threads: IntArg,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let threads = threads.threads(py)?;
        let gradient = self.run(py, positions, targets, |trainer, examples, monitor| {
            trainer.gradient(examples, threads, &**monitor)
        })?;
        Ok(PyBytes::new(py, &to_bytes(&gradient)))
    }
}

impl NetworkTrainer {
    fn lock(&self) -> MutexGuard<'_, Trainer> {
        self.trainer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run<T: Send>(
        &self,
        py: Python<'_>,
        positions: &[u8],
        targets: &[u8],
        work: impl FnOnce(&mut Trainer, Examples, &SharedMonitor) -> Option<T> + Send,
    ) -> PyResult<T> {
        let targets = read_floats(targets);
        let size = self.lock().position_size();
        if positions.len() != size * targets.len() {
            let problem =
                format!("expected {size} bytes for each of {} positions, got {} bytes", targets.len(), positions.len());
            return Err(python::error(py, "TablemenError", (problem,)));
        }
        allow_interrupts(py, |monitor| work(&mut self.lock(), Examples { positions, targets: &targets }, monitor))
    }
}

fn read_floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().copied().map(f32::from_le_bytes).collect()
}

fn to_bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
