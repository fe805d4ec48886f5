//! Positions as numbers of seeds: the form in which the core receives and returns them.

use super::rules::{MAX_SEEDS, Rules};
use crate::side::Side;

/// A position as numbers of seeds; houses are in the owner's sowing order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The side to move.
    pub turn: Side,
    /// The houses of South (the first player) and of North.
    pub houses: [Vec<u16>; 2],
    /// The stores of South and of North.
    pub stores: [u16; 2],
    /// Whether the second player, at the first turn, can still swap sides.
    pub swap_open: bool,
}

impl Setup {
    /// Return the number of seeds on the board, including the stores.
    pub(super) fn total(&self) -> u32 {
        self.houses.iter().flatten().chain(&self.stores).map(|seeds| u32::from(*seeds)).sum()
    }
}

/// A builder of setups that checks them against the rules and collects every problem.
pub struct SetupBuilder<'a> {
    rules: &'a Rules,
    setup: Setup,
    total: u64,
    problems: Vec<String>,
}

impl<'a> SetupBuilder<'a> {
    /// Create a builder with an empty board.
    pub fn new(rules: &'a Rules, turn: Side, swap_open: bool) -> Self {
        let mut problems = Vec::new();
        if swap_open && !rules.pie {
            problems.push("the rules do not let the second player swap sides".to_owned());
        }
        let empty = || vec![0; rules.houses];
        let setup = Setup { turn, houses: [empty(), empty()], stores: [0; 2], swap_open };
        SetupBuilder { rules, setup, total: 0, problems }
    }

    /// Set the seeds in the houses of a side.
    pub fn set_houses(&mut self, side: Side, seeds: &[i64]) {
        let name = side_name(side);
        let row = (1..).zip(seeds).map(|(house, seeds)| self.check(*seeds, || format!("house {house} of {name}")));
        let row: Vec<u16> = row.collect();
        if row.len() == self.rules.houses {
            self.setup.houses[side.index()] = row;
        } else {
            let s = if row.len() == 1 { "" } else { "s" };
            self.problems.push(format!("{name} has {} house{s}, not {}", row.len(), self.rules.houses));
        }
    }

    /// Set the seeds in the store of a side.
    pub fn set_store(&mut self, side: Side, seeds: i64) {
        self.setup.stores[side.index()] = self.check(seeds, || format!("the store of {}", side_name(side)));
    }

    /// Return the setup, or the problems as messages.
    pub fn build(mut self) -> Result<Setup, Vec<String>> {
        if self.total > u64::from(MAX_SEEDS) {
            self.problems.push(format!("there are {} seeds on the board, more than {MAX_SEEDS}", self.total));
        }
        if self.problems.is_empty() { Ok(self.setup) } else { Err(self.problems) }
    }

    /// Return the number of seeds of one pit; if it is out of range, add a problem and return 0.
    fn check(&mut self, seeds: i64, pit: impl Fn() -> String) -> u16 {
        let Ok(checked) = u16::try_from(seeds) else {
            self.problems.push(format!("{} has {seeds} seeds, not 0 to {MAX_SEEDS}", pit()));
            return 0;
        };
        self.total += u64::from(checked);
        checked
    }
}

/// Return the name of a side in mancala, for texts and messages.
pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "south",
        Side::Black => "north",
    }
}
