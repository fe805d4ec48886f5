//! A parallel map over independent items, with cooperative cancellation.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::platform;

/// A cancellation callback: long work calls it at intervals, and stops when it returns false.
pub type KeepGoing<'a> = &'a mut dyn FnMut() -> bool;

/// Return the results of `work` for all items, in the order of the items, or None if `keep_going` returned false.
///
/// Threads claim the next item from a shared counter. `keep_going` is called only on the calling thread: between items,
/// and when `work` calls its callback. Cancelled work returns None.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    keep_going: KeepGoing<'_>,
    work: impl Fn(&T, KeepGoing<'_>) -> Option<R> + Sync,
) -> Option<Vec<R>> {
    let (next, cancelled) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results = Mutex::new(items.iter().map(|_| None).collect::<Vec<Option<R>>>());
    let run = |keep_going: KeepGoing<'_>| {
        let mut poll = || {
            let stop = cancelled.load(Ordering::Relaxed) || !keep_going();
            cancelled.fetch_or(stop, Ordering::Relaxed);
            !stop
        };
        while poll() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let result = work(item, &mut poll);
            results.lock().expect("a thread panicked")[index] = result;
        }
    };
    platform::run_with_helpers(threads.min(items.len()), &mut || run(keep_going), &|_| run(&mut || true));
    if cancelled.load(Ordering::Relaxed) {
        return None;
    }
    results.into_inner().expect("a thread panicked").into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{KeepGoing, map};

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let squares = map(&items, threads, &mut || true, |n, _| Some(n * n)).unwrap();
            assert!(squares.iter().zip(&items).all(|(square, n)| *square == n * n));
            assert_eq!(squares.len(), items.len());
        }
    }

    #[test]
    fn cancels_between_items() {
        assert!(map(&[1, 2, 3], 2, &mut || false, |n, _| Some(n + 1)).is_none());
        assert_eq!(map(&[] as &[u8], 2, &mut || true, |n, _| Some(n + 1)), Some(vec![]));
    }

    #[test]
    fn cancels_within_an_item() {
        let mut calls = 0;
        let mut keep_going = || {
            calls += 1;
            calls < 100
        };
        let endless = |_: &u8, keep_going: KeepGoing<'_>| {
            while keep_going() {}
            None::<u8>
        };
        assert!(map(&[1, 2], 2, &mut keep_going, endless).is_none());
    }
}
