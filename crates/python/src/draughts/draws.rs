//! Draw rules: conversion of the Python dataclasses, and the counters of a game.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use tablemen_core::draughts::{
    self as core, CountChange, DrawEnds, DrawRule, DrawnMaterial, Force, MAX_COUNT, Material, MoveCount, Progress,
    Range, SquareMove, Threat,
};

use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use crate::python;

/// Convert the draw rules of `DraughtsRules`, which have been validated.
pub fn read(rules: &Bound<'_, PyAny>) -> PyResult<Vec<DrawRule>> {
    let reader = Reader::new(rules.py())?;
    rules.getattr("draws")?.try_iter()?.map(|rule| reader.rule(&rule?)).collect()
}

/// The classes of rules that the core can count.
struct Reader<'py> {
    repetition: Bound<'py, PyAny>,
    move_count: Bound<'py, PyAny>,
    drawn_material: Bound<'py, PyAny>,
}

impl<'py> Reader<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        let class = |module: &str, name: &str| py.import(module)?.getattr(name);
        Ok(Reader {
            repetition: class("tablemen.draws", "Repetition")?,
            move_count: class("tablemen.draughts.draws", "MoveCount")?,
            drawn_material: class("tablemen.draughts.draws", "DrawnMaterial")?,
        })
    }

    /// Convert a rule of a rule set. Subclasses, which may count differently, and limits that are too large are
    /// unknown.
    fn rule(&self, rule: &Bound<'py, PyAny>) -> PyResult<DrawRule> {
        let class: Bound<'_, PyType> = rule.get_type();
        if class.is(&self.repetition) {
            // A limit that does not fit is larger than the number of moves of any game.
            Ok(DrawRule::Repetition(rule.getattr("times")?.extract().unwrap_or(u32::MAX)))
        } else if class.is(&self.move_count) && plies(rule)?.is_none() {
            Ok(DrawRule::Unknown)
        } else if class.is(&self.move_count) || class.is(&self.drawn_material) {
            self.any_rule(rule)
        } else {
            Ok(DrawRule::Unknown)
        }
    }

    /// Convert a rule of one of the classes or a subclass; the real limit may be larger.
    fn any_rule(&self, rule: &Bound<'py, PyAny>) -> PyResult<DrawRule> {
        if rule.is_instance(&self.move_count)? {
            Ok(DrawRule::MoveCount(MoveCount {
                plies: plies(rule)?.unwrap_or(MAX_COUNT),
                resets: Progress(rule.getattr("resets")?.getattr("value")?.extract()?),
                within: optional_material(&rule.getattr("within")?)?,
                outside: optional_material(&rule.getattr("outside")?)?,
            }))
        } else {
            let unless = rule.getattr("unless")?.getattr("name")?.extract::<String>()?;
            let unless = match unless.as_str() {
                "NONE" => Threat::None,
                "CAPTURE" => Threat::Capture,
                "FORCED_WIN" => Threat::ForcedWin,
                other => return Err(PyTypeError::new_err(format!("unless has the unknown value {other}"))),
            };
            Ok(DrawRule::DrawnMaterial(DrawnMaterial { material: material(&rule.getattr("material")?)?, unless }))
        }
    }
}

/// Return the limit of a move count, or None if it is too large for the core.
fn plies(rule: &Bound<'_, PyAny>) -> PyResult<Option<u16>> {
    Ok(rule.getattr("plies")?.extract().ok().filter(|plies| *plies <= MAX_COUNT))
}

fn optional_material(object: &Bound<'_, PyAny>) -> PyResult<Option<Material>> {
    if object.is_none() { Ok(None) } else { material(object).map(Some) }
}

fn material(object: &Bound<'_, PyAny>) -> PyResult<Material> {
    let (one, other) = (force(&object.getattr("one")?)?, force(&object.getattr("other")?)?);
    Ok(Material { one, other, total: range(object, "total")? })
}

fn force(object: &Bound<'_, PyAny>) -> PyResult<Force> {
    Ok(Force {
        pieces: range(object, "pieces")?,
        kings: range(object, "kings")?,
        men: range(object, "men")?,
        on_long_diagonal: object.getattr("on_long_diagonal")?.extract()?,
    })
}

/// Convert the range in a field. A limit that does not fit is larger than the number of pieces on any board.
fn range(owner: &Bound<'_, PyAny>, field: &str) -> PyResult<Range> {
    let (min, max): (Bound<'_, PyAny>, Bound<'_, PyAny>) = owner.getattr(field)?.extract()?;
    let number = |number: Bound<'_, PyAny>| number.extract().unwrap_or(u16::MAX);
    Ok(Range { min: number(min), max: number(max) })
}

/// Return the rules that the core counts, in their order: all except repetitions and unknown rules.
pub fn counted<'py>(rules: &Bound<'py, PyAny>, read: &[DrawRule]) -> PyResult<Bound<'py, PyTuple>> {
    let is_counted = |rule: &DrawRule| matches!(rule, DrawRule::MoveCount(_) | DrawRule::DrawnMaterial(_));
    let draws = rules.getattr("draws")?.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    let counted = draws.into_iter().zip(read).filter(|(_, rule)| is_counted(rule)).map(|(rule, _)| rule);
    PyTuple::new(rules.py(), counted.collect::<Vec<_>>())
}

/// Return the draw rules that end the games of a batch: those that end a game without a claim, and the others if
/// `claims` is true. Raises `ArgumentError` if one of them is implemented in Python.
pub fn read_ends(rules: &Bound<'_, PyAny>, claims: bool) -> PyResult<DrawEnds> {
    let (py, mut ends) = (rules.py(), DrawEnds::default());
    let reader = Reader::new(py)?;
    for rule in rules.getattr("draws")?.try_iter()? {
        let rule = rule?;
        let is_included = claims || !rule.getattr("by_claim")?.extract::<bool>()?;
        match reader.rule(&rule)? {
            DrawRule::Repetition(times) if is_included => {
                ends.repetition = Some(ends.repetition.map_or(times, |other| other.min(times)));
            }
            DrawRule::Repetition(_) => {}
            DrawRule::MoveCount(_) | DrawRule::DrawnMaterial(_) => ends.counted.push(is_included),
            DrawRule::Unknown if is_included => return Err(uncounted_rule(rules, &rule)),
            DrawRule::Unknown => {}
        }
    }
    Ok(ends)
}

/// Return the error for rules with a draw rule that a batch cannot count.
pub fn uncounted_rule(rules: &Bound<'_, PyAny>, rule: &Bound<'_, PyAny>) -> PyErr {
    let expected = format!(
        "rules whose draw rules the core counts, but {rule:?} is implemented in Python or has a limit that is too large"
    );
    python::error(rules.py(), "ArgumentError", ("variant", rules, expected))
}

/// The counts of a position's draw rules in a game: an immutable value. Unknown rules and repetitions, which `Game`
/// counts, are not included.
#[pyclass(frozen, module = "tablemen._core", freelist = 64)]
pub struct DrawCounters {
    mover: Py<Mover>,
    counters: core::DrawCounters,
    is_drawn: bool,
}

#[pymethods]
impl DrawCounters {
    /// The counted rules, in the order of the rule set.
    #[getter]
    fn rules(&self, py: Python<'_>) -> Py<PyTuple> {
        self.mover.get().counted_draws.clone_ref(py)
    }

    /// The count of each rule; None if the rule does not apply.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rules = self.mover.get().counted_draws.bind(py).len();
        PyTuple::new(py, self.counters.counts().take(rules).collect::<Vec<_>>())
    }

    /// Whether a count has reached its limit.
    #[getter]
    fn is_drawn(&self) -> bool {
        self.is_drawn
    }

    /// Return the counters after a legal move, given the positions before and after it.
    fn advance(
        &self,
        before: &Bound<'_, Position>,
        r#move: &Bound<'_, Move>,
        after: &Bound<'_, Position>,
    ) -> PyResult<DrawCounters> {
        let (py, played, after) = (before.py(), check_ply(&self.mover, before, r#move, after)?, after.get());
        let counters = before.get().board.advance_counters(&self.counters, played, &*after.board);
        Ok(DrawCounters::new(after, counters, py))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<DrawCounters>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        python::truth(py, self.counters == other.counters && Mover::same(&self.mover, &other.mover, py)?)
    }

    // An immutable value is its own copy.
    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }
}

impl DrawCounters {
    /// Return the counters of a game that starts with a position.
    pub fn new(position: &Position, counters: core::DrawCounters, py: Python<'_>) -> Self {
        DrawCounters { mover: position.mover.clone_ref(py), counters, is_drawn: position.board.is_drawn(&counters) }
    }
}

/// Return the count of one rule, a `MoveCount` or a `DrawnMaterial`, for the first position of a game; None if the rule
/// does not apply. For rules that `DrawCounters` does not count: subclasses, and limits that are too large.
#[pyfunction]
pub fn begin_draw_count(rule: &Bound<'_, PyAny>, position: &Bound<'_, Position>) -> PyResult<Option<u16>> {
    let rule = Reader::new(rule.py())?.any_rule(rule)?;
    Ok(position.get().board.begin_count(&rule))
}

/// Return the count of one rule after a legal move, given the count before it and both positions.
#[pyfunction]
pub fn advance_draw_count<'py>(
    rule: &Bound<'py, PyAny>,
    count: Option<Bound<'py, PyAny>>,
    before: &Bound<'py, Position>,
    r#move: &Bound<'py, Move>,
    after: &Bound<'py, Position>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (py, played) = (rule.py(), check_ply(&before.get().mover, before, r#move, after)?);
    let rule = Reader::new(py)?.any_rule(rule)?;
    let change = before.get().board.count_change(&rule, count.is_some(), played, &*after.get().board);
    match (change, count) {
        (CountChange::Set(count), _) => Ok(Some(count.into_pyobject(py)?.into_any())),
        (CountChange::Increment, Some(count)) => count.add(1).map(Some),
        _ => Ok(None),
    }
}

/// Return the move between two positions; raise an error if their rules differ.
fn check_ply<'a>(
    mover: &Py<Mover>,
    before: &Bound<'_, Position>,
    r#move: &'a Bound<'_, Move>,
    after: &Bound<'_, Position>,
) -> PyResult<&'a SquareMove> {
    let py = before.py();
    for other in [&before.get().mover, &r#move.get().mover, &after.get().mover] {
        if !Mover::same(mover, other, py)? {
            return Err(python::error(py, "TablemenError", ("the positions and the move are of different variants",)));
        }
    }
    Ok(&r#move.get().played)
}
