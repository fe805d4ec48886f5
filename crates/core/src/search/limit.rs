//! How long to think.

use std::time::Duration;

/// The time that is left on a player's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// For the rest of the game, or for `moves` moves.
    pub left: Duration,
    /// What every move adds.
    pub increment: Duration,
    /// How many moves the time has to last for, where the control says so.
    pub moves: Option<u32>,
}

/// When to stop: at whatever comes first. Without any, when told to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limit {
    /// How many plies deep.
    pub depth: Option<u32>,
    /// How many positions.
    pub nodes: Option<u64>,
    /// How long.
    pub time: Option<Duration>,
    /// The clock, of which a fair share is used.
    pub clock: Option<Clock>,
}

/// How many moves a game is thought to go on where nobody says it.
const MOVES_TO_GO: u32 = 30;
/// How much longer than its share a move may take when the search is in doubt.
const MOST_SHARES: u32 = 4;

/// What a clock allows for one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Allowance {
    /// What an ordinary move should take.
    pub(super) share: Duration,
    /// What no move may exceed.
    pub(super) most: Duration,
}

impl Clock {
    pub(super) fn allowance(&self) -> Allowance {
        let moves = self.moves.unwrap_or(MOVES_TO_GO).max(1);
        // Something is kept for getting the move out.
        let usable = self.left - self.left / 20;
        let share = (usable / moves + self.increment * 4 / 5).min(usable);
        let most = (share * MOST_SHARES).min(if moves == 1 { usable } else { usable / 2 });
        Allowance { share: share.min(most), most }
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
    fn no_move_takes_more_than_the_clock_has() {
        for left in [0, 1, 10, 1000, 60_000] {
            for increment in [0, 100, 10_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let clock = clock(left, increment, moves);
                    let allowance = clock.allowance();
                    assert!(allowance.share <= allowance.most && allowance.most <= clock.left, "{clock:?}");
                }
            }
        }
    }

    #[test]
    fn the_last_move_may_use_nearly_all_and_others_a_share() {
        assert_eq!(clock(10_000, 0, Some(1)).allowance().most, Duration::from_millis(9500));
        let share = clock(60_000, 0, None).allowance().share;
        assert!(share > Duration::from_secs(1) && share < Duration::from_secs(3));
        assert!(clock(60_000, 1000, None).allowance().share > share);
    }
}
