//! A cache of move objects: returning an existing Python object is faster than creating one.

use std::sync::{Mutex, PoisonError, TryLockError};

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tablemen_core::mancala::{Board, Move, SowResult};

use super::mover::MancalaMover;
use super::moves::MancalaMove;

/// The maximum number of seeds, sown or captured, of a cached move; larger numbers are rare.
const MAX_SEEDS: usize = 15;

/// The cached moves of one rule set, created on first use.
#[derive(Default)]
pub struct MoveCache(Mutex<Vec<Option<Py<MancalaMove>>>>);

impl MoveCache {
    /// Return the legal moves of a board as Python objects.
    pub fn list<'py>(
        &self,
        mover: &Py<MancalaMover>,
        board: &dyn Board,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let mut found = Vec::with_capacity(8);
        {
            // Do not create objects while the lock is held: that could run the garbage collector, and so arbitrary
            // code.
            let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            board.for_each_move(&mut |listed| found.push(find(&cached, &listed).map(|found| found.clone_ref(py))));
        }
        if found.iter().any(Option::is_none) {
            let mut all = Vec::new();
            board.for_each_move(&mut |listed| all.push(listed));
            for (place, listed) in found.iter_mut().zip(all) {
                if place.is_none() {
                    *place = Some(self.add(mover, listed, py)?);
                }
            }
        }
        PyTuple::new(py, found)
    }

    /// Create a move, and cache it unless it is a rare one.
    fn add(
        &self,
        mover: &Py<MancalaMover>,
        (played, result): (Move, SowResult),
        py: Python<'_>,
    ) -> PyResult<Py<MancalaMove>> {
        let created = Py::new(py, MancalaMove { mover: mover.clone_ref(py), played, result })?;
        if let Some(index) = index(&(played, result)) {
            let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if cached.len() <= index {
                cached.resize_with(index + 1, || None);
            }
            cached[index] = Some(created.clone_ref(py));
        }
        Ok(created)
    }

    /// Visit the moves for the garbage collector: the mover refers to them, and they refer to the mover.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.0.try_lock() {
            Ok(cached) => cached.iter().flatten().try_for_each(|listed| visit.call(listed)),
            Err(TryLockError::Poisoned(cached)) => {
                cached.into_inner().iter().flatten().try_for_each(|listed| visit.call(listed))
            }
            Err(TryLockError::WouldBlock) => Ok(()), // the cache is in use, so its moves are reachable
        }
    }

    pub fn clear(&self) {
        let moves = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        drop(moves);
    }
}

fn find<'a>(cached: &'a [Option<Py<MancalaMove>>], listed: &(Move, SowResult)) -> Option<&'a Py<MancalaMove>> {
    cached.get(index(listed)?)?.as_ref()
}

/// Return the index of a move in the cache; None for a move that is not cached.
fn index(&(played, SowResult { sown, captured, extra_turn }): &(Move, SowResult)) -> Option<usize> {
    let (Move::Sow(house), sown, captured) = (played, usize::from(sown), usize::from(captured)) else { return None };
    let is_common = sown <= MAX_SEEDS && captured <= MAX_SEEDS;
    let row = (usize::from(house) * (MAX_SEEDS + 1) + sown) * (MAX_SEEDS + 1);
    is_common.then(|| (row + captured) * 2 + usize::from(extra_turn))
}
