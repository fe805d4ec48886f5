//! A cache of quiet moves as Python objects: a lookup is several times as fast as creating an object.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tablemen_core::draughts::SquareMove;

use super::moves::{AmbiguousPairs, Move};
use super::position::Position;

/// Boards with more squares have no cache, because it would be too large.
const MAX_SQUARES: usize = 128;

/// The quiet moves of one rule set, each created when it is first listed. Unless it is ambiguous, a quiet move is the
/// same in every position; captures are not cached.
pub struct MoveCache {
    squares: usize,
    moves: Mutex<Vec<Option<Py<Move>>>>,
}

impl MoveCache {
    /// Create an empty cache for a board with this number of squares.
    pub fn new(squares: usize) -> Self {
        MoveCache { squares, moves: Mutex::default() }
    }

    /// Return the legal moves of a position as Python objects.
    pub fn list<'py>(&self, position: &Bound<'py, Position>, moves: Vec<SquareMove>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, pairs) = (position.py(), AmbiguousPairs::new(&moves));
        let mut listed: Vec<Option<Py<Move>>> = {
            // Do not create Python objects while the lock is held: that could run arbitrary code.
            let cached = self.lock();
            let find = |played: &SquareMove| cached.get(self.index(played)?)?.as_ref().map(|found| found.clone_ref(py));
            moves.iter().map(|played| if pairs.contains(played) { None } else { find(played) }).collect()
        };
        for (place, played) in listed.iter_mut().zip(moves) {
            if place.is_none() {
                let ambiguous = pairs.contains(&played);
                *place = Some(self.create(position, played, ambiguous)?);
            }
        }
        PyTuple::new(py, listed)
    }

    /// Return a legal move of a position as a Python object.
    pub fn get(&self, position: &Bound<'_, Position>, played: SquareMove, ambiguous: bool) -> PyResult<Py<Move>> {
        let index = self.index(&played).filter(|_| !ambiguous);
        let cached = index.and_then(|index| Some(self.lock().get(index)?.as_ref()?.clone_ref(position.py())));
        cached.map_or_else(|| self.create(position, played, ambiguous), Ok)
    }

    fn create(&self, position: &Bound<'_, Position>, played: SquareMove, ambiguous: bool) -> PyResult<Py<Move>> {
        let (py, mover) = (position.py(), position.get().mover.clone_ref(position.py()));
        let Some(index) = self.index(&played).filter(|_| !ambiguous) else {
            let origin = (!played.jumps.is_empty()).then(|| position.clone().unbind());
            return Py::new(py, Move { mover, played, ambiguous, origin });
        };
        let created = Py::new(py, Move { mover, played, ambiguous, origin: None })?;
        let mut cached = self.lock();
        if cached.len() <= index {
            cached.resize_with(index + 1, || None);
        }
        cached[index] = Some(created.clone_ref(py));
        Ok(created)
    }

    /// Return the index of a quiet move in the cache.
    fn index(&self, played: &SquareMove) -> Option<usize> {
        let (from, to) = (usize::from(played.from), usize::from(played.to));
        let is_cached = played.jumps.is_empty() && self.squares <= MAX_SQUARES;
        is_cached.then(|| (from * self.squares + to) * 2 + usize::from(played.crowns))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Py<Move>>>> {
        self.moves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // Visit the moves for the garbage collector: the mover refers to them, and they refer to the mover.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let cached = match self.moves.try_lock() {
            Ok(cached) => cached,
            Err(TryLockError::Poisoned(cached)) => cached.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(()), // the cache is in use, so its moves are reachable
        };
        cached.iter().flatten().try_for_each(|listed| visit.call(listed))
    }

    pub fn clear(&self) {
        let moves = std::mem::take(&mut *self.lock());
        drop(moves);
    }
}
