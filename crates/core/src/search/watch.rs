//! When a search has to stop: all its threads look here.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::limit::{Allowance, Limit};

/// How a stable choice shortens the time for a move, iteration by iteration, and how short it gets.
const CALM: f64 = 0.9;
const CALMEST: f64 = 0.8;
const DOUBTFUL: f64 = 1.3;
/// Until which part of that time another iteration is begun.
const BEGUN: f64 = 0.7;

/// The limits of one search and how far they are used up.
pub struct Watch {
    limit: Limit,
    allowance: Option<Allowance>,
    /// When time began to count; none while the opponent is still thinking.
    started: Mutex<Option<Instant>>,
    /// Whether the opponent thought longer than the share of a move.
    pondered: AtomicBool,
    born: Instant,
    /// Whether somebody said to stop.
    stopped: AtomicBool,
    /// Whether a limit is reached.
    spent: AtomicBool,
    nodes: AtomicU64,
}

impl Watch {
    /// A watch that runs from now on, or from `hit` on where the search begins in the opponent's time.
    pub fn new(limit: Limit, pondering: bool) -> Self {
        let now = Instant::now();
        Watch {
            limit,
            allowance: limit.clock.map(|clock| clock.allowance()),
            started: Mutex::new((!pondering).then_some(now)),
            pondered: AtomicBool::new(false),
            born: now,
            stopped: AtomicBool::new(false),
            spent: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        }
    }

    /// Ends the search at once.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// The opponent has played the move that was expected: from now on time counts.
    pub fn hit(&self) {
        let mut started = self.started();
        if started.is_none() {
            *started = Some(Instant::now());
            let is_long = self.allowance.is_some_and(|allowance| self.elapsed() > allowance.share);
            self.pondered.store(is_long, Relaxed);
        }
    }

    /// How long the search has run.
    pub fn elapsed(&self) -> Duration {
        self.born.elapsed()
    }

    pub(super) fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Whether somebody said to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    fn thinking(&self) -> Option<Duration> {
        self.started().map(|started| started.elapsed())
    }

    fn started(&self) -> MutexGuard<'_, Option<Instant>> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what a thread has searched, and tells whether to go on.
    pub(super) fn goes_on(&self, searched: u64) -> bool {
        let nodes = self.nodes.fetch_add(searched, Relaxed) + searched;
        if self.limit.nodes.is_some_and(|most| nodes >= most) {
            self.spent.store(true, Relaxed);
        }
        let by_clock = self.allowance.map(|allowance| {
            // What was thought in the opponent's time need not be thought again.
            if self.pondered.load(Relaxed) { allowance.share } else { allowance.most }
        });
        let most = [self.limit.time, by_clock].into_iter().flatten().min();
        if most.is_some_and(|most| self.thinking().is_some_and(|thinking| thinking >= most)) {
            self.spent.store(true, Relaxed);
        }
        !self.is_stopped() && !self.spent.load(Relaxed)
    }

    /// What all threads have searched so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Whether there is time for another iteration, after the choice has stood for so many.
    pub(super) fn has_time(&self, stable: u32, only_move: bool) -> bool {
        let (Some(allowance), Some(thinking)) = (self.allowance, self.thinking()) else { return true };
        let factor = (DOUBTFUL * CALM.powi(stable as i32)).max(CALMEST);
        // The next iteration takes longer than all before it: it is not begun when most of the time is gone.
        !only_move && thinking < allowance.share.mul_f64(factor * BEGUN)
    }
}
