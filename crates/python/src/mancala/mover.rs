//! `MancalaMover`: the compiled form of a rule set.

use pyo3::PyTraverseError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use tablemen_core::mancala::{Board, Capture, Game, GrandSlam, Rules, Setup};

use super::move_cache::MoveCache;
use crate::family::MANCALA;

/// Compiled rules, created by `MancalaRules.mover` and shared by positions.
#[pyclass(frozen, module = "tablemen._core")]
pub struct MancalaMover {
    rules: Py<PyAny>,
    game: Game,
    pub features: Rules,
    seeds: u16,
    pub moves: MoveCache,
}

#[pymethods]
impl MancalaMover {
    #[new]
    fn new(rules: &Bound<'_, PyAny>) -> PyResult<Self> {
        let features = rules.getattr("features")?;
        let read = read_features(&features)?;
        Ok(MancalaMover {
            game: Game::new(read),
            features: read,
            seeds: features.getattr("seeds")?.extract()?,
            moves: MoveCache::default(),
            rules: rules.clone().unbind(),
        })
    }

    /// The rules that were compiled.
    #[getter]
    pub fn rules(&self, py: Python<'_>) -> Py<PyAny> {
        self.rules.clone_ref(py)
    }

    // The rules and the mover refer to each other.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.rules)?;
        self.moves.traverse(&visit)
    }

    fn __clear__(&self) {
        self.moves.clear();
    }
}

impl MancalaMover {
    /// Return the mover of a variant, given as rules or by name.
    pub fn of(variant: &Bound<'_, PyAny>) -> PyResult<Py<MancalaMover>> {
        if let Some(Ok(mover)) = variant.getattr_opt("mover")?.map(|mover| mover.cast_into::<MancalaMover>()) {
            return Ok(mover.unbind());
        }
        let rules = MANCALA.find_variant(variant)?;
        Ok(rules.getattr("mover")?.cast_into::<MancalaMover>()?.unbind())
    }

    /// Return the name of the rules if they are a known variant, otherwise the rules themselves.
    pub fn reference(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        MANCALA.reference(py, &self.rules)
    }

    /// Return whether two movers have equal rules.
    pub fn same(a: &Py<MancalaMover>, b: &Py<MancalaMover>, py: Python<'_>) -> PyResult<bool> {
        if a.is(b) {
            return Ok(true);
        }
        a.get().rules.bind(py).eq(b.get().rules.bind(py))
    }

    /// Create a position.
    pub fn board(&self, setup: &Setup) -> Box<dyn Board> {
        self.game.board(setup)
    }

    /// Create the start position.
    pub fn start(&self) -> Box<dyn Board> {
        let row = || vec![self.seeds; self.features.houses];
        self.game.board(&Setup { houses: [row(), row()], swap_open: self.features.pie, ..Setup::default() })
    }
}

/// Read the `features` of a rule set.
fn read_features(features: &Bound<'_, PyAny>) -> PyResult<Rules> {
    let truth = |name: &str| -> PyResult<bool> { features.getattr(name)?.extract() };
    let name = |name: &str| -> PyResult<String> { features.getattr(name)?.getattr("name")?.extract() };
    let capture = match name("capture")?.as_str() {
        "OPPOSITE_NOT_EMPTY" => Capture::Opposite { even_if_empty: false },
        "EVEN_IF_OPPOSITE_EMPTY" => Capture::Opposite { even_if_empty: true },
        "NO_CAPTURE" => Capture::TwosAndThrees(GrandSlam::NoCapture),
        "CAPTURES" => Capture::TwosAndThrees(GrandSlam::Captures),
        "FORBIDDEN" => Capture::TwosAndThrees(GrandSlam::Forbidden),
        "REST_TO_OPPONENT" => Capture::TwosAndThrees(GrandSlam::RestToOpponent),
        other => return Err(PyTypeError::new_err(format!("capture has the unknown value {other}"))),
    };
    Ok(Rules {
        houses: features.getattr("houses")?.extract()?,
        sows_store: truth("sows_store")?,
        sows_origin: truth("sows_origin")?,
        capture,
        must_feed: truth("must_feed")?,
        either_empty_ends: truth("either_empty_ends")?,
        majority_ends: truth("majority_ends")?,
        counts_rest: truth("counts_rest")?,
        pie: truth("pie")?,
    })
}
