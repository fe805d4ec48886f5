//! Perft: counting the move sequences of a length.

use super::generator::MoveGenerator;
use super::position::Position;
use super::row::Row;
use crate::parallel;
use crate::work::Monitor;

/// The depth of the largest subtree that is counted without a call of the monitor.
const UNPOLLED_DEPTH: u32 = 6;

/// The depth at which the tree is split into subtrees, which are distributed to threads.
const SPLIT_DEPTH: u32 = 2;

impl<R: Row> MoveGenerator<R> {
    /// Return the number of move sequences of a length, or None if the monitor cancelled the count.
    pub(super) fn perft(
        &self,
        position: &Position<R>,
        depth: u32,
        threads: usize,
        monitor: &dyn Monitor,
    ) -> Option<u64> {
        let split = SPLIT_DEPTH.min(depth);
        let pieces = (0..split).fold(vec![*position], |positions, _| {
            positions.iter().flat_map(|position| self.successors(position)).collect()
        });
        let counts = parallel::map(&pieces, threads, monitor, |piece| self.count(piece, depth - split, monitor))?;
        Some(counts.iter().sum())
    }

    fn successors(&self, position: &Position<R>) -> impl Iterator<Item = Position<R>> {
        self.legal_moves(position).map(|played| self.after(position, played))
    }

    fn count(&self, position: &Position<R>, depth: u32, monitor: &dyn Monitor) -> Option<u64> {
        if depth <= UNPOLLED_DEPTH {
            let count = self.count_below(position, depth);
            return monitor.add(count).then_some(count);
        }
        if !monitor.add(1) {
            return None;
        }
        let mut counts = self.successors(position).map(|after| self.count(&after, depth - 1, monitor));
        counts.try_fold(0, |sum, count| Some(sum + count?))
    }

    /// Count without calling the monitor. Moves at depth 1 are counted but not played (bulk counting).
    fn count_below(&self, position: &Position<R>, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves(position).len() as u64,
            _ => self.successors(position).map(|after| self.count_below(&after, depth - 1)).sum(),
        }
    }
}
