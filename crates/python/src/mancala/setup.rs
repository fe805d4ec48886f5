//! Reading the seeds of a position from Python mappings.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tablemen_core::mancala::SetupBuilder;
use tablemen_core::side::Side;

use crate::int_arg::IntArg;
use crate::python;

/// Read the seeds in the houses by side, and return the sides that are given.
pub fn read_houses(builder: &mut SetupBuilder<'_>, houses: &Bound<'_, PyAny>) -> PyResult<Vec<Side>> {
    let mut given = Vec::new();
    for (side, row) in by_side(houses)? {
        if row.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err(format!("expected numbers of seeds, not the text {row:?}")));
        }
        let seeds = row.try_iter()?.map(|number| read_seeds(&number?)).collect::<PyResult<Vec<_>>>()?;
        builder.set_houses(side, &seeds);
        given.push(side);
    }
    Ok(given)
}

/// Read the seeds in the stores by side, and return the sides that are given.
pub fn read_stores(builder: &mut SetupBuilder<'_>, stores: &Bound<'_, PyAny>) -> PyResult<Vec<Side>> {
    let mut given = Vec::new();
    for (side, number) in by_side(stores)? {
        builder.set_store(side, read_seeds(&number)?);
        given.push(side);
    }
    Ok(given)
}

fn read_seeds(number: &Bound<'_, PyAny>) -> PyResult<i64> {
    Ok(number.extract::<IntArg>()?.0)
}

/// Return the items of a mapping whose keys are sides.
fn by_side<'py>(mapping: &Bound<'py, PyAny>) -> PyResult<Vec<(Side, Bound<'py, PyAny>)>> {
    let unfit =
        |_| PyTypeError::new_err(format!("expected a value for each side, as in {{SOUTH: …}}, not {mapping:?}"));
    let items = mapping.call_method0("items").map_err(unfit)?;
    let read = |item: PyResult<Bound<'py, PyAny>>| {
        let (side, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item?.extract()?;
        Ok((python::to_side(&side)?, value))
    };
    items.try_iter()?.map(read).collect()
}
