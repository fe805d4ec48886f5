//! `MancalaMove`: a house to sow, with the result.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tablemen_core::mancala::{MAX_SEEDS, Move, SowResult, format_move};

use super::mover::MancalaMover;
use super::position::MancalaPosition;
use crate::int_arg::IntArg;
use crate::python;

/// A move: a house whose seeds are sown, or the swap of sides, which is house 0.
///
/// Two moves are equal if variant and house are equal. The numbers of seeds depend on the position and are not
/// compared.
#[pyclass(frozen, module = "tablemen._core")]
pub struct MancalaMove {
    pub mover: Py<MancalaMover>,
    pub played: Move,
    pub result: SowResult,
}

#[pymethods]
impl MancalaMove {
    #[new]
    #[pyo3(
        signature = (variant, house, *, sown = IntArg(0), captured = IntArg(0), extra_turn = false),
        text_signature = "(variant, house, *, sown=0, captured=0, extra_turn=False)"
    )]
    fn new(
        variant: &Bound<'_, PyAny>,
        house: IntArg,
        sown: IntArg,
        captured: IntArg,
        extra_turn: bool,
    ) -> PyResult<Self> {
        let py = variant.py();
        let mover = MancalaMover::of(variant)?;
        let least = u32::from(!mover.get().features.pie);
        let played = match house.within(py, "house", least, mover.get().features.houses as u32)? {
            0 => Move::Swap,
            house => Move::Sow(house as u8 - 1),
        };
        let seeds = |name, number: IntArg| number.within(py, name, 0, MAX_SEEDS).map(|seeds| seeds as u16);
        let result = SowResult { sown: seeds("sown", sown)?, captured: seeds("captured", captured)?, extra_turn };
        Ok(MancalaMove { mover, played, result })
    }

    /// The rules of the variant.
    #[getter]
    fn variant(&self, py: Python<'_>) -> Py<PyAny> {
        self.mover.get().rules(py)
    }

    /// The house whose seeds are sown, counted from 1 in the owner's sowing order; 0 for the swap.
    #[getter]
    fn house(&self) -> u8 {
        house(self.played)
    }

    /// The number of seeds sown.
    #[getter]
    fn sown(&self) -> u16 {
        self.result.sown
    }

    /// The number of seeds that a capture adds to the store.
    #[getter]
    fn captured(&self) -> u16 {
        self.result.captured
    }

    /// Whether the same side moves again.
    #[getter]
    fn extra_turn(&self) -> bool {
        self.result.extra_turn
    }

    /// Whether the move is the second player's swap of sides.
    #[getter]
    fn is_swap(&self) -> bool {
        self.played == Move::Swap
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.mover)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<MancalaMove>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        python::truth(py, self.played == other.played && MancalaMover::same(&self.mover, &other.mover, py)?)
    }

    fn __hash__(&self) -> u64 {
        self.house().into()
    }

    fn __str__(&self) -> String {
        format_move(self.played)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = format!("Move({}, {}", self.mover.get().reference(py)?.bind(py).repr()?, self.house());
        for (name, seeds) in [("sown", self.sown()), ("captured", self.captured())] {
            if seeds > 0 {
                text += &format!(", {name}={seeds}");
            }
        }
        Ok(text + if self.extra_turn() { ", extra_turn=True)" } else { ")" })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        options.set_item("sown", self.sown())?;
        options.set_item("captured", self.captured())?;
        options.set_item("extra_turn", self.extra_turn())?;
        Ok(((self.mover.get().reference(py)?, self.house()).into_pyobject(py)?, options))
    }
}

/// Return the number of a move's house, or 0 for the swap.
pub fn house(played: Move) -> u8 {
    match played {
        Move::Sow(house) => house + 1,
        Move::Swap => 0,
    }
}

/// Return a line of moves from a position as Python objects.
pub fn line<'py>(position: &Bound<'py, MancalaPosition>, line: &[(Move, SowResult)]) -> PyResult<Bound<'py, PyTuple>> {
    let (py, mover) = (position.py(), &position.get().mover);
    let wrap = |(played, result): &(Move, SowResult)| {
        Bound::new(py, MancalaMove { mover: mover.clone_ref(py), played: *played, result: *result })
    };
    PyTuple::new(py, line.iter().map(wrap).collect::<PyResult<Vec<_>>>()?)
}
