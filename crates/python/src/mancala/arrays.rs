//! `MancalaArrayCodec`: positions of mancala in arrays.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyTuple};
use tablemen_core::arrays::RowError;
use tablemen_core::mancala::{ArrayFormat, Board};
use tablemen_core::search::SCORE_SCALE;
use tablemen_core::side::Side;

use super::actions::MancalaActionEncoding;
use super::mover::MancalaMover;
use super::position::MancalaPosition;
use crate::arrays::{Batch, Codec, Failure, fill, outcome_code, read};
use crate::int_arg::IntArg;
use crate::python;

/// The rules and the format of arrays, and functions of the positions in them.
///
/// `positions` is a list, or a buffer with the bytes of the rows; then `turns` is a buffer with the side to move of
/// each (0 South, 1 North) if the format does not have it. Results are bytes in the byte order of the machine.
#[pyclass(frozen, module = "tablemen._core")]
pub struct MancalaArrayCodec {
    mover: Py<MancalaMover>,
    format: ArrayFormat,
    row_shape: Vec<usize>,
}

#[pymethods]
impl MancalaArrayCodec {
    #[new]
    fn new(py: Python<'_>, mover: Py<MancalaMover>, name: &str) -> PyResult<Self> {
        let format = match name {
            "planes" => ArrayFormat::Planes,
            "packed" => ArrayFormat::Packed,
            "pieces" => ArrayFormat::Pieces,
            _ => return Err(python::error(py, "ArgumentError", ("format", name, "planes, packed or pieces"))),
        };
        Ok(MancalaArrayCodec { row_shape: format.shape(&mover.get().features), mover, format })
    }

    /// The shape of a row.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.row_shape)
    }

    /// The name of the type of the elements in NumPy.
    #[getter]
    fn dtype(&self) -> &'static str {
        match self.format {
            ArrayFormat::Pieces => "uint16",
            ArrayFormat::Planes | ArrayFormat::Packed => "uint8",
        }
    }

    /// Whether rows have the side to move.
    #[getter]
    fn has_turn(&self) -> bool {
        self.format.has_turn()
    }

    /// Return the bytes of the rows of positions.
    #[pyo3(signature = (positions, *, threads = IntArg(1)), text_signature = "($self, positions, *, threads=1)")]
    fn write<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyList>,
        threads: IntArg,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let (batch, threads) = (Batch::new(self, positions, None)?, threads.threads(py)?);
        fill(self, py, &batch, self.row_size(), threads, |board, row, _| {
            Some(board.write_row(self.format, row).map_err(Failure::Row))
        })
    }

    /// Return the positions of rows.
    #[pyo3(signature = (positions, turns = None))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        turns: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        read(self, py, &Batch::new(self, positions, turns)?)
    }

    /// Return the bytes of the rows of mirror images. Raises `InvalidArrayError` if sides can still be swapped.
    #[pyo3(
        signature = (positions, turns = None, *, threads = IntArg(1)),
        text_signature = "($self, positions, turns=None, *, threads=1)"
    )]
    fn mirror<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        turns: Option<&Bound<'py, PyAny>>,
        threads: IntArg,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let (batch, threads) = (Batch::new(self, positions, turns)?, threads.threads(py)?);
        fill(self, py, &batch, self.row_size(), threads, |board, row, _| {
            let Some(mirror) = board.mirror() else {
                let problem = "expected a position in which sides cannot be swapped; others have no mirror image";
                return Some(Err(RowError { element: None, square: None, problem: problem.to_owned() }.into()));
            };
            Some(mirror.write_row(self.format, row).map_err(Failure::Row))
        })
    }

    /// Return the legal-move masks: a byte for each action, 1 if it is legal.
    #[pyo3(
        signature = (positions, encoding, turns = None, *, threads = IntArg(1)),
        text_signature = "($self, positions, encoding, turns=None, *, threads=1)"
    )]
    fn legal_masks<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        encoding: &MancalaActionEncoding,
        turns: Option<&Bound<'py, PyAny>>,
        threads: IntArg,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let (batch, threads) = (Batch::new(self, positions, turns)?, threads.threads(py)?);
        if !MancalaMover::same(&self.mover, &encoding.mover, py)? {
            let expected = format!("an encoding of {}", self.rules(py));
            return Err(python::error(py, "ArgumentError", ("encoding", encoding.mover.get().rules(py), expected)));
        }
        fill(self, py, &batch, encoding.size(), threads, |board, mask, _| {
            board.write_mask(encoding.encoding, mask);
            Some(Ok(()))
        })
    }

    /// Return the static evaluations for the side to move, in seeds, as 64-bit floating-point numbers.
    #[pyo3(
        signature = (positions, evaluation = None, turns = None, *, threads = IntArg(1)),
        text_signature = "($self, positions, evaluation=None, turns=None, *, threads=1)"
    )]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        evaluation: Option<&Bound<'py, PyAny>>,
        turns: Option<&Bound<'py, PyAny>>,
        threads: IntArg,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let (batch, threads) = (Batch::new(self, positions, turns)?, threads.threads(py)?);
        if let Some(evaluation) = evaluation {
            return Err(python::error(py, "ArgumentError", ("evaluation", evaluation, "None for mancala")));
        }
        fill(self, py, &batch, size_of::<f64>(), threads, |board, result, _| {
            let value = f64::from(board.evaluate()) / f64::from(SCORE_SCALE);
            result.copy_from_slice(&value.to_ne_bytes());
            Some(Ok(()))
        })
    }

    /// Return the outcomes for the side to move: 1 won, 0 drawn, -1 lost, 2 not over, as signed bytes.
    #[pyo3(
        signature = (positions, turns = None, *, threads = IntArg(1)),
        text_signature = "($self, positions, turns=None, *, threads=1)"
    )]
    fn outcomes<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        turns: Option<&Bound<'py, PyAny>>,
        threads: IntArg,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let (batch, threads) = (Batch::new(self, positions, turns)?, threads.threads(py)?);
        fill(self, py, &batch, 1, threads, |board, result, _| {
            result[0] = outcome_code(board.ending().map(|(winner, _)| winner), board.turn());
            Some(Ok(()))
        })
    }

    /// Return the hash keys as 64-bit numbers.
    #[pyo3(
        signature = (positions, turns = None, *, threads = IntArg(1)),
        text_signature = "($self, positions, turns=None, *, threads=1)"
    )]
    fn hash_keys<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        turns: Option<&Bound<'py, PyAny>>,
        threads: IntArg,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let (batch, threads) = (Batch::new(self, positions, turns)?, threads.threads(py)?);
        fill(self, py, &batch, size_of::<u64>(), threads, |board, result, _| {
            result.copy_from_slice(&board.hash_key().to_ne_bytes());
            Some(Ok(()))
        })
    }

    /// Return the sides to move as bytes: 0 South, 1 North.
    #[pyo3(signature = (positions, turns = None))]
    fn turns<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        turns: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        fill(self, py, &Batch::new(self, positions, turns)?, 1, 1, |board, result, _| {
            result[0] = board.turn().index() as u8;
            Some(Ok(()))
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.mover)
    }
}

impl Codec for MancalaArrayCodec {
    type Position = MancalaPosition;
    type Board = dyn Board;

    fn row_shape(&self) -> &[usize] {
        &self.row_shape
    }

    fn row_size(&self) -> usize {
        self.row_shape.iter().product::<usize>() * self.format.element_size()
    }

    fn cast(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<Py<MancalaPosition>>> {
        let Ok(position) = position.cast::<MancalaPosition>() else { return Ok(None) };
        let is_same = MancalaMover::same(&self.mover, &position.get().mover, position.py())?;
        Ok(is_same.then(|| position.clone().unbind()))
    }

    fn rules<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.mover.get().rules(py).into_bound(py)
    }

    fn board(position: &Py<MancalaPosition>) -> &Self::Board {
        &*position.get().board
    }

    fn read_row(&self, row: &[u8], turn: Side) -> Result<Box<dyn Board>, RowError> {
        let mover = self.mover.get();
        Ok(mover.board(&self.format.read_row(&mover.features, row, turn)?))
    }

    fn wrap<'py>(&self, py: Python<'py>, board: Box<dyn Board>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, MancalaPosition { mover: self.mover.clone_ref(py), board })?.into_any())
    }

    fn square<'py>(&self, _py: Python<'py>, _index: u16) -> PyResult<Bound<'py, PyAny>> {
        unreachable!("a board of mancala has no squares")
    }
}
