//! The fuzz targets: each decodes arbitrary bytes to an input, and panics if a property does not hold.
//!
//! Besides correctness, the targets check two limits: the units of work that a limited monitor receives, and the memory
//! that is allocated.

mod allocation;
mod draughts;
mod mancala;
mod rules;
mod tablebase;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tablemen_core::text::NotationError;
use tablemen_core::work::{POLL_INTERVAL, SharedMonitor};

/// A fuzz target.
type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Target); 9] = [
    ("fen", draughts::fen),
    ("moves", draughts::moves),
    ("pdn", draughts::pdn),
    ("positions", draughts::positions),
    ("search", draughts::search),
    ("tablebase", tablebase::files),
    ("mancala", mancala::positions),
    ("solver", mancala::solver),
    ("tables", mancala::tables),
];

/// Run the target with this name.
pub fn check(name: &str, input: &[u8]) {
    let (_, target) = TARGETS.into_iter().find(|(each, _)| *each == name).expect("a target has this name");
    target(input);
}

/// The bytes of an input, decoded from the front. After the last byte, every number is 0.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Decode a number in `0..bound`.
    fn below(&mut self, bound: usize) -> usize {
        let number = usize::from(self.byte()) | if bound > 256 { usize::from(self.byte()) << 8 } else { 0 };
        number % bound
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    /// Return the rest as text; invalid UTF-8 is replaced.
    fn text(self) -> String {
        String::from_utf8_lossy(self.0).into_owned()
    }
}

/// The maximum number of units that are added at once.
const MAX_STEP: u64 = 4;

/// A monitor that cancels work after a number of units, and records the units that it received.
struct LimitedWork {
    limit: u64,
    units: Arc<AtomicU64>,
    monitor: SharedMonitor,
}

impl LimitedWork {
    fn new(limit: u64) -> Self {
        let units = Arc::new(AtomicU64::new(0));
        let received = Arc::clone(&units);
        let monitor: SharedMonitor = Arc::new(move |added| received.fetch_add(added, Relaxed) + added < limit);
        LimitedWork { limit, units, monitor }
    }

    /// Check that the work ended at the first call of the monitor after the limit.
    #[track_caller]
    fn check(&self) {
        let units = self.units.load(Relaxed);
        // The step of a replay that reaches the interval can have more than one unit.
        let max = self.limit + u64::from(POLL_INTERVAL) + MAX_STEP;
        assert!(units <= max, "{units} units of work with a limit of {}", self.limit);
    }
}

/// Check that an error is at a character of the text, or at its end.
#[track_caller]
fn check_location(error: &NotationError, text: &str) {
    assert!(error.at <= text.chars().count(), "{error:?} in {text:?}");
    assert!(!error.problem.is_empty());
}
