//! `Position`: pieces and the side to move, under the rules of a variant.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use tablemen_core::draughts::notation::{MoveError, is_ambiguous};
use tablemen_core::draughts::{Board, Ending, SquareMove};
use tablemen_core::side::Side;

use super::draws::DrawCounters;
use super::letters;
use super::mover::Mover;
use super::moves::{AmbiguousPairs, Move};
use super::setup::SetupReader;
use crate::family::DRAUGHTS;
use crate::int_arg::{self, IntArg, MAX_PERFT_DEPTH};
use crate::interrupt::{allow_interrupts, detach_if_long};
use crate::python;
use crate::text::{cast_text, notation_error, to_text};

/// Pieces and the side to move, under the rules of a variant: an immutable value.
///
/// Positions are equal if variant, pieces, side to move and, if the rules limit them, the kings' quiet moves are equal.
#[pyclass(frozen, module = "tablemen._core", freelist = 64)]
pub struct Position {
    pub mover: Py<Mover>,
    pub board: Box<dyn Board>,
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(
        signature = (variant, turn, *, white_men = None, white_kings = None, black_men = None, black_kings = None, king_runs = None),
        text_signature = "(variant, turn, *, white_men=(), white_kings=(), black_men=(), black_kings=(), king_runs=None)"
    )]
    fn new(
        variant: &Bound<'_, PyAny>,
        turn: &Bound<'_, PyAny>,
        white_men: Option<&Bound<'_, PyAny>>,
        white_kings: Option<&Bound<'_, PyAny>>,
        black_men: Option<&Bound<'_, PyAny>>,
        black_kings: Option<&Bound<'_, PyAny>>,
        king_runs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mover = Mover::of(variant)?;
        let mut reader = SetupReader::new(mover.get(), python::to_side(turn)?);
        for (side, is_king, squares) in [
            (Side::White, false, white_men),
            (Side::White, true, white_kings),
            (Side::Black, false, black_men),
            (Side::Black, true, black_kings),
        ] {
            if let Some(squares) = squares {
                reader.place(side, is_king, squares)?;
            }
        }
        if let Some(runs) = king_runs {
            reader.read_runs(runs)?;
        }
        let setup = reader.finish(variant.py())?;
        let board = mover.get().board(&setup);
        Ok(Position { mover, board })
    }

    /// Return the start position of a variant.
    #[classmethod]
    fn start(_cls: &Bound<'_, PyType>, variant: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mover = Mover::of(variant)?;
        let board = mover.get().start();
        Ok(Position { mover, board })
    }

    /// Parse a FEN with the variant's square names. Raises `NotationError` if the text is not a FEN for this board.
    #[classmethod]
    fn from_fen(_cls: &Bound<'_, PyType>, text: &Bound<'_, PyAny>, variant: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mover = Mover::of(variant)?;
        let setup = mover.get().notation.parse_fen(&to_text(cast_text(text, "a FEN")?)?);
        let board = mover.get().board(&setup.map_err(|error| notation_error(text, &error))?);
        Ok(Position { mover, board })
    }

    /// Parse a string with one letter per square, row by row from the top left: `w b` men, `W B` kings, `.` empty.
    #[classmethod]
    fn from_letters(
        _cls: &Bound<'_, PyType>,
        letters: &str,
        variant: &Bound<'_, PyAny>,
        turn: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let mover = Mover::of(variant)?;
        let setup = letters::parse(letters, mover.get().notation.squares().count(), python::to_side(turn)?);
        let setup = setup.map_err(|error| notation_error(&PyString::new(variant.py(), letters), &error))?;
        let board = mover.get().board(&setup);
        Ok(Position { mover, board })
    }

    /// Return one letter per square, row by row from the top left: `w b` men, `W B` kings, `.` empty.
    fn letters(&self) -> String {
        letters::format(&self.board.setup(), self.mover.get().notation.squares().count())
    }

    /// Return the FEN of the position in its normal form, with the variant's square names.
    fn fen(&self) -> String {
        self.mover.get().notation.format_fen(&self.board.setup())
    }

    /// Return the position as text: its FEN. Positions of all families have this method.
    fn text(&self) -> String {
        self.fen()
    }

    /// Return a copy with other pieces, another side to move or other quiet moves of kings.
    ///
    /// `pieces` maps squares to a `Piece`, or to None for an empty square; the other squares stay as they are.
    /// `king_runs` replaces all runs; without it, those of the kings that stay are kept. Raises `InvalidPositionError`.
    #[pyo3(
        signature = (*, turn = None, pieces = None, king_runs = None),
        text_signature = "($self, *, turn=None, pieces=None, king_runs=None)"
    )]
    fn replace(
        &self,
        py: Python<'_>,
        turn: Option<&Bound<'_, PyAny>>,
        pieces: Option<&Bound<'_, PyAny>>,
        king_runs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let turn = turn.map_or(Ok(self.board.turn()), python::to_side)?;
        let mut reader = SetupReader::from_setup(self.mover.get(), self.board.setup(), turn);
        if let Some(pieces) = pieces {
            reader.change_pieces(pieces)?;
        }
        if let Some(runs) = king_runs {
            reader.clear_runs();
            reader.read_runs(runs)?;
        }
        let board = self.mover.get().board(&reader.finish(py)?);
        Ok(Position { mover: self.mover.clone_ref(py), board })
    }

    /// Return the mirror image: the board turned by half a turn, with the colours of pieces and side to move swapped.
    ///
    /// Its legal moves are the mirror images of those of this position. Raises `TablemenError` if the board has none: it
    /// uses squares of one colour, and the number of rows or of columns, but not of both, is odd.
    fn mirror(&self, py: Python<'_>) -> PyResult<Self> {
        let board = self.board.mirror().ok_or_else(|| self.mover.get().no_mirror(py))?;
        Ok(Position { mover: self.mover.clone_ref(py), board })
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

    /// By side, the king that has made consecutive quiet moves and their number, if the rules limit them.
    #[getter]
    fn king_runs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let runs = PyDict::new(py);
        for (side, run) in [Side::White, Side::Black].into_iter().zip(self.board.setup().runs) {
            if let Some((square, moves)) = run {
                runs.set_item(python::side(py, side)?, (self.mover.get().square(py, square)?, moves))?;
            }
        }
        Ok(runs)
    }

    /// The 64-bit hash key, the same in every run. Equal positions have equal keys.
    #[getter]
    fn hash_key(&self) -> u64 {
        self.board.hash_key()
    }

    /// Return the piece on a square, or None if the square is empty.
    fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
        let piece = self.board.piece_at(self.mover.get().index(square)?);
        piece.map(|(side, is_king)| python::piece(square.py(), side, is_king)).transpose()
    }

    /// Return the pieces by square, in ascending order of the squares.
    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (mover, setup) = (self.mover.get(), self.board.setup());
        let mut squares: Vec<_> = setup.men.into_iter().chain(setup.kings).flatten().collect();
        squares.sort_unstable_by_key(|square| mover.notation.squares().number(*square as u16));
        let pieces = PyDict::new(py);
        for square in squares {
            let piece = self.board.piece_at(square);
            let piece = piece.map(|(side, is_king)| python::piece(py, side, is_king)).transpose()?;
            pieces.set_item(mover.square(py, square)?, piece)?;
        }
        Ok(pieces)
    }

    /// Return the squares of a side's men or kings, in ascending order.
    fn squares<'py>(&self, side: &Bound<'py, PyAny>, kind: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        self.squares_of(side.py(), python::to_side(side)?, python::to_is_king(kind)?)
    }

    /// Return the legal moves. Captures that differ only in their path are one move, unless `paths` is true.
    #[pyo3(signature = (*, paths = false))]
    fn legal_moves<'py>(slf: &Bound<'py, Self>, paths: bool) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let moves = detach_if_long(py, |monitor| this.board.legal_moves(paths, monitor))?;
        if !paths {
            return this.mover.get().moves.list(slf, moves);
        }
        let pairs = AmbiguousPairs::new(&moves);
        let wrap = |played: SquareMove| {
            let ambiguous = pairs.contains(&played);
            Bound::new(py, Move { mover: this.mover.clone_ref(py), played, ambiguous, origin: None })
        };
        PyTuple::new(py, moves.into_iter().map(wrap).collect::<PyResult<Vec<_>>>()?)
    }

    /// Return the legal moves that start on the first square, end on the last, and pass those between.
    fn find_moves<'py>(slf: &Bound<'py, Self>, squares: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (squares.py(), slf.get());
        let squares = this.mover.get().indices(squares)?;
        if squares.len() < 2 {
            return Err(python::error(py, "TablemenError", ("a move needs at least two squares",)));
        }
        let legal = detach_if_long(py, |monitor| this.board.legal_moves(false, monitor))?;
        let found = this.board.match_moves(&legal, &squares);
        let ambiguous = found.first().is_some_and(|index| is_ambiguous(&legal[*index], &legal));
        let wrap = |index: usize| this.mover.get().moves.get(slf, legal[index].clone(), ambiguous);
        PyTuple::new(py, found.into_iter().map(wrap).collect::<PyResult<Vec<_>>>()?)
    }

    /// Parse the text of a legal move, in any common form, and return the move.
    ///
    /// Raises `NotationError` if the text is not a move, `IllegalMoveError` if no legal move matches, and
    /// `AmbiguousMoveError`, with the candidates, if several do.
    fn parse_move(slf: &Bound<'_, Self>, text: &Bound<'_, PyAny>) -> PyResult<Py<Move>> {
        let (py, this) = (slf.py(), slf.get());
        let (text_of_move, mover) = (to_text(cast_text(text, "a move as text")?)?, this.mover.get());
        let parsed =
            detach_if_long(py, |monitor| match mover.notation.parse_move(&text_of_move, &*this.board, monitor) {
                Err(MoveError::Stopped) => None,
                parsed => Some(parsed),
            })?;
        Err(match parsed {
            Ok((played, ambiguous)) => return this.mover.get().moves.get(slf, played, ambiguous),
            Err(MoveError::Notation(error)) => notation_error(text, &error),
            Err(MoveError::Stopped) => unreachable!("cancelled work is converted above"),
            Err(MoveError::Illegal) => python::error(py, "IllegalMoveError", (text, slf)),
            Err(MoveError::Ambiguous { problem, candidates }) => {
                let wrap = |(played, ambiguous)| this.mover.get().moves.get(slf, played, ambiguous);
                let candidates = candidates.into_iter().map(wrap).collect::<PyResult<Vec<_>>>()?;
                python::error_at(py, "AmbiguousMoveError", (problem, text, candidates), (1, 1))
            }
        })
    }

    /// Return whether the move is legal; the path of a capture does not matter.
    #[pyo3(name = "is_legal")]
    fn is_legal_move(&self, py: Python<'_>, r#move: &Bound<'_, Move>) -> PyResult<bool> {
        let candidate = r#move.get();
        if !Mover::same(&self.mover, &candidate.mover, py)? {
            return Ok(false);
        }
        Ok(self.lists(candidate) || detach_if_long(py, |monitor| self.board.is_legal(&candidate.played, monitor))?)
    }

    /// Explain why a move, given as such or as text, is not legal; return None if it is.
    ///
    /// Raises `NotationError` if the text is not a move.
    fn explain_illegal<'py>(slf: &Bound<'py, Self>, r#move: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        DRAUGHTS.explain_illegal(slf, r#move)
    }

    /// Return the legal move that equals the given one, with its path if that is legal, and otherwise with the path that
    /// `legal_moves` gives it. Raises `IllegalMoveError` if there is none.
    fn listed(slf: &Bound<'_, Self>, r#move: &Bound<'_, Move>) -> PyResult<Py<Move>> {
        let (py, this, candidate) = (slf.py(), slf.get(), r#move.get());
        if this.lists(candidate) {
            return Ok(r#move.clone().unbind());
        }
        let listed = if Mover::same(&this.mover, &candidate.mover, py)? {
            detach_if_long(py, |monitor| this.board.find_listed(&candidate.played, monitor))?
        } else {
            None
        };
        let Some((played, ambiguous)) = listed else {
            return Err(python::error(py, "IllegalMoveError", (r#move, slf)));
        };
        let is_quiet = played.jumps.is_empty() && ambiguous == candidate.ambiguous;
        if is_quiet && this.mover.is(&candidate.mover) {
            return Ok(r#move.clone().unbind());
        }
        this.mover.get().moves.get(slf, played, ambiguous)
    }

    /// Return the draw counters of a game that starts with this position.
    fn draw_counters(&self, py: Python<'_>) -> DrawCounters {
        DrawCounters::new(self, self.board.begin_counters(), py)
    }

    /// Return the position after a legal move. Raises `IllegalMoveError` if the move is not legal.
    fn play(slf: &Bound<'_, Self>, r#move: &Bound<'_, Move>) -> PyResult<Position> {
        let (py, this) = (slf.py(), slf.get());
        if !this.is_legal_move(py, r#move)? {
            return Err(python::error(py, "IllegalMoveError", (r#move, slf)));
        }
        Ok(this.after(py, &r#move.get().played))
    }

    /// Return the position after a move without checking that the move is legal.
    fn play_unchecked(slf: &Bound<'_, Self>, r#move: &Bound<'_, Move>) -> PyResult<Position> {
        let (py, this) = (slf.py(), slf.get());
        // The move could have squares that are not on this board.
        if !Mover::same(&this.mover, &r#move.get().mover, py)? {
            return Err(python::error(py, "IllegalMoveError", (r#move, slf)));
        }
        Ok(this.after(py, &r#move.get().played))
    }

    /// Return the outcome, or None if the game is not over. Draws that depend on the history are not detected.
    fn outcome(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let outcome = |(winner, ending)| {
            let termination = match ending {
                Ending::NoPieces => "NO_PIECES",
                Ending::NoMove => "NO_MOVE",
                Ending::Breakthrough => "BREAKTHROUGH",
                Ending::LonePiece => "LONE_PIECE",
            };
            python::outcome(py, Some(winner), termination)
        };
        self.board.ending().map(outcome).transpose()
    }

    /// Return the number of move sequences of the given length; with `paths`, every path of a capture counts.
    #[pyo3(
        signature = (depth, *, threads = IntArg(1), paths = false),
        text_signature = "($self, depth, *, threads=1, paths=False)"
    )]
    fn perft(&self, py: Python<'_>, depth: IntArg, threads: IntArg, paths: bool) -> PyResult<u64> {
        let (depth, threads) = (depth.within(py, "depth", 0, MAX_PERFT_DEPTH)?, threads.threads(py)?);
        self.count(py, depth, threads, paths)
    }

    /// Return the number of move sequences of the given length by their first move.
    #[pyo3(signature = (depth, *, threads = IntArg(1)), text_signature = "($self, depth, *, threads=1)")]
    fn divide<'py>(slf: &Bound<'py, Self>, depth: IntArg, threads: IntArg) -> PyResult<Bound<'py, PyDict>> {
        let (py, this) = (slf.py(), slf.get());
        let (depth, threads) = (depth.within(py, "depth", 1, MAX_PERFT_DEPTH)?, threads.threads(py)?);
        let counts = PyDict::new(py);
        for played in Self::legal_moves(slf, false)?.iter() {
            let after = this.after(py, &played.cast::<Move>()?.get().played);
            counts.set_item(&played, after.count(py, depth - 1, threads, false)?)?;
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
        let games = allow_interrupts(py, |monitor| self.board.playouts(&batch, monitor))?;
        python::playouts(py, &games)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Position>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        let equal = self.board.equals(&*other.board) && Mover::same(&self.mover, &other.mover, py)?;
        python::truth(py, equal)
    }

    fn __hash__(&self) -> u64 {
        self.board.hash_key()
    }

    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        DRAUGHTS.diagram(slf)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let variant = slf.get().mover.get().reference(slf.py())?;
        Ok(format!(
            "Position.from_fen({}, {})",
            PyString::new(slf.py(), &slf.get().fen()).repr()?,
            variant.bind(slf.py()).repr()?
        ))
    }

    /// Draw the position as SVG with coordinates, and with the last move, arrows and marks if given.
    #[pyo3(
        signature = (*, last_move = None, orientation = None, arrows = None, marks = None, size = IntArg(400)),
        text_signature = "($self, *, last_move=None, orientation=None, arrows=(), marks=(), size=400)"
    )]
    fn svg<'py>(
        slf: &Bound<'py, Self>,
        last_move: Option<&Bound<'py, Move>>,
        orientation: Option<&Bound<'py, PyAny>>,
        arrows: Option<&Bound<'py, PyAny>>,
        marks: Option<&Bound<'py, PyAny>>,
        size: IntArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = PyDict::new(slf.py());
        options.set_item("last_move", last_move)?;
        for (name, given) in [("orientation", orientation), ("arrows", arrows), ("marks", marks)] {
            if let Some(value) = given {
                options.set_item(name, value)?;
            }
        }
        options.set_item("size", size.0)?;
        DRAUGHTS.svg(slf, Some(&options))
    }

    /// Draw the position as SVG, for notebooks.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        DRAUGHTS.svg(slf, None)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let arguments = (self.mover.get().reference(py)?, self.turn(py)?).into_pyobject(py)?;
        let options = PyDict::new(py);
        options.set_item("white_men", self.squares_of(py, Side::White, false)?)?;
        options.set_item("white_kings", self.squares_of(py, Side::White, true)?)?;
        options.set_item("black_men", self.squares_of(py, Side::Black, false)?)?;
        options.set_item("black_kings", self.squares_of(py, Side::Black, true)?)?;
        options.set_item("king_runs", self.king_runs(py)?)?;
        Ok((arguments, options))
    }
}

impl Position {
    /// Return whether the move was listed by this position or an equal one.
    fn lists(&self, candidate: &Move) -> bool {
        let is_equal = |origin: &Position| self.mover.is(&origin.mover) && self.board.equals(&*origin.board);
        candidate.origin.as_ref().is_some_and(|origin| is_equal(origin.get()))
    }

    fn count(&self, py: Python<'_>, depth: u32, threads: usize, paths: bool) -> PyResult<u64> {
        allow_interrupts(py, |monitor| self.board.perft(depth, paths, threads, monitor))
    }

    /// Return the position after a legal move.
    pub fn after(&self, py: Python<'_>, played: &SquareMove) -> Position {
        Position { mover: self.mover.clone_ref(py), board: self.board.after(played) }
    }

    fn squares_of<'py>(&self, py: Python<'py>, side: Side, is_king: bool) -> PyResult<Bound<'py, PyTuple>> {
        let mover = self.mover.get();
        let setup = self.board.setup();
        let mut squares = if is_king { setup.kings } else { setup.men }[side.index()].clone();
        squares.sort_unstable_by_key(|square| mover.notation.squares().number(*square as u16));
        PyTuple::new(py, squares.into_iter().map(|square| mover.square(py, square)).collect::<PyResult<Vec<_>>>()?)
    }
}
