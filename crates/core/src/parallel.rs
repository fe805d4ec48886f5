//! Running independent pieces of work on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Asked now and then in the course of long work: whether to go on.
pub type GoOn<'a> = &'a mut dyn FnMut() -> bool;

/// Does `work` for every item and gives the results in the order of the items, or None where `go_on` said to stop.
///
/// `go_on` is asked on the calling thread only, between items and when the work asks; work that is told to stop gives
/// None.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    go_on: GoOn<'_>,
    work: impl Fn(&T, GoOn<'_>) -> Option<R> + Sync,
) -> Option<Vec<R>> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let run = |go_on: GoOn<'_>| {
        let mut done = Vec::new();
        let mut asked = || {
            let stop = stopped.load(Ordering::Relaxed) || !go_on();
            stopped.fetch_or(stop, Ordering::Relaxed);
            !stop
        };
        while asked() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            done.extend(work(item, &mut asked).map(|result| (index, result)));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.min(items.len())).map(|_| scope.spawn(|| run(&mut || true))).collect();
        let mut done = run(go_on);
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
    use super::{GoOn, map};

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
    fn stops_when_told() {
        assert!(map(&[1, 2, 3], 2, &mut || false, |n, _| Some(n + 1)).is_none());
        assert_eq!(map(&[] as &[u8], 2, &mut || true, |n, _| Some(n + 1)), Some(vec![]));
    }

    #[test]
    fn stops_in_the_middle_of_an_item() {
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            asked < 100
        };
        let endless = |_: &u8, go_on: GoOn<'_>| {
            while go_on() {}
            None::<u8>
        };
        assert!(map(&[1, 2], 2, &mut go_on, endless).is_none());
    }
}
