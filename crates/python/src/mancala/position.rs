//! `MancalaPosition`: seeds and the side to move, under the rules of a variant.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use tablemen_core::mancala::{self, Board, Ending, Move, SetupBuilder};
use tablemen_core::search::HUNDREDTHS;
use tablemen_core::side::Side;

use super::mover::MancalaMover;
use super::moves::MancalaMove;
use super::notation::{notation_error, read_text};
use super::setup::{read_houses, read_stores};
use crate::patience::patiently;
use crate::python;
use crate::whole::{self, DEEPEST, Whole};

const SIDES: [Side; 2] = [Side::White, Side::Black];

/// Seeds in houses and stores and the side to move, under the rules of a variant: a frozen value.
///
/// Positions are equal when variant, seeds and side to move are, and whether the second player may still swap sides.
#[pyclass(frozen, module = "tablemen._core", freelist = 64)]
pub struct MancalaPosition {
    pub mover: Py<MancalaMover>,
    pub board: Box<dyn Board>,
}

#[pymethods]
impl MancalaPosition {
    #[new]
    #[pyo3(
        signature = (variant, turn, *, houses, stores = None, swap_open = false),
        text_signature = "(variant, turn, *, houses, stores=None, swap_open=False)"
    )]
    fn new(
        variant: &Bound<'_, PyAny>,
        turn: &Bound<'_, PyAny>,
        houses: &Bound<'_, PyAny>,
        stores: Option<&Bound<'_, PyAny>>,
        swap_open: bool,
    ) -> PyResult<Self> {
        let mover = MancalaMover::of(variant)?;
        let mut builder = SetupBuilder::new(&mover.get().features, python::to_side(turn)?, swap_open);
        read_houses(&mut builder, houses)?;
        if let Some(stores) = stores {
            read_stores(&mut builder, stores)?;
        }
        let invalid = |problems: Vec<String>| python::error(variant.py(), "InvalidPositionError", (problems,));
        let board = mover.get().board(&builder.build().map_err(invalid)?);
        Ok(MancalaPosition { mover, board })
    }

    /// The position that games of the variant begin with.
    #[classmethod]
    fn start(_cls: &Bound<'_, PyType>, variant: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mover = MancalaMover::of(variant)?;
        let board = mover.get().start();
        Ok(MancalaPosition { mover, board })
    }

    /// The position that a text describes, such as `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south`.
    #[classmethod]
    fn from_text(
        cls: &Bound<'_, PyType>,
        text: &Bound<'_, PyAny>,
        variant: &Bound<'_, PyAny>,
    ) -> PyResult<MancalaPosition> {
        let read = read_text(text, "a position")?;
        let mover = MancalaMover::of(variant)?;
        let name = mover.get().rules(cls.py()).bind(cls.py()).getattr("name")?.str()?;
        let setup = mancala::parse_position(&read, &mover.get().features, &name.to_string_lossy());
        let board = mover.get().board(&setup.map_err(|error| notation_error(error, &read, text))?);
        Ok(MancalaPosition { mover, board })
    }

    /// The position as text: houses a side, stores, houses, and the side to move.
    fn text(&self) -> String {
        mancala::format_position(&self.board.setup())
    }

    /// The rules of the variant.
    #[getter]
    fn variant(&self, py: Python<'_>) -> Py<PyAny> {
        self.mover.get().rules(py)
    }

    /// The side to move.
    #[getter]
    fn turn(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        python::side(py, self.board.turn())
    }

    /// Whether the second player may still swap sides, at its first turn.
    #[getter]
    fn swap_open(&self) -> bool {
        self.board.setup().swap_open
    }

    /// A 64-bit number that equal positions share and others of the same variant hardly ever do; the same in every run.
    #[getter]
    fn hash_key(&self) -> u64 {
        self.board.hash_key()
    }

    /// The seeds in a side's houses, in the order in which it sows them.
    fn houses<'py>(&self, side: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(side.py(), &self.board.setup().houses[python::to_side(side)?.index()])
    }

    /// The seeds in the stores.
    #[getter]
    fn stores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_side(py, self.board.setup().stores)
    }

    /// What each side has: the seeds in its store, and those in its houses where the rules count them.
    fn score<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_side(py, self.board.score())
    }

    /// Every legal move, houses in ascending order; none when the game is over.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.mover.get().known.list(&self.mover, &*self.board, py)
    }

    /// The legal move that a text means: the number of a house, or `swap`.
    fn parse_move<'py>(slf: &Bound<'py, Self>, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let read = read_text(text, "a move")?;
        let parsed = mancala::parse_move(&read, this.mover.get().features.houses);
        let parsed = parsed.map_err(|error| notation_error(error, &read, text))?;
        let is_parsed =
            |listed: &Bound<'py, PyAny>| listed.cast::<MancalaMove>().is_ok_and(|it| it.get().played == parsed);
        let found = this.legal_moves(py)?.iter().find(is_parsed);
        found.ok_or_else(|| python::error(py, "IllegalMoveError", (text, slf)))
    }

    /// Whether the move is legal here.
    fn is_legal(&self, py: Python<'_>, r#move: &Bound<'_, MancalaMove>) -> PyResult<bool> {
        let candidate = r#move.get();
        Ok(MancalaMover::same(&self.mover, &candidate.mover, py)? && self.board.is_legal(candidate.played))
    }

    /// The position after a legal move; any other raises `IllegalMoveError`.
    fn play(slf: &Bound<'_, Self>, r#move: &Bound<'_, MancalaMove>) -> PyResult<MancalaPosition> {
        let (py, this) = (slf.py(), slf.get());
        if !this.is_legal(py, r#move)? {
            return Err(python::error(py, "IllegalMoveError", (r#move, slf)));
        }
        Ok(this.after(py, r#move.get().played))
    }

    /// The position after a move of this very position, taken on trust; another move gives nonsense.
    fn play_unchecked(slf: &Bound<'_, Self>, r#move: &Bound<'_, MancalaMove>) -> PyResult<MancalaPosition> {
        let (py, this, played) = (slf.py(), slf.get(), r#move.get());
        // An empty house has no last seed, and other rules may have other houses: that much is looked at always.
        if !MancalaMover::same(&this.mover, &played.mover, py)? || this.is_empty(played.played) {
            return Err(python::error(py, "IllegalMoveError", (r#move, slf)));
        }
        Ok(this.after(py, played.played))
    }

    /// What the position seems to be worth to the side to move at first sight, in seeds.
    fn evaluate(&self) -> f64 {
        f64::from(self.board.evaluate()) / f64::from(HUNDREDTHS)
    }

    /// How the game ended, or None while it goes on. An end that needs the past is not seen here.
    fn outcome(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let outcome = |(winner, ending)| {
            let termination = match ending {
                Ending::NoSeeds => "NO_SEEDS",
                Ending::NoMove => "NO_MOVE",
                Ending::Majority => "MAJORITY",
            };
            python::outcome(py, winner, termination)
        };
        self.board.ending().map(outcome).transpose()
    }

    /// The number of move sequences of the given length; a move that brings an extra turn is one.
    #[pyo3(signature = (depth, *, threads = Whole(1)), text_signature = "($self, depth, *, threads=1)")]
    fn perft(&self, py: Python<'_>, depth: Whole, threads: Whole) -> PyResult<u64> {
        let (depth, threads) = (depth.within(py, "depth", 0, DEEPEST)?, threads.threads(py)?);
        patiently(py, |go_on| self.board.perft(depth, threads, go_on))
    }

    /// The number of move sequences of the given length that begin with each legal move.
    #[pyo3(signature = (depth, *, threads = Whole(1)), text_signature = "($self, depth, *, threads=1)")]
    fn divide<'py>(&self, py: Python<'py>, depth: Whole, threads: Whole) -> PyResult<Bound<'py, PyDict>> {
        let (depth, threads) = (depth.within(py, "depth", 1, DEEPEST)?, threads.threads(py)?);
        let counts = PyDict::new(py);
        for played in self.legal_moves(py)?.iter() {
            let after = self.board.after(played.cast::<MancalaMove>()?.get().played);
            counts.set_item(&played, patiently(py, |go_on| after.perft(depth - 1, threads, go_on))?)?;
        }
        Ok(counts)
    }

    /// Results and lengths of `n` random games from here; the same seed gives the same games, on any number of threads.
    #[pyo3(
        signature = (n, *, seed, threads = Whole(1), longest = Whole(1000)),
        text_signature = "($self, n, *, seed, threads=1, longest=1000)"
    )]
    fn random_playouts<'py>(
        &self,
        py: Python<'py>,
        n: Whole,
        seed: Whole,
        threads: Whole,
        longest: Whole,
    ) -> PyResult<Bound<'py, PyAny>> {
        let series = whole::series(py, n, seed, threads, longest)?;
        python::playouts(py, &patiently(py, |go_on| self.board.playouts(&series, go_on))?)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<MancalaPosition>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        python::truth(py, self.board.equals(&*other.board) && MancalaMover::same(&self.mover, &other.mover, py)?)
    }

    fn __hash__(&self) -> u64 {
        self.board.hash_key()
    }

    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        python::call(slf.py(), "tablemen.mancala.diagram", "draw", (slf,))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let variant = slf.get().mover.get().reference(slf.py())?;
        Ok(format!(
            "Position.from_text({}, {})",
            PyString::new(slf.py(), &slf.get().text()).repr()?,
            variant.bind(slf.py()).repr()?
        ))
    }

    /// The position as an SVG picture; the last move is marked where it is given.
    #[pyo3(
        signature = (*, last_move = None, orientation = None, size = Whole(600)),
        text_signature = "($self, *, last_move=None, orientation=..., size=600)"
    )]
    fn svg<'py>(
        slf: &Bound<'py, Self>,
        last_move: Option<&Bound<'py, MancalaMove>>,
        orientation: Option<&Bound<'py, PyAny>>,
        size: Whole,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = PyDict::new(slf.py());
        options.set_item("last_move", last_move)?;
        if let Some(side) = orientation {
            options.set_item("orientation", side)?;
        }
        options.set_item("size", size.0)?;
        slf.py().import("tablemen.mancala.svg")?.getattr("draw")?.call((slf,), Some(&options))
    }

    /// The position as a picture, for notebooks.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        python::call(slf.py(), "tablemen.mancala.svg", "draw", (slf,))
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let setup = self.board.setup();
        let options = PyDict::new(py);
        options.set_item("houses", by_side(py, setup.houses)?)?;
        options.set_item("stores", by_side(py, setup.stores)?)?;
        options.set_item("swap_open", setup.swap_open)?;
        Ok(((self.mover.get().reference(py)?, self.turn(py)?).into_pyobject(py)?, options))
    }
}

impl MancalaPosition {
    /// The position after a legal move.
    pub fn after(&self, py: Python<'_>, played: Move) -> MancalaPosition {
        MancalaPosition { mover: self.mover.clone_ref(py), board: self.board.after(played) }
    }

    /// Whether the move is that of a house without seeds.
    fn is_empty(&self, played: Move) -> bool {
        let setup = self.board.setup();
        matches!(played, Move::Sow(house) if setup.houses[setup.turn.index()][usize::from(house)] == 0)
    }
}

/// What each side has, by side.
fn by_side<'py, T: IntoPyObject<'py>>(py: Python<'py>, values: [T; 2]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (side, value) in SIDES.into_iter().zip(values) {
        dict.set_item(python::side(py, side)?, value)?;
    }
    Ok(dict)
}
