//! Time management, node limits and pondering; shared by all threads of a search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::limit::{Limit, TimeBudget};
use crate::platform::Instant;
use crate::work::Monitor;

/// The fraction of the optimum time that is used if the best move has just changed.
const UNSTABLE_FACTOR: f64 = 1.3;
/// Each iteration that confirms the best move multiplies that fraction by this factor.
const STABILITY_FACTOR: f64 = 0.9;
/// The minimum fraction of the optimum time.
const MIN_FACTOR: f64 = 0.8;
/// A new iteration starts only if less than this fraction of the time is used, because it takes longer than all before
/// it.
const NEW_ITERATION_FACTOR: f64 = 0.7;

/// The limits of one search, and how much of them is used.
pub struct TimeManager {
    limit: Limit,
    budget: Option<TimeBudget>,
    /// The time when thinking started; None while pondering.
    started: Mutex<Option<Instant>>,
    /// Whether pondering took longer than the optimum time of a move.
    pondered: AtomicBool,
    created: Instant,
    /// Whether `stop` was called.
    stopped: AtomicBool,
    /// Whether a limit is reached.
    exhausted: AtomicBool,
    nodes: AtomicU64,
}

impl TimeManager {
    /// Create a time manager. Its time starts now, or with `ponder_hit` if the search ponders.
    pub fn new(limit: Limit, pondering: bool) -> Self {
        let now = Instant::now();
        TimeManager {
            limit,
            budget: limit.clock.map(|clock| clock.budget()),
            started: Mutex::new((!pondering).then_some(now)),
            pondered: AtomicBool::new(false),
            created: now,
            stopped: AtomicBool::new(false),
            exhausted: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        }
    }

    /// Stop the search as soon as possible.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Start the thinking time: the opponent has played the expected move.
    pub fn ponder_hit(&self) {
        let mut started = self.started();
        if started.is_none() {
            *started = Some(Instant::now());
            let is_long = self.budget.is_some_and(|budget| self.elapsed() > budget.optimum);
            self.pondered.store(is_long, Relaxed);
        }
    }

    /// Return the time since the search started, including pondering.
    pub fn elapsed(&self) -> Duration {
        self.created.elapsed()
    }

    pub(super) fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Return whether `stop` was called.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    fn thinking_time(&self) -> Option<Duration> {
        self.started().map(|started| started.elapsed())
    }

    fn started(&self) -> MutexGuard<'_, Option<Instant>> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Add the nodes that a thread has searched, and return whether the search continues.
    pub(super) fn add_nodes(&self, searched: u64) -> bool {
        let nodes = self.nodes.fetch_add(searched, Relaxed) + searched;
        if self.limit.nodes.is_some_and(|limit| nodes >= limit) {
            self.exhausted.store(true, Relaxed);
        }
        let by_clock = self.budget.map(|budget| {
            // If the search has pondered, it gets no extra time.
            if self.pondered.load(Relaxed) { budget.optimum } else { budget.maximum }
        });
        let limit = [self.limit.time, by_clock].into_iter().flatten().min();
        if limit.is_some_and(|limit| self.thinking_time().is_some_and(|time| time >= limit)) {
            self.exhausted.store(true, Relaxed);
        }
        !self.is_stopped() && !self.exhausted.load(Relaxed)
    }

    /// Return the number of nodes that all threads have reported.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Return whether there is time for another iteration, if the last `stable` iterations confirmed the best move.
    pub(super) fn has_time_for_iteration(&self, stable: u32, only_move: bool) -> bool {
        let (Some(budget), Some(time)) = (self.budget, self.thinking_time()) else { return true };
        let factor = (UNSTABLE_FACTOR * STABILITY_FACTOR.powi(stable as i32)).max(MIN_FACTOR);
        !only_move && time < budget.optimum.mul_f64(factor * NEW_ITERATION_FACTOR)
    }
}

/// The monitor of a search cancels a long generation of moves if the search has to stop.
impl Monitor for TimeManager {
    fn add(&self, _: u64) -> bool {
        self.add_nodes(0)
    }
}
