//! Positions in arrays: what the codecs of both families share.
//!
//! A codec has rules and a format. Its batch functions take positions, or rows of its format in a buffer of bytes with
//! one byte for each side to move, and fill a `bytearray` with a row of results for each position. They release the GIL.

use std::ops::Range;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyMemoryView, PySlice, PyTuple};
use tablemen_core::actions::ActionError;
use tablemen_core::arrays::{RowError, fill_rows};
use tablemen_core::side::Side;
use tablemen_core::work::SharedMonitor;

use crate::actions::action_error;
use crate::interrupt::allow_interrupts;
use crate::python;

/// The number of rows that are copied at a time, because other threads can change an array while the GIL is released.
const BLOCK: usize = 1 << 16;

/// The outcome of a position whose game is not over.
const NOT_OVER: i8 = 2;

/// The rules and the format of arrays.
pub trait Codec: Sync {
    /// The Python class of positions.
    type Position;
    /// The positions of the core.
    type Board: ?Sized;
    /// Return the shape of a row.
    fn row_shape(&self) -> &[usize];
    /// Return the number of bytes of a row.
    fn row_size(&self) -> usize;
    /// Return the position if it is one of these rules.
    fn cast(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<Py<Self::Position>>>;
    /// Return the rules.
    fn rules<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny>;
    /// Return the position of the core.
    fn board(position: &Py<Self::Position>) -> &Self::Board;
    /// Return the position of a row; `turn` is the side to move if the format does not have it.
    fn read_row(&self, row: &[u8], turn: Side) -> Result<Box<Self::Board>, RowError>;
    /// Create a Python position.
    fn wrap<'py>(&self, py: Python<'py>, board: Box<Self::Board>) -> PyResult<Bound<'py, PyAny>>;
    /// Return the square with an index.
    fn square<'py>(&self, py: Python<'py>, index: u16) -> PyResult<Bound<'py, PyAny>>;
}

/// Why a function of a position has no result.
pub enum Failure {
    Row(RowError),
    Action(ActionError),
}

impl From<RowError> for Failure {
    fn from(error: RowError) -> Self {
        Failure::Row(error)
    }
}

/// Positions, or rows of an array with the side to move in each.
pub enum Batch<'py, P> {
    Positions(Vec<Py<P>>),
    Rows(RowBuffer<'py>),
}

/// Buffers with the bytes of rows, and with the sides to move if the format does not have them.
pub struct RowBuffer<'py> {
    bytes: Bound<'py, PyMemoryView>,
    turns: Option<Bound<'py, PyMemoryView>>,
    /// The number of bytes of a row.
    size: usize,
    count: usize,
}

/// A copy of successive rows.
struct Rows {
    bytes: Vec<u8>,
    turns: Option<Vec<u8>>,
    size: usize,
}

impl Rows {
    /// Return a row, and the side to move for formats without it.
    fn get(&self, index: usize) -> (&[u8], Side) {
        let turn = self.turns.as_ref().is_some_and(|turns| turns[index] == 1);
        (&self.bytes[self.size * index..][..self.size], Side::new(turn))
    }
}

impl<'py> RowBuffer<'py> {
    fn new(bytes: &Bound<'py, PyAny>, turns: Option<&Bound<'py, PyAny>>, size: usize) -> PyResult<Self> {
        let bytes = PyMemoryView::from(bytes)?;
        let turns = turns.map(PyMemoryView::from).transpose()?;
        let count = bytes.len()? / size;
        if bytes.len()? == size * count && turns.as_ref().map_or(Ok(count), |turns| turns.len())? == count {
            return Ok(RowBuffer { bytes, turns, size, count });
        }
        Err(PyTypeError::new_err(format!("expected rows of {size} bytes, and one turn for each")))
    }

    fn copy(&self, rows: Range<usize>) -> PyResult<Rows> {
        let turns = self.turns.as_ref().map(|turns| copy(turns, rows.clone())).transpose()?;
        Ok(Rows { bytes: copy(&self.bytes, self.size * rows.start..self.size * rows.end)?, turns, size: self.size })
    }
}

fn copy(buffer: &Bound<'_, PyMemoryView>, range: Range<usize>) -> PyResult<Vec<u8>> {
    let slice = PySlice::new(buffer.py(), range.start as isize, range.end as isize, 1);
    PyBuffer::get(&buffer.get_item(slice)?)?.to_vec(buffer.py())
}

impl<'py, P> Batch<'py, P> {
    /// Read the arguments of a batch function: a list of positions, or a buffer of rows and one with the sides to move.
    pub fn new<C: Codec<Position = P>>(
        codec: &C,
        positions: &Bound<'py, PyAny>,
        turns: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let Ok(list) = positions.cast::<PyList>() else {
            return Ok(Batch::Rows(RowBuffer::new(positions, turns, codec.row_size())?));
        };
        let cast = |(index, position): (usize, Bound<'py, PyAny>)| {
            let wrong = || {
                let name = format!("positions[{index}]");
                let expected = format!("a position of {}", codec.rules(list.py()));
                python::error(list.py(), "ArgumentError", (name, &position, expected))
            };
            codec.cast(&position)?.ok_or_else(wrong)
        };
        Ok(Batch::Positions(list.iter().enumerate().map(cast).collect::<PyResult<_>>()?))
    }

    /// Return the number of positions.
    fn len(&self) -> usize {
        match self {
            Batch::Positions(positions) => positions.len(),
            Batch::Rows(rows) => rows.count,
        }
    }
}

/// Fill a `bytearray` with `size` bytes for each position of a batch, without the GIL.
pub fn fill<'py, C: Codec>(
    codec: &C,
    py: Python<'py>,
    batch: &Batch<'py, C::Position>,
    size: usize,
    threads: usize,
    work: impl Fn(&C::Board, &mut [u8], &SharedMonitor) -> Option<Result<(), Failure>> + Sync,
) -> PyResult<Bound<'py, PyByteArray>> {
    let total = batch.len().checked_mul(size).ok_or_else(|| PyMemoryError::new_err(()))?;
    let raise = |first: usize, result: Result<(), (usize, Failure)>| {
        result.map_err(|(index, failure)| error(codec, py, batch, first + index, failure))
    };
    PyByteArray::new_with(py, total, |results| match batch {
        Batch::Positions(positions) => {
            let result = allow_interrupts(py, |monitor| {
                fill_rows(results, size, threads, &**monitor, |index, result| {
                    work(C::board(&positions[index]), result, monitor)
                })
            })?;
            raise(0, result)
        }
        Batch::Rows(rows) => {
            for (first, results) in (0..).step_by(BLOCK).zip(results.chunks_mut(BLOCK * size)) {
                let block = rows.copy(first..first + results.len() / size)?;
                let result = allow_interrupts(py, |monitor| {
                    fill_rows(results, size, threads, &**monitor, |index, result| {
                        let (row, turn) = block.get(index);
                        match codec.read_row(row, turn) {
                            Ok(board) => work(&board, result, monitor),
                            Err(error) => Some(Err(error.into())),
                        }
                    })
                })?;
                raise(first, result)?;
            }
            Ok(())
        }
    })
}

/// Return the positions of a batch, which are new if it consists of rows.
pub fn read<'py, C: Codec>(
    codec: &C,
    py: Python<'py>,
    batch: &Batch<'py, C::Position>,
) -> PyResult<Bound<'py, PyList>> {
    let positions = PyList::empty(py);
    match batch {
        Batch::Positions(given) => {
            given.iter().try_for_each(|position| positions.append(position.clone_ref(py).into_any()))?
        }
        Batch::Rows(rows) => {
            for first in (0..rows.count).step_by(BLOCK) {
                let block = first..rows.count.min(first + BLOCK);
                let copied = rows.copy(block.clone())?;
                for index in block {
                    let (row, turn) = copied.get(index - first);
                    let board = codec.read_row(row, turn);
                    let board = board.map_err(|failure| error(codec, py, batch, index, failure.into()))?;
                    positions.append(codec.wrap(py, board)?)?;
                }
            }
        }
    }
    Ok(positions)
}

/// Create the error for a position of a batch.
fn error<C: Codec>(codec: &C, py: Python<'_>, batch: &Batch<'_, C::Position>, index: usize, failure: Failure) -> PyErr {
    let create = || -> PyResult<PyErr> {
        match failure {
            Failure::Row(RowError { element, square, problem }) => {
                let element = element.map(|element| PyTuple::new(py, place(codec.row_shape(), index, element)));
                let square = square.map(|square| codec.square(py, square)).transpose()?;
                Ok(python::error(py, "InvalidArrayError", (problem, index, element.transpose()?, square)))
            }
            Failure::Action(error) => {
                let position = match batch {
                    Batch::Positions(positions) => positions[index].bind(py).clone().into_any(),
                    Batch::Rows(rows) => {
                        let row = rows.copy(index..index + 1)?;
                        let (row, turn) = row.get(0);
                        let board = codec.read_row(row, turn);
                        let changed = |_| PyTypeError::new_err("the array was changed during the call");
                        codec.wrap(py, board.map_err(changed)?)?
                    }
                };
                Ok(action_error(error, &position, &position))
            }
        }
    };
    create().unwrap_or_else(|failure| failure)
}

/// Return the indices of an element in an array, whose rows have this shape.
fn place(shape: &[usize], row: usize, element: usize) -> Vec<usize> {
    let mut rest = element;
    let mut indices: Vec<usize> = shape
        .iter()
        .rev()
        .map(|length| {
            let index = rest % length;
            rest /= length;
            index
        })
        .collect();
    indices.push(row);
    indices.reverse();
    indices
}

/// Return the code of an outcome for the side to move: 1 won, 0 drawn, -1 lost; `ending` is the winner, if any.
pub fn outcome_code(ending: Option<Option<Side>>, turn: Side) -> u8 {
    let code = match ending {
        None => NOT_OVER,
        Some(None) => 0,
        Some(Some(winner)) => {
            if winner == turn {
                1
            } else {
                -1
            }
        }
    };
    code as u8
}
