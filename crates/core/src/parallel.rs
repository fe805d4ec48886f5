//! A parallel map over independent items, with cooperative cancellation.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::platform;
use crate::work::Monitor;

/// Return the results of `work` for all items, in the order of the items, or None if the monitor cancelled the work.
///
/// Threads claim the next item from a shared counter, and call the monitor between items. `work` returns None if it was
/// cancelled, which cancels the other items as well.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    monitor: &dyn Monitor,
    work: impl Fn(&T) -> Option<R> + Sync,
) -> Option<Vec<R>> {
    let (next, is_cancelled) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results = Mutex::new(items.iter().map(|_| None).collect::<Vec<Option<R>>>());
    let run = || {
        while !is_cancelled.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let result = if monitor.add(1) { work(item) } else { None };
            is_cancelled.fetch_or(result.is_none(), Ordering::Relaxed);
            results.lock().expect("a thread panicked")[index] = result;
        }
    };
    platform::run_with_helpers(threads.min(items.len()), &mut || run(), &|_| run());
    if is_cancelled.load(Ordering::Relaxed) {
        return None;
    }
    results.into_inner().expect("a thread panicked").into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::map;
    use crate::work::Monitor;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let squares = map(&items, threads, &|_| true, |n| Some(n * n)).unwrap();
            assert!(squares.iter().zip(&items).all(|(square, n)| *square == n * n));
            assert_eq!(squares.len(), items.len());
        }
    }

    #[test]
    fn cancels_between_items() {
        assert!(map(&[1, 2, 3], 2, &|_| false, |n| Some(n + 1)).is_none());
        assert_eq!(map(&[] as &[u8], 2, &|_| true, |n| Some(n + 1)), Some(vec![]));
    }

    #[test]
    fn cancels_within_an_item() {
        let calls = AtomicU64::new(0);
        let monitor = |_| calls.fetch_add(1, Ordering::Relaxed) < 100;
        let endless = |_: &u8| {
            while monitor.add(1) {}
            None::<u8>
        };
        assert!(map(&[1, 2], 2, &monitor, endless).is_none());
    }
}
