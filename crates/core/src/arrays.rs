//! Positions as rows of arrays: what the formats of all families share.

use std::sync::Mutex;

use crate::parallel;
use crate::work::Monitor;

/// Why a row of an array is not a position, or a position does not fit in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    /// The index of the wrong element in the row; None if no single element is wrong.
    pub element: Option<usize>,
    /// The index of the square that the element belongs to, if it belongs to one.
    pub square: Option<u16>,
    /// What was expected instead of what.
    pub problem: String,
}

impl RowError {
    /// Create the error of an element that belongs to no square.
    pub(crate) fn at(element: usize, problem: String) -> Self {
        RowError { element: Some(element), square: None, problem }
    }

    /// Create the error of a whole row.
    pub(crate) fn whole(problem: String) -> Self {
        RowError { element: None, square: None, problem }
    }
}

/// The number of rows that a thread fills before it claims the next ones.
const CHUNK: usize = 128;

/// Call `fill` with the index of every row and the row, in parallel. Return the first error and the index of its row,
/// or None if the monitor cancelled the work; each row is one unit of it.
///
/// A row has `size` bytes, at least one. `fill` returns None if it was cancelled.
pub fn fill_rows<E: Send>(
    rows: &mut [u8],
    size: usize,
    threads: usize,
    monitor: &dyn Monitor,
    fill: impl Fn(usize, &mut [u8]) -> Option<Result<(), E>> + Sync,
) -> Option<Result<(), (usize, E)>> {
    // Each chunk is locked once, by the thread that claims it.
    let chunks: Vec<_> = (0..).step_by(CHUNK).zip(rows.chunks_mut(CHUNK * size).map(Mutex::new)).collect();
    let results = parallel::map(&chunks, threads, monitor, |(first, rows)| {
        let mut rows = rows.lock().expect("a thread panicked");
        // `parallel::map` has counted one unit.
        if !monitor.add((rows.len() / size) as u64 - 1) {
            return None;
        }
        for (index, row) in (*first..).zip(rows.chunks_exact_mut(size)) {
            if let Err(error) = fill(index, row)? {
                return Some(Err((index, error)));
            }
        }
        Some(Ok(()))
    })?;
    Some(results.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::fill_rows;

    #[test]
    fn rows_are_filled_by_their_index() {
        for (rows, threads) in [(0, 1), (1, 3), (1000, 1), (1000, 3)] {
            let (mut filled, units) = (vec![0; 8 * rows], AtomicU64::new(0));
            let monitor = |added| units.fetch_add(added, Ordering::Relaxed) < u64::MAX;
            let fill = |index: usize, row: &mut [u8]| {
                row.copy_from_slice(&(index as u64).to_le_bytes());
                Some(Ok::<_, ()>(()))
            };
            assert_eq!(fill_rows(&mut filled, 8, threads, &monitor, fill), Some(Ok(())));
            assert_eq!(filled, (0..rows as u64).flat_map(u64::to_le_bytes).collect::<Vec<_>>());
            assert_eq!(units.into_inner(), rows as u64);
        }
    }

    #[test]
    fn the_first_error_is_returned() {
        for threads in [1, 3] {
            let fill = |index: usize, _: &mut [u8]| Some(if index % 300 == 299 { Err(index) } else { Ok(()) });
            assert_eq!(fill_rows(&mut [0; 2000], 2, threads, &|_| true, fill), Some(Err((299, 299))));
        }
    }

    #[test]
    fn cancelled_work_has_no_result() {
        assert_eq!(fill_rows(&mut [0; 9], 1, 2, &|_| false, |_, _| Some(Ok::<_, ()>(()))), None);
        assert_eq!(fill_rows(&mut [0; 9], 1, 2, &|_| true, |_, _| None::<Result<(), ()>>), None);
    }
}
