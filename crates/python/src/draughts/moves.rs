//! `Move`: a complete move.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tablemen_core::draughts::notation::is_ambiguous;
use tablemen_core::draughts::{Board, Jump, SquareMove};

use super::mover::Mover;
use super::position::Position;
use crate::python;

/// A complete move: a step, or a capture with all its jumps.
///
/// Two moves are equal if variant, start, end, captured squares and crowning are equal; the path does not matter.
#[pyclass(frozen, module = "tablemen._core")]
pub struct Move {
    pub mover: Py<Mover>,
    pub played: SquareMove,
    pub ambiguous: bool,
    /// The position that listed a capture, in which the capture is known to be legal.
    pub origin: Option<Py<Position>>,
}

#[pymethods]
impl Move {
    #[new]
    #[pyo3(
        signature = (variant, path, captured = None, *, crowns = false, ambiguous = false),
        text_signature = "(variant, path, captured=(), *, crowns=False, ambiguous=False)"
    )]
    fn new(
        variant: &Bound<'_, PyAny>,
        path: &Bound<'_, PyAny>,
        captured: Option<&Bound<'_, PyAny>>,
        crowns: bool,
        ambiguous: bool,
    ) -> PyResult<Self> {
        let py = variant.py();
        let mover = Mover::of(variant)?;
        let path = mover.get().indices(path)?;
        let captured = captured.map_or_else(|| Ok(Vec::new()), |squares| mover.get().indices(squares))?;
        let (&[from, .., to], true) = (path.as_slice(), captured.is_empty() || captured.len() + 1 == path.len()) else {
            return Err(python::error(
                py,
                "TablemenError",
                ("a path needs two squares, or one more than the captured pieces",),
            ));
        };
        if captured.is_empty() && path.len() > 2 {
            return Err(python::error(py, "TablemenError", ("a move that captures nothing must have two squares",)));
        }
        let jumps = captured.iter().zip(&path[1..]).map(|(&captured, &landing)| Jump { captured, landing }).collect();
        Ok(Move { mover, played: SquareMove { from, to, crowns, jumps }, ambiguous, origin: None })
    }

    /// The variant that the squares belong to.
    #[getter]
    fn variant(&self, py: Python<'_>) -> Py<PyAny> {
        self.mover.get().rules(py)
    }

    /// The square where the piece starts.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.square(py, self.played.from)
    }

    /// The square where the piece ends.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.square(py, self.played.to)
    }

    /// All squares that the piece visits, from start to end.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let mut path = vec![self.square(py, self.played.from)?];
        if self.played.jumps.is_empty() {
            path.push(self.square(py, self.played.to)?);
        }
        for jump in &self.played.jumps {
            path.push(self.square(py, jump.landing)?);
        }
        PyTuple::new(py, path)
    }

    /// The squares of the captured pieces, in the order of the jumps.
    #[getter]
    fn captured<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let squares = self.played.jumps.iter().map(|jump| self.square(py, jump.captured));
        PyTuple::new(py, squares.collect::<PyResult<Vec<_>>>()?)
    }

    /// Whether a man becomes a king.
    #[getter]
    fn crowns(&self) -> bool {
        self.played.crowns
    }

    /// Whether the move is a capture.
    #[getter]
    fn is_capture(&self) -> bool {
        !self.played.jumps.is_empty()
    }

    /// Whether another legal move has the same start and end, so that the text of this one needs the whole path.
    #[getter]
    fn ambiguous(&self) -> bool {
        self.ambiguous
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.mover)?;
        visit.call(&self.origin)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Move>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        let equal = self.key() == other.key() && Mover::same(&self.mover, &other.mover, py)?;
        python::truth(py, equal)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.mover.get().notation.format_move(&self.played, self.ambiguous)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = format!("Move({}, {}", self.mover.get().reference(py)?.bind(py).repr()?, self.path(py)?.repr()?);
        if self.is_capture() {
            text += &format!(", captured={}", self.captured(py)?.repr()?);
        }
        for (name, set) in [("crowns", self.crowns()), ("ambiguous", self.ambiguous)] {
            if set {
                text += &format!(", {name}=True");
            }
        }
        Ok(text + ")")
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let arguments = (self.mover.get().reference(py)?, self.path(py)?, self.captured(py)?).into_pyobject(py)?;
        let options = PyDict::new(py);
        options.set_item("crowns", self.crowns())?;
        options.set_item("ambiguous", self.ambiguous)?;
        Ok((arguments, options))
    }
}

impl Move {
    fn square<'py>(&self, py: Python<'py>, index: u16) -> PyResult<Bound<'py, PyAny>> {
        self.mover.get().square(py, usize::from(index))
    }

    /// Return the values that equality compares.
    fn key(&self) -> (u16, u16, bool, Vec<u16>) {
        let SquareMove { from, to, crowns, jumps } = &self.played;
        let mut captured: Vec<u16> = jumps.iter().map(|jump| jump.captured).collect();
        captured.sort_unstable();
        (*from, *to, *crowns, captured)
    }
}

/// The pairs of start and end that occur in several moves of a list.
pub struct AmbiguousPairs(HashMap<(u16, u16), u32>);

impl AmbiguousPairs {
    pub fn new(moves: &[SquareMove]) -> Self {
        let mut counts = HashMap::new();
        // Two quiet moves never have the same start and end.
        if moves.len() > 1 && moves.iter().any(|played| !played.jumps.is_empty()) {
            for played in moves {
                *counts.entry((played.from, played.to)).or_default() += 1;
            }
        }
        AmbiguousPairs(counts)
    }

    pub fn contains(&self, played: &SquareMove) -> bool {
        self.0.get(&(played.from, played.to)).is_some_and(|count| *count > 1)
    }
}

/// Return the moves of a line from a position as Python objects.
pub fn line<'py>(position: &Bound<'py, Position>, line: &[SquareMove]) -> PyResult<Bound<'py, PyTuple>> {
    let (py, mover) = (position.py(), &position.get().mover);
    let mut board: Option<Box<dyn Board>> = None;
    let mut moves = Vec::with_capacity(line.len());
    for played in line {
        let before = board.as_deref().unwrap_or(&*position.get().board);
        // If the legal moves take long to generate, write the whole path.
        let ambiguous = before.legal_moves(false, None).is_none_or(|legal| is_ambiguous(played, &legal));
        let after = before.after(played);
        moves.push(Bound::new(
            py,
            Move { mover: mover.clone_ref(py), played: played.clone(), ambiguous, origin: None },
        )?);
        board = Some(after);
    }
    PyTuple::new(py, moves)
}
