//! Search limits, and the time budget that a clock allows.

use std::time::Duration;

/// The clock of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// The time left for the rest of the game, or for the next `moves` moves.
    pub left: Duration,
    /// The increment for each move.
    pub increment: Duration,
    /// The number of moves to the next time control, or None for sudden death.
    pub moves: Option<u32>,
}

/// The limits of a search: it ends at the first that is reached. Without limits it runs until it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limit {
    /// The maximum depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// The maximum time.
    pub time: Option<Duration>,
    /// A clock; the time manager uses a part of its time.
    pub clock: Option<Clock>,
}

/// The assumed number of moves to go under sudden death.
const DEFAULT_MOVES_TO_GO: u32 = 30;
/// The maximum time for a move is this many times the optimum.
const MAX_OPTIMUM_RATIO: u32 = 4;

/// The time budget of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeBudget {
    /// The soft limit: the time that an ordinary move takes.
    pub(super) optimum: Duration,
    /// The hard limit.
    pub(super) maximum: Duration,
}

impl Clock {
    /// Return the time budget for the next move.
    pub(super) fn budget(&self) -> TimeBudget {
        let moves = self.moves.unwrap_or(DEFAULT_MOVES_TO_GO).max(1);
        // Reserve some time to send the move.
        let usable = self.left - self.left / 20;
        let optimum = (usable / moves + self.increment * 4 / 5).min(usable);
        let maximum = (optimum * MAX_OPTIMUM_RATIO).min(if moves == 1 { usable } else { usable / 2 });
        TimeBudget { optimum: optimum.min(maximum), maximum }
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use std::time::Duration;

    fn clock(left: u64, increment: u64, moves: Option<u32>) -> Clock {
        Clock { left: Duration::from_millis(left), increment: Duration::from_millis(increment), moves }
    }

    #[test]
    fn the_budget_never_exceeds_the_time_left() {
        for left in [0, 1, 10, 1000, 60_000] {
            for increment in [0, 100, 10_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let clock = clock(left, increment, moves);
                    let budget = clock.budget();
                    assert!(budget.optimum <= budget.maximum && budget.maximum <= clock.left, "{clock:?}");
                }
            }
        }
    }

    #[test]
    fn last_move_can_use_nearly_all_time_and_others_a_fraction() {
        assert_eq!(clock(10_000, 0, Some(1)).budget().maximum, Duration::from_millis(9500));
        let optimum = clock(60_000, 0, None).budget().optimum;
        assert!(optimum > Duration::from_secs(1) && optimum < Duration::from_secs(3));
        assert!(clock(60_000, 1000, None).budget().optimum > optimum);
    }
}
