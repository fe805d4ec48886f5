//! Running independent pieces of work on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Does `work` for every item and gives the results in the order of the items, or None where `go_on` said to stop.
///
/// `go_on` is asked between items, on the calling thread only.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    mut go_on: impl FnMut() -> bool,
    work: impl Fn(&T) -> R + Sync,
) -> Option<Vec<R>> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let run = |go_on: &mut dyn FnMut() -> bool| {
        let mut done = Vec::new();
        while !stopped.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            done.push((index, work(item)));
            if !go_on() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.min(items.len())).map(|_| scope.spawn(|| run(&mut || true))).collect();
        let mut done = run(&mut go_on);
        for helper in helpers {
            done.extend(helper.join().expect("a worker panicked"));
        }
        done
    });
    if stopped.load(Ordering::Relaxed) {
        return None;
    }
    done.sort_unstable_by_key(|(index, _)| *index);
    Some(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let squares = map(&items, threads, || true, |n| n * n).unwrap();
            assert!(squares.iter().zip(&items).all(|(square, n)| *square == n * n));
            assert_eq!(squares.len(), items.len());
        }
    }

    #[test]
    fn stops_when_told() {
        assert!(map(&[1, 2, 3], 2, || false, |n| n + 1).is_none());
        assert_eq!(map(&[] as &[u8], 2, || false, |n| n + 1), Some(vec![]));
    }
}
