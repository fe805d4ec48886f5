//! Work counting and cancellation.
//!
//! A capture search on a crowded board can visit more states than a computer can count. So all long work is counted in
//! units, and a monitor can cancel it: because a signal arrived, time is up, or a work limit is exceeded. One unit is a
//! state of a capture search or a position.

use std::sync::Arc;

/// Counts the work of all threads, and decides whether it continues.
pub trait Monitor: Send + Sync {
    /// Add units of work, and return whether to continue. After false, every call must return false.
    fn add(&self, units: u64) -> bool;

    /// Note that an allocation has failed, which cancels the work of the thread.
    fn memory_exhausted(&self) {}
}

impl<F: Fn(u64) -> bool + Send + Sync> Monitor for F {
    fn add(&self, units: u64) -> bool {
        self(units)
    }
}

/// A monitor that threads and buffers share.
pub type SharedMonitor = Arc<dyn Monitor>;

/// Return a monitor that never cancels.
pub fn unlimited() -> SharedMonitor {
    Arc::new(|_| true)
}

/// The number of units between two calls of the monitor.
pub const POLL_INTERVAL: u32 = 4096;

/// The work of one thread. It calls the monitor once in `POLL_INTERVAL` units.
///
/// Without a monitor, the first call cancels the work: it is longer than `POLL_INTERVAL`.
#[derive(Default)]
pub struct WorkCounter {
    monitor: Option<SharedMonitor>,
    units: u32,
    is_cancelled: bool,
}

impl WorkCounter {
    /// Create a counter for a monitor; None cancels work that is longer than `POLL_INTERVAL`.
    pub fn new(monitor: Option<&SharedMonitor>) -> Self {
        WorkCounter { monitor: monitor.cloned(), units: 0, is_cancelled: false }
    }

    /// Add units of work, and return whether to continue.
    #[inline(always)]
    pub fn add(&mut self, units: u32) -> bool {
        self.units += units;
        self.units < POLL_INTERVAL || self.poll()
    }

    /// Return whether the work was cancelled, so that its results are incomplete.
    #[inline(always)]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    /// Forget the units since the last call of the monitor.
    #[inline(always)]
    pub fn reset(&mut self) {
        if !self.is_cancelled {
            self.units = 0;
        }
    }

    /// Cancel the work because an allocation has failed.
    #[cold]
    pub fn fail_allocation(&mut self) {
        if let Some(monitor) = &self.monitor {
            monitor.memory_exhausted();
        }
        self.is_cancelled = true;
        self.units = POLL_INTERVAL;
    }

    #[cold]
    fn poll(&mut self) -> bool {
        let units = u64::from(self.units);
        self.is_cancelled = self.is_cancelled || !self.monitor.as_ref().is_some_and(|monitor| monitor.add(units));
        // Cancelled work polls again at the next unit, and ends there.
        self.units = if self.is_cancelled { POLL_INTERVAL } else { 0 };
        !self.is_cancelled
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn the_monitor_receives_all_units() {
        static TOTAL: AtomicU64 = AtomicU64::new(0);
        let monitor: SharedMonitor = Arc::new(|units| TOTAL.fetch_add(units, Ordering::Relaxed) + units < 100_000);
        let mut work = WorkCounter::new(Some(&monitor));
        let mut units = 0;
        while work.add(7) {
            units += 7;
        }
        assert!(work.is_cancelled() && !work.add(0));
        let total = TOTAL.load(Ordering::Relaxed);
        assert_eq!(total, units + 7);
        assert!((100_000..=100_000 + u64::from(POLL_INTERVAL) + 7).contains(&total));
    }

    #[test]
    fn without_a_monitor_only_short_work_is_done() {
        let mut work = WorkCounter::new(None);
        assert!(work.add(POLL_INTERVAL - 1) && !work.is_cancelled());
        assert!(!work.add(1) && work.is_cancelled());
    }

    #[test]
    fn a_failed_allocation_cancels() {
        let mut work = WorkCounter::new(None);
        work.fail_allocation();
        assert!(work.is_cancelled() && !work.add(1));
    }
}
