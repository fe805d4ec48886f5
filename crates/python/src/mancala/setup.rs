//! Reads what stands on a board, and notes what is wrong with it.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tablemen_core::mancala::{MOST_SEEDS, Setup};
use tablemen_core::side::Side;

use super::mover::MancalaMover;
use crate::int_arg::IntArg;
use crate::python;

/// A board while it is read.
pub struct SetupReader<'a> {
    mover: &'a MancalaMover,
    setup: Setup,
    total: u64,
    problems: Vec<String>,
}

impl<'a> SetupReader<'a> {
    pub fn new(mover: &'a MancalaMover, turn: Side, swap_open: bool) -> Self {
        let mut problems = Vec::new();
        if swap_open && !mover.pie {
            problems.push("the rules do not let the second player swap sides".to_owned());
        }
        let empty = || vec![0; mover.houses];
        let setup = Setup { turn, houses: [empty(), empty()], stores: [0; 2], swap_open };
        SetupReader { mover, setup, total: 0, problems }
    }

    /// The seeds in houses, by side; a side that is not named has none.
    pub fn read_houses(&mut self, houses: &Bound<'_, PyAny>) -> PyResult<()> {
        for (side, row) in by_side(houses)? {
            if row.is_instance_of::<PyString>() {
                return Err(PyTypeError::new_err(format!("expected numbers of seeds, not the text {row:?}")));
            }
            let mut seeds = Vec::new();
            for (house, number) in (1..).zip(row.try_iter()?) {
                seeds.push(self.seeds(&format!("house {house} of {}", word(side)), number?.extract()?));
            }
            if seeds.len() == self.mover.houses {
                self.setup.houses[side.index()] = seeds;
            } else {
                let (given, wanted) = (seeds.len(), self.mover.houses);
                self.problems.push(format!("{} has {given} houses, not {wanted}", word(side)));
            }
        }
        Ok(())
    }

    /// The seeds in stores, by side; a side that is not named has none.
    pub fn read_stores(&mut self, stores: &Bound<'_, PyAny>) -> PyResult<()> {
        for (side, number) in by_side(stores)? {
            self.setup.stores[side.index()] = self.seeds(&format!("the store of {}", word(side)), number.extract()?);
        }
        Ok(())
    }

    /// A number of seeds; one that no board has is a problem.
    fn seeds(&mut self, place: &str, number: IntArg) -> u16 {
        let Ok(seeds) = u16::try_from(number.0) else {
            self.problems.push(format!("{place} has {} seeds, not 0 to {MOST_SEEDS}", number.0));
            return 0;
        };
        self.total += u64::from(seeds);
        seeds
    }

    pub fn finish(mut self, py: Python<'_>) -> PyResult<Setup> {
        if self.total > u64::from(MOST_SEEDS) {
            self.problems.push(format!("there are {} seeds on the board, more than {MOST_SEEDS}", self.total));
        }
        if self.problems.is_empty() {
            return Ok(self.setup);
        }
        Err(python::error(py, "InvalidPositionError", (self.problems,)))
    }
}

fn word(side: Side) -> &'static str {
    match side {
        Side::White => "south",
        Side::Black => "north",
    }
}

/// The items of a mapping whose keys are sides.
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
