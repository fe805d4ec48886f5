//! `MancalaPosition`: seeds and the side to move, under the rules of a variant.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use tablemen_core::mancala::{self, Board, Ending, Move, SetupBuilder};
use tablemen_core::search::SCORE_SCALE;
use tablemen_core::side::Side;

use super::mover::MancalaMover;
use super::moves::MancalaMove;
use super::setup::{read_houses, read_stores};
use crate::family::MANCALA;
use crate::int_arg::{self, IntArg, MAX_PERFT_DEPTH};
use crate::interrupt::allow_interrupts;
use crate::python;
use crate::text::{cast_text, notation_error, to_text};

const SIDES: [Side; 2] = [Side::White, Side::Black];

/// Seeds in houses and stores and the side to move, under the rules of a variant: an immutable value.
///
/// Positions are equal if variant, seeds, side to move and `swap_open` are equal.
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

    /// Return the start position of a variant.
    #[classmethod]
    fn start(_cls: &Bound<'_, PyType>, variant: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mover = MancalaMover::of(variant)?;
        let board = mover.get().start();
        Ok(MancalaPosition { mover, board })
    }

    /// Parse a position such as `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south`.
    #[classmethod]
    fn from_text(
        cls: &Bound<'_, PyType>,
        text: &Bound<'_, PyAny>,
        variant: &Bound<'_, PyAny>,
    ) -> PyResult<MancalaPosition> {
        let read = to_text(cast_text(text, "a position as text")?)?;
        let mover = MancalaMover::of(variant)?;
        let name = mover.get().rules(cls.py()).bind(cls.py()).getattr("name")?.str()?;
        let setup = mancala::parse_position(&read, &mover.get().features, &name.to_string_lossy());
        let board = mover.get().board(&setup.map_err(|error| notation_error(text, &error))?);
        Ok(MancalaPosition { mover, board })
    }

    /// Format the position: the number of houses per side, stores, houses, and the side to move.
    fn text(&self) -> String {
        mancala::format_position(&self.board.setup())
    }

    /// Return a copy with other seeds, another side to move or another right to swap sides.
    ///
    /// The houses and the store of a side that is not given stay as they are. Raises `InvalidPositionError`.
    #[pyo3(
        signature = (*, turn = None, houses = None, stores = None, swap_open = None),
        text_signature = "($self, *, turn=None, houses=None, stores=None, swap_open=None)"
    )]
    fn replace(
        &self,
        py: Python<'_>,
        turn: Option<&Bound<'_, PyAny>>,
        houses: Option<&Bound<'_, PyAny>>,
        stores: Option<&Bound<'_, PyAny>>,
        swap_open: Option<bool>,
    ) -> PyResult<Self> {
        let (features, before) = (&self.mover.get().features, self.board.setup());
        let turn = turn.map_or(Ok(before.turn), python::to_side)?;
        let mut builder = SetupBuilder::new(features, turn, swap_open.unwrap_or(before.swap_open));
        let given_houses = houses.map_or(Ok(vec![]), |houses| read_houses(&mut builder, houses))?;
        let given_stores = stores.map_or(Ok(vec![]), |stores| read_stores(&mut builder, stores))?;
        for side in SIDES {
            if !given_houses.contains(&side) {
                let row: Vec<_> = before.houses[side.index()].iter().map(|seeds| i64::from(*seeds)).collect();
                builder.set_houses(side, &row);
            }
            if !given_stores.contains(&side) {
                builder.set_store(side, i64::from(before.stores[side.index()]));
            }
        }
        let invalid = |problems: Vec<String>| python::error(py, "InvalidPositionError", (problems,));
        let board = self.mover.get().board(&builder.build().map_err(invalid)?);
        Ok(MancalaPosition { mover: self.mover.clone_ref(py), board })
    }

    /// Return the mirror image: South has the seeds of North and North those of South, and the other side is to move.
    ///
    /// Its legal moves are those of this position. Raises `TablemenError` if sides can still be swapped, because that is
    /// a right of North only.
    fn mirror(&self, py: Python<'_>) -> PyResult<Self> {
        let problem = "a position in which sides can still be swapped has no mirror image";
        let board = self.board.mirror().ok_or_else(|| python::error(py, "TablemenError", (problem,)))?;
        Ok(MancalaPosition { mover: self.mover.clone_ref(py), board })
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

    /// Whether the second player, at the first turn, can still swap sides.
    #[getter]
    fn swap_open(&self) -> bool {
        self.board.setup().swap_open
    }

    /// The 64-bit hash key, the same in every run. Equal positions have equal keys.
    #[getter]
    fn hash_key(&self) -> u64 {
        self.board.hash_key()
    }

    /// Return the seeds in a side's houses, in sowing order.
    fn houses<'py>(&self, side: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(side.py(), &self.board.setup().houses[python::to_side(side)?.index()])
    }

    /// The seeds in the stores.
    #[getter]
    fn stores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_side(py, self.board.setup().stores)
    }

    /// Return the score of each side: the seeds in its store, and those in its houses if the rules count them.
    fn score<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_side(py, self.board.score())
    }

    /// Return the legal moves, houses in ascending order; none if the game is over.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.mover.get().moves.list(&self.mover, &*self.board, py)
    }

    /// Parse the text of a legal move, the number of a house or `swap`, and return the move.
    fn parse_move<'py>(slf: &Bound<'py, Self>, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let read = to_text(cast_text(text, "a move as text")?)?;
        let parsed = mancala::parse_move(&read, this.mover.get().features.houses);
        let parsed = parsed.map_err(|error| notation_error(text, &error))?;
        let is_parsed =
            |listed: &Bound<'py, PyAny>| listed.cast::<MancalaMove>().is_ok_and(|it| it.get().played == parsed);
        let found = this.legal_moves(py)?.iter().find(is_parsed);
        found.ok_or_else(|| python::error(py, "IllegalMoveError", (text, slf)))
    }

    /// Explain why a move, given as such or as text, is not legal; return None if it is.
    ///
    /// Raises `NotationError` if the text is not a move.
    fn explain_illegal<'py>(slf: &Bound<'py, Self>, r#move: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        MANCALA.explain_illegal(slf, r#move)
    }

    /// Return whether a move is legal.
    fn is_legal(&self, py: Python<'_>, r#move: &Bound<'_, MancalaMove>) -> PyResult<bool> {
        let candidate = r#move.get();
        Ok(MancalaMover::same(&self.mover, &candidate.mover, py)? && self.board.is_legal(candidate.played))
    }

    /// Return the position after a legal move. Raises `IllegalMoveError` if the move is not legal.
    fn play(slf: &Bound<'_, Self>, r#move: &Bound<'_, MancalaMove>) -> PyResult<MancalaPosition> {
        let (py, this) = (slf.py(), slf.get());
        if !this.is_legal(py, r#move)? {
            return Err(python::error(py, "IllegalMoveError", (r#move, slf)));
        }
        Ok(this.after(py, r#move.get().played))
    }

    /// Return the position after a move without checking that the move is legal. The result for an illegal move is
    /// undefined.
    fn play_unchecked(slf: &Bound<'_, Self>, r#move: &Bound<'_, MancalaMove>) -> PyResult<MancalaPosition> {
        let (py, this, played) = (slf.py(), slf.get(), r#move.get());
        // Always check this: an empty house has no last seed, and a move with other rules could be out of range.
        if !MancalaMover::same(&this.mover, &played.mover, py)? || this.is_empty(played.played) {
            return Err(python::error(py, "IllegalMoveError", (r#move, slf)));
        }
        Ok(this.after(py, played.played))
    }

    /// Return the static evaluation for the side to move, in seeds.
    fn evaluate(&self) -> f64 {
        f64::from(self.board.evaluate()) / f64::from(SCORE_SCALE)
    }

    /// Return the outcome, or None if the game is not over. Draws that depend on the history are not detected.
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

    /// Return the number of move sequences of the given length; a move with an extra turn counts as one move.
    #[pyo3(signature = (depth, *, threads = IntArg(1)), text_signature = "($self, depth, *, threads=1)")]
    fn perft(&self, py: Python<'_>, depth: IntArg, threads: IntArg) -> PyResult<u64> {
        let (depth, threads) = (depth.within(py, "depth", 0, MAX_PERFT_DEPTH)?, threads.threads(py)?);
        allow_interrupts(py, |monitor| self.board.perft(depth, threads, &**monitor))
    }

    /// Return the number of move sequences of the given length by their first move.
    #[pyo3(signature = (depth, *, threads = IntArg(1)), text_signature = "($self, depth, *, threads=1)")]
    fn divide<'py>(&self, py: Python<'py>, depth: IntArg, threads: IntArg) -> PyResult<Bound<'py, PyDict>> {
        let (depth, threads) = (depth.within(py, "depth", 1, MAX_PERFT_DEPTH)?, threads.threads(py)?);
        let counts = PyDict::new(py);
        for played in self.legal_moves(py)?.iter() {
            let after = self.board.after(played.cast::<MancalaMove>()?.get().played);
            counts.set_item(&played, allow_interrupts(py, |monitor| after.perft(depth - 1, threads, &**monitor))?)?;
        }
        Ok(counts)
    }

    /// Play `n` random games and return their results and lengths.
    ///
    /// These depend on the seed, but not on the threads. Without a seed, every call plays other games. A game that is
    /// not over after `max_plies` has no winner.
    #[pyo3(
        signature = (n, *, seed = None, threads = IntArg(1), max_plies = IntArg(1000)),
        text_signature = "($self, n, *, seed=None, threads=1, max_plies=1000)"
    )]
    fn random_playouts<'py>(
        &self,
        py: Python<'py>,
        n: IntArg,
        seed: Option<IntArg>,
        threads: IntArg,
        max_plies: IntArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let batch = int_arg::random_games(py, n, seed, threads, max_plies)?;
        python::playouts(py, &allow_interrupts(py, |monitor| self.board.playouts(&batch, &**monitor))?)
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
        MANCALA.diagram(slf)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let variant = slf.get().mover.get().reference(slf.py())?;
        Ok(format!(
            "Position.from_text({}, {})",
            PyString::new(slf.py(), &slf.get().text()).repr()?,
            variant.bind(slf.py()).repr()?
        ))
    }

    /// Draw the position as SVG, with the last move marked if given.
    #[pyo3(
        signature = (*, last_move = None, orientation = None, size = IntArg(600)),
        text_signature = "($self, *, last_move=None, orientation=None, size=600)"
    )]
    fn svg<'py>(
        slf: &Bound<'py, Self>,
        last_move: Option<&Bound<'py, MancalaMove>>,
        orientation: Option<&Bound<'py, PyAny>>,
        size: IntArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = PyDict::new(slf.py());
        options.set_item("last_move", last_move)?;
        if let Some(side) = orientation {
            options.set_item("orientation", side)?;
        }
        options.set_item("size", size.0)?;
        MANCALA.svg(slf, Some(&options))
    }

    /// Draw the position as SVG, for notebooks.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        MANCALA.svg(slf, None)
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
    /// Return the position after a legal move.
    pub fn after(&self, py: Python<'_>, played: Move) -> MancalaPosition {
        MancalaPosition { mover: self.mover.clone_ref(py), board: self.board.after(played) }
    }

    /// Return whether the house of a move has no seeds.
    fn is_empty(&self, played: Move) -> bool {
        let setup = self.board.setup();
        matches!(played, Move::Sow(house) if setup.houses[setup.turn.index()][usize::from(house)] == 0)
    }
}

/// Return a dictionary from sides to values.
fn by_side<'py, T: IntoPyObject<'py>>(py: Python<'py>, values: [T; 2]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (side, value) in SIDES.into_iter().zip(values) {
        dict.set_item(python::side(py, side)?, value)?;
    }
    Ok(dict)
}
