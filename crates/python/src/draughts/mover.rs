//! `Mover`: the compiled form of a rule set.

use std::sync::Arc;

use pyo3::PyTraverseError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString, PyTuple};
use tablemen_core::arrays::RowError;
use tablemen_core::draughts::notation::{Notation, Squares};
use tablemen_core::draughts::tablebase::{RULES_ID, Tablebase};
use tablemen_core::draughts::{
    ActionEncoding, ArrayFormat, Board, CompiledRules, Criterion, Directions, DraughtsBatch, DrawEnds, DrawRule,
    Evaluator, FeatureRows, KingLanding, NetworkWeights, Promotion, Rules, Setup, Weights, compile,
};
use tablemen_core::envs::{Settings, StartError};
use tablemen_core::side::Side;
use tablemen_core::work::SharedMonitor;

use super::draws;
use super::move_cache::MoveCache;
use crate::family::DRAUGHTS;
use crate::python;
use crate::text::{cast_text, notation_error, to_text};

/// Compiled rules, created by `DraughtsRules.mover` and shared by positions.
#[pyclass(frozen, module = "tablemen._core")]
pub struct Mover {
    rules: Py<PyAny>,
    squares: Py<PyTuple>,
    game: Box<dyn CompiledRules>,
    /// The names of the squares, and the text format of positions and moves.
    pub notation: Notation,
    start: Setup,
    /// The draw rules that the core counts.
    pub counted_draws: Py<PyTuple>,
    knows_draws: bool,
    pub moves: MoveCache,
}

#[pymethods]
impl Mover {
    #[new]
    fn new(rules: &Bound<'_, PyAny>, squares: Bound<'_, PyTuple>) -> PyResult<Self> {
        let read = read_rules(rules)?;
        Ok(Mover {
            counted_draws: draws::counted(rules, &read.draws)?.unbind(),
            knows_draws: !read.draws.contains(&DrawRule::Unknown),
            moves: MoveCache::new(squares.len()),
            notation: read_notation(rules, &squares, read.king_move_limit)?,
            game: compile(read),
            start: read_start(rules, &squares)?,
            rules: rules.clone().unbind(),
            squares: squares.unbind(),
        })
    }

    /// The rules that were compiled.
    #[getter]
    pub fn rules(&self, py: Python<'_>) -> Py<PyAny> {
        self.rules.clone_ref(py)
    }

    /// All squares, row by row from the top left.
    #[getter]
    fn squares(&self, py: Python<'_>) -> Py<PyTuple> {
        self.squares.clone_ref(py)
    }

    /// Whether the core counts all draw rules. It does not count rules implemented in Python, and a search ignores
    /// them.
    #[getter]
    fn knows_draws(&self) -> bool {
        self.knows_draws
    }

    /// Return the squares of a move text, for every possible reading, whether or not a legal move matches.
    fn parse_squares<'py>(&self, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        let py = text.py();
        let readings = self.notation.parse_squares(&to_text(cast_text(text, "a move as text")?)?);
        let readings = readings.map_err(|error| notation_error(text, &error))?;
        let squares = |reading: &Vec<u16>| -> PyResult<_> {
            let squares = reading.iter().map(|index| self.square(py, usize::from(*index)));
            PyTuple::new(py, squares.collect::<PyResult<Vec<_>>>()?)
        };
        PyTuple::new(py, readings.iter().map(squares).collect::<PyResult<Vec<_>>>()?)
    }

    // The rules and the compiled rules refer to each other.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.rules)?;
        visit.call(&self.squares)?;
        visit.call(&self.counted_draws)?;
        self.moves.traverse(&visit)
    }

    fn __clear__(&self) {
        self.moves.clear();
    }
}

impl Mover {
    /// Return the compiled rules of a variant, given as rules, a name or a GameType.
    pub fn of(variant: &Bound<'_, PyAny>) -> PyResult<Py<Mover>> {
        if let Some(Ok(mover)) = variant.getattr_opt("mover")?.map(|mover| mover.cast_into::<Mover>()) {
            return Ok(mover.unbind());
        }
        let rules = DRAUGHTS.find_variant(variant)?;
        Ok(rules.getattr("mover")?.cast_into::<Mover>()?.unbind())
    }

    /// Return the name of the rules if they are a known variant, otherwise the rules themselves.
    pub fn reference(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        DRAUGHTS.reference(py, &self.rules)
    }

    /// Return whether two movers have equal rules.
    pub fn same(a: &Py<Mover>, b: &Py<Mover>, py: Python<'_>) -> PyResult<bool> {
        if a.is(b) {
            return Ok(true);
        }
        a.get().rules.bind(py).eq(b.get().rules.bind(py))
    }

    /// Return the square with this index.
    pub fn square<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        self.squares.bind(py).get_item(index)
    }

    /// Return the index of a square given by number or name. Raises `TablemenError` if the board has no such square.
    pub fn index(&self, square: &Bound<'_, PyAny>) -> PyResult<usize> {
        let unknown = || python::error(square.py(), "TablemenError", (self.no_square(square),));
        self.find(square)?.ok_or_else(unknown)
    }

    /// Return the indices of squares given by number or name.
    pub fn indices(&self, squares: &Bound<'_, PyAny>) -> PyResult<Vec<u16>> {
        refuse_text(squares)?;
        squares.try_iter()?.map(|square| Ok(self.index(&square?)? as u16)).collect()
    }

    /// Return the index of a square given by number or name, or None if the board has no such square.
    pub fn find(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let squares = self.notation.squares();
        if square.is_instance_of::<PyInt>() && !square.is_instance_of::<PyBool>() {
            Ok(square.extract().ok().and_then(|number| squares.find_number(number)).map(usize::from))
        } else if let Ok(name) = square.cast::<PyString>() {
            let name = name.to_str()?.trim().to_lowercase();
            let number = || name.parse().ok().and_then(|number| squares.find_number(number));
            Ok(squares.find(&name).or_else(number).map(usize::from))
        } else {
            Err(PyTypeError::new_err(format!("expected a square, not {square:?}")))
        }
    }

    /// Return the error message for a square that is not on the board.
    pub fn no_square(&self, square: &Bound<'_, PyAny>) -> String {
        let text = square.to_string();
        // Quote a blank text, which would be invisible.
        let shown = if text.trim().is_empty() { format!("{text:?}") } else { text };
        format!("no square {shown} on the board of {}", self.rules.bind(square.py()))
    }

    /// Return the error for a board that has no mirror image.
    pub fn no_mirror(&self, py: Python<'_>) -> PyErr {
        let rules = self.rules.bind(py);
        let problem = format!("the board of {rules} has no mirror image: half a turn swaps the colours of squares");
        python::error(py, "TablemenError", (problem,))
    }

    /// Return the side that moves first.
    pub fn first(&self) -> Side {
        self.start.turn
    }

    /// Return the rules in the form of the core.
    pub fn core_rules(&self) -> &Rules {
        self.game.rules()
    }

    /// Create a position under these rules.
    pub fn board(&self, setup: &Setup) -> Box<dyn Board> {
        self.game.board(setup)
    }

    /// Create the position of a row of an array; `turn` is the side to move if the format does not have it.
    pub fn read_row(&self, format: &ArrayFormat, row: &[u8], turn: Side) -> Result<Box<dyn Board>, RowError> {
        self.game.read_row(format, row, turn)
    }

    /// Compile the weights. The error says why they do not fit the board.
    pub fn evaluation(&self, weights: &Weights) -> Result<Arc<dyn Evaluator>, String> {
        self.game.evaluation(weights)
    }

    /// Compile a network. The error says why its weights do not fit the board.
    pub fn network(&self, weights: &NetworkWeights) -> Result<Arc<dyn Evaluator>, String> {
        self.game.network(weights)
    }

    /// Create a batch of games that begin with positions under these rules.
    pub fn batch(
        &self,
        encoding: ActionEncoding,
        ends: &DrawEnds,
        starts: &[&dyn Board],
        settings: Settings,
        monitor: &SharedMonitor,
    ) -> Result<Box<dyn DraughtsBatch>, StartError> {
        self.game.batch(encoding, ends, starts, settings, monitor)
    }

    /// Return an empty tablebase. The error says why the rules are not supported.
    pub fn tablebase(&self, id: [u8; RULES_ID]) -> Result<Arc<dyn Tablebase>, &'static str> {
        self.game.tablebase(id)
    }

    /// Return the features of packed positions. The error is the index of the first invalid one.
    pub fn feature_rows(&self, evaluator: &dyn Evaluator, packed: &[u8]) -> Result<FeatureRows, usize> {
        self.game.feature_rows(evaluator, packed)
    }

    /// Create the start position.
    pub fn start(&self) -> Box<dyn Board> {
        self.game.board(&self.start)
    }
}

/// Raise `TypeError` for a `str`, which would be iterated character by character.
pub fn refuse_text(squares: &Bound<'_, PyAny>) -> PyResult<()> {
    if squares.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("expected squares, not the text {squares:?}")));
    }
    Ok(())
}

/// Convert the names of the squares and the capture separator.
fn read_notation(rules: &Bound<'_, PyAny>, squares: &Bound<'_, PyTuple>, king_move_limit: u8) -> PyResult<Notation> {
    let square = |square: Bound<'_, PyAny>| Ok((square.extract()?, square.getattr("name")?.extract()?));
    let squares = Squares::new(squares.iter().map(square).collect::<PyResult<Vec<_>>>()?);
    let name = rules.getattr("name")?;
    let name = to_text(name.cast::<PyString>()?)?.into_owned();
    Ok(Notation::new(name, squares, rules.getattr("capture_separator")?.extract()?, king_move_limit))
}

/// Return the start position of the rules.
fn read_start(rules: &Bound<'_, PyAny>, squares: &Bound<'_, PyTuple>) -> PyResult<Setup> {
    let number = |name: &str| -> PyResult<usize> { rules.getattr(name)?.extract() };
    let (rows, gap, filled) = (number("rows")?, number("start_gap")?, number("start_rows")?);
    let mut setup = Setup { turn: python::to_side(&rules.getattr("first")?)?, ..Setup::default() };
    for (index, square) in squares.iter().enumerate() {
        let row: usize = square.getattr("row")?.extract()?;
        for (side, from_own_edge) in [(Side::White, rows - 1 - row), (Side::Black, row)] {
            if (gap..gap + filled).contains(&from_own_edge) {
                setup.men[side.index()].push(index);
            }
        }
    }
    Ok(setup)
}

/// Convert the fields of `DraughtsRules` that the core needs.
fn read_rules(rules: &Bound<'_, PyAny>) -> PyResult<Rules> {
    let number = |name: &str| -> PyResult<usize> { rules.getattr(name)?.extract() };
    let truth = |name: &str| -> PyResult<bool> { rules.getattr(name)?.extract() };
    let directions =
        |name: &str| -> PyResult<Directions> { Ok(Directions(rules.getattr(name)?.getattr("value")?.extract()?)) };
    let choice = |name: &str| -> PyResult<String> { rules.getattr(name)?.getattr("name")?.extract() };
    let precedence = rules.getattr("precedence")?.try_iter()?.map(|criterion| read_criterion(&criterion?));
    Ok(Rules {
        columns: number("columns")?,
        rows: number("rows")?,
        all_squares: choice("playable")? == "ALL",
        corner_playable: truth("corner_playable")?,
        man_moves: directions("man_moves")?,
        man_captures: directions("man_captures")?,
        men_capture_kings: truth("men_capture_kings")?,
        promotion: match choice("promotion")?.as_str() {
            "AT_END" => Promotion::AtEnd,
            "STOPS" => Promotion::Stops,
            "IN_FLIGHT" => Promotion::InFlight,
            other => return Err(unknown("promotion", other)),
        },
        flying_kings: truth("flying_kings")?,
        king_moves: directions("king_moves")?,
        king_captures: directions("king_captures")?,
        king_landing: match choice("king_landing")?.as_str() {
            "ANY" => KingLanding::Any,
            "BEHIND_EACH" => KingLanding::BehindEach,
            "BEHIND_LAST" => KingLanding::BehindLast,
            "BEHIND_LAST_KING" => KingLanding::BehindLastKing,
            other => return Err(unknown("king_landing", other)),
        },
        king_move_limit: rules.getattr("king_move_limit")?.extract()?,
        capture_compulsory: truth("capture_compulsory")?,
        precedence: precedence.collect::<PyResult<_>>()?,
        removal_at_once: choice("removal")? == "AT_ONCE",
        reverse_captures: truth("reverse_captures")?,
        losing: truth("losing")?,
        breakthrough: truth("breakthrough")?,
        lone_piece_loses: truth("lone_piece_loses")?,
        lone_man_loses_to_king: truth("lone_man_loses_to_king")?,
        draws: draws::read(rules)?,
    })
}

fn read_criterion(criterion: &Bound<'_, PyAny>) -> PyResult<Criterion> {
    if let Some(man) = criterion.getattr_opt("man")? {
        return Ok(Criterion::MostValue { man: man.extract()?, king: criterion.getattr("king")?.extract()? });
    }
    match criterion.getattr("name")?.extract::<String>()?.as_str() {
        "MOST_PIECES" => Ok(Criterion::MostPieces),
        "MOST_KINGS" => Ok(Criterion::MostKings),
        "WITH_KING" => Ok(Criterion::WithKing),
        "KINGS_FIRST" => Ok(Criterion::KingsFirst),
        other => Err(unknown("precedence", other)),
    }
}

fn unknown(field: &str, value: &str) -> PyErr {
    PyTypeError::new_err(format!("{field} has the unknown value {value}"))
}
