//! `MancalaMover`: the compiled form of a rule set.

use pyo3::PyTraverseError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use tablemen_core::envs::{Settings, StartError};
use tablemen_core::mancala::{
    ActionEncoding, Board, Capture, Game, GrandSlam, MancalaBatch, RepetitionEnd, Rules, Setup,
};

use super::move_cache::MoveCache;
use crate::draughts::uncounted_rule;
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

    /// Create a batch of games that begin with positions under these rules.
    pub fn batch(
        &self,
        encoding: ActionEncoding,
        repetition: Option<RepetitionEnd>,
        starts: &[Setup],
        settings: Settings,
    ) -> Result<Box<dyn MancalaBatch>, StartError> {
        self.game.batch(encoding, repetition, starts, settings)
    }

    /// Create the start position.
    pub fn start(&self) -> Box<dyn Board> {
        let row = || vec![self.seeds; self.features.houses];
        self.game.board(&Setup { houses: [row(), row()], swap_open: self.features.pie, ..Setup::default() })
    }
}

/// Return the repetition rule that ends the games of a batch: a rule that ends a game without a claim, or any if `claims`
/// is true. Raises `ArgumentError` if a rule is implemented in Python.
pub fn read_repetition(rules: &Bound<'_, PyAny>, claims: bool) -> PyResult<Option<RepetitionEnd>> {
    let py = rules.py();
    let draw = py.import("tablemen.draws")?.getattr("Repetition")?;
    let cycle = py.import("tablemen.mancala.rules")?.getattr("Cycle")?;
    // Of two rules with the same limit, one that ends the game without a claim decides, otherwise the first one.
    let mut first: Option<((u32, bool), RepetitionEnd)> = None;
    for rule in rules.getattr("draws")?.try_iter()? {
        let rule = rule?;
        let (class, by_claim) = (rule.get_type(), rule.getattr("by_claim")?.extract::<bool>()?);
        let by_score = class.is(&cycle);
        if by_claim && !claims {
            continue;
        }
        if !by_score && !class.is(&draw) {
            return Err(uncounted_rule(rules, &rule));
        }
        // A limit that does not fit is larger than the number of moves of any game.
        let times = rule.getattr("times")?.extract().unwrap_or(u32::MAX);
        let rank = (times, by_claim);
        if first.is_none_or(|(other, _)| rank < other) {
            first = Some((rank, RepetitionEnd { times, by_score }));
        }
    }
    Ok(first.map(|(_, end)| end))
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
