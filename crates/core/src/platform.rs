//! The platform services that the core uses: threads and a monotonic clock.
//!
//! WebAssembly (`wasm32-unknown-unknown`) has neither: everything runs on the calling thread there, and the host sets
//! the clock with `set_clock`.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use std::time::Instant;

#[cfg(target_arch = "wasm32")]
pub(crate) use host_clock::Instant;
#[cfg(target_arch = "wasm32")]
pub use host_clock::set_clock;

/// Whether the platform can start threads.
pub(crate) const HAS_THREADS: bool = cfg!(not(target_arch = "wasm32"));

/// The stack of a helper thread, enough for the deepest search.
const HELPER_STACK: usize = 16 << 20;

/// Run `main` on the calling thread, and `helper(1)` to `helper(threads - 1)` on other threads. Return when all are
/// done.
///
/// If the platform cannot start that many threads, there are fewer helpers. The closures are trait objects, because the
/// code that starts threads is large and would otherwise be compiled for each pair of closures.
pub(crate) fn run_with_helpers(threads: usize, main: &mut dyn FnMut(), helper: &(dyn Fn(usize) + Sync)) {
    if !HAS_THREADS {
        return main();
    }
    std::thread::scope(|scope| {
        for index in 1..threads {
            let thread = std::thread::Builder::new().stack_size(HELPER_STACK);
            if thread.spawn_scoped(scope, move || helper(index)).is_err() {
                break;
            }
        }
        main();
    });
}

/// A clock that the host provides.
#[cfg(any(target_arch = "wasm32", test))]
mod host_clock {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Set the monotonic clock, such as the browser's `performance.now`. Without one, no time passes.
    ///
    /// Only the first call has an effect.
    pub fn set_clock(now: fn() -> Duration) {
        let _ = CLOCK.set(now);
    }

    /// A time of the host's clock, instead of `std::time::Instant`.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Self {
            Instant(CLOCK.get().map_or(Duration::ZERO, |now| now()))
        }

        pub(crate) fn elapsed(&self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::host_clock::{Instant, set_clock};
    use super::run_with_helpers;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    #[test]
    fn helpers_run_beside_the_calling_thread() {
        for threads in [1, 4] {
            let (mut calls, helpers) = (0, AtomicU64::new(0));
            run_with_helpers(threads, &mut || calls += 1, &|index| {
                helpers.fetch_or(1 << index, Ordering::Relaxed);
            });
            assert_eq!((calls, helpers.into_inner()), (1, if threads == 1 { 0 } else { 0b1110 }));
        }
    }

    #[test]
    fn the_host_provides_the_clock() {
        static MILLISECONDS: AtomicU64 = AtomicU64::new(5);
        let unset = Instant::now();
        assert_eq!(unset.elapsed(), Duration::ZERO);
        set_clock(|| Duration::from_millis(MILLISECONDS.load(Ordering::Relaxed)));
        let start = Instant::now();
        MILLISECONDS.store(12, Ordering::Relaxed);
        assert_eq!(start.elapsed(), Duration::from_millis(7));
        MILLISECONDS.store(0, Ordering::Relaxed);
        assert_eq!(start.elapsed(), Duration::ZERO);
    }
}
