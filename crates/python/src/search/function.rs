//! Evaluations by Python functions.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use tablemen_core::search::{FunctionEvaluation, MAX_FUNCTION_VALUE, SCORE_SCALE, TimeManager, ValueCache};

use crate::python;

/// The first exception of an evaluation in a search.
#[derive(Clone, Default)]
pub struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    /// Raise the exception again if there is one.
    pub fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.error().as_ref().map_or(Ok(()), |error| Err(error.clone_ref(py)))
    }

    fn store(&self, error: PyErr) {
        let mut stored = self.error();
        if stored.is_none() {
            *stored = Some(error);
        }
    }

    fn error(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A Python function that evaluates positions for one search.
pub struct PositionFunction {
    pub function: Py<PyAny>,
    /// Whether the function expects a list of positions.
    pub is_batch: bool,
    pub cache: Arc<ValueCache>,
    pub failure: Failure,
}

impl PositionFunction {
    /// Return the evaluation for the search. An exception stops the search; `failure` stores it.
    pub fn evaluation<P: 'static>(
        self,
        time: &Arc<TimeManager>,
        to_python: impl Fn(Python<'_>, P) -> PyResult<Py<PyAny>> + Send + Sync + 'static,
    ) -> FunctionEvaluation<P> {
        let PositionFunction { function, is_batch, cache, failure } = self;
        let time = Arc::clone(time);
        let evaluate = move |positions: Vec<P>| {
            if time.is_stopped() {
                return None;
            }
            // None if the interpreter is being shut down.
            Python::try_attach(|py| {
                let positions = positions.into_iter().map(|position| to_python(py, position));
                let values = positions
                    .collect::<PyResult<Vec<_>>>()
                    .and_then(|positions| call(function.bind(py), &positions, is_batch));
                values
                    .map_err(|error| {
                        failure.store(error);
                        time.stop();
                    })
                    .ok()
            })
            .flatten()
        };
        FunctionEvaluation::new(is_batch, cache, Box::new(evaluate))
    }
}

/// Return the value of a position by a function, or by a batch function, in men or in seeds.
#[pyfunction]
#[pyo3(signature = (function, position, *, is_batch))]
pub fn evaluate_by_function(function: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>, is_batch: bool) -> PyResult<f64> {
    let values = call(function, &[position.clone().unbind()], is_batch)?;
    Ok(f64::from(values[0]) / f64::from(SCORE_SCALE))
}

/// Return the values of positions in hundredths of a man or a seed, one for each position.
fn call(function: &Bound<'_, PyAny>, positions: &[Py<PyAny>], is_batch: bool) -> PyResult<Vec<i32>> {
    let py = function.py();
    if !is_batch {
        let value = |position: &Py<PyAny>| to_value(position.bind(py), &function.call1((position,))?);
        return positions.iter().map(value).collect();
    }
    let returned = function.call1((PyList::new(py, positions)?,))?;
    let mismatch = || {
        let expected = match positions.len() {
            1 => "1 value for 1 position".to_owned(),
            count => format!("{count} values for {count} positions"),
        };
        python::error(py, "ArgumentError", ("batch evaluation", &returned, expected))
    };
    let values = returned.try_iter().map_err(|error| if is_type_error(py, &error) { mismatch() } else { error })?;
    let values = values.collect::<PyResult<Vec<_>>>()?;
    if values.len() != positions.len() {
        return Err(mismatch());
    }
    positions.iter().zip(&values).map(|(position, value)| to_value(position.bind(py), value)).collect()
}

/// Convert a value in men or in seeds to hundredths.
fn to_value(position: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<i32> {
    let py = position.py();
    let invalid = || {
        let name = position.call_method0("text").and_then(|text| text.extract::<String>())?;
        let limit = MAX_FUNCTION_VALUE / SCORE_SCALE;
        let expected = format!("a number from -{limit} to {limit}");
        Ok(python::error(py, "ArgumentError", (format!("evaluation of {name}"), value, expected)))
    };
    match value.extract::<f64>().map(|number| number * f64::from(SCORE_SCALE)) {
        Ok(number) if number.abs() <= f64::from(MAX_FUNCTION_VALUE) => Ok(number.round() as i32),
        Err(error) if !is_type_error(py, &error) => Err(error),
        _ => Err(invalid().unwrap_or_else(|error: PyErr| error)),
    }
}

fn is_type_error(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyTypeError>(py)
}
