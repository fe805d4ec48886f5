//! Moves that were listed before: giving one again is quicker than making it anew.

use std::sync::{Mutex, PoisonError, TryLockError};

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tablemen_core::mancala::{Board, Move, Yield};

use super::mover::MancalaMover;
use super::moves::MancalaMove;

/// How many seeds, sown or captured, a known move has at most; larger numbers are rare.
const MOST: usize = 15;

/// The moves of one rule set, made when first asked for.
#[derive(Default)]
pub struct KnownMoves(Mutex<Vec<Option<Py<MancalaMove>>>>);

impl KnownMoves {
    /// The legal moves of a board as Python objects.
    pub fn list<'py>(
        &self,
        mover: &Py<MancalaMover>,
        board: &dyn Board,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let mut found = Vec::with_capacity(8);
        {
            // Nothing is made while the lock is held: that could run anything.
            let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            board.each_move(&mut |listed| found.push(find(&known, &listed).map(|found| found.clone_ref(py))));
        }
        if found.iter().any(Option::is_none) {
            let mut all = Vec::new();
            board.each_move(&mut |listed| all.push(listed));
            for (place, listed) in found.iter_mut().zip(all) {
                if place.is_none() {
                    *place = Some(self.add(mover, listed, py)?);
                }
            }
        }
        PyTuple::new(py, found)
    }

    /// Makes a move and keeps it, if it is one of the common ones.
    fn add(
        &self,
        mover: &Py<MancalaMover>,
        (played, result): (Move, Yield),
        py: Python<'_>,
    ) -> PyResult<Py<MancalaMove>> {
        let made = Py::new(py, MancalaMove { mover: mover.clone_ref(py), played, result })?;
        if let Some(index) = index(&(played, result)) {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if known.len() <= index {
                known.resize_with(index + 1, || None);
            }
            known[index] = Some(made.clone_ref(py));
        }
        Ok(made)
    }

    // The mover keeps its moves, and they keep the mover.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.0.try_lock() {
            Ok(known) => known.iter().flatten().try_for_each(|listed| visit.call(listed)),
            Err(TryLockError::Poisoned(known)) => {
                known.into_inner().iter().flatten().try_for_each(|listed| visit.call(listed))
            }
            Err(TryLockError::WouldBlock) => Ok(()), // they are in use, and so not for the collector now
        }
    }

    pub fn clear(&self) {
        let moves = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        drop(moves);
    }
}

fn find<'a>(known: &'a [Option<Py<MancalaMove>>], listed: &(Move, Yield)) -> Option<&'a Py<MancalaMove>> {
    known.get(index(listed)?)?.as_ref()
}

/// Where a move is kept; None where it is too rare for that.
fn index(&(played, Yield { sown, captured, extra_turn }): &(Move, Yield)) -> Option<usize> {
    let (Move::Sow(house), sown, captured) = (played, usize::from(sown), usize::from(captured)) else { return None };
    let is_common = sown <= MOST && captured <= MOST;
    is_common.then(|| ((usize::from(house) * (MOST + 1) + sown) * (MOST + 1) + captured) * 2 + usize::from(extra_turn))
}
