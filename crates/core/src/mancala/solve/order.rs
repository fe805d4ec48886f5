//! Which moves to try first.
//!
//! Nearly any move that looks good proves what is to be proved; which one decides how much work that is. The numbers were
//! found by trial: with them, boards of several sizes took the fewest positions.

use super::node::{Child, Solvable};
use crate::mancala::mover::Mover;
use crate::random::scramble;

/// Tells which moves look good.
pub(super) struct Order<'a, R> {
    mover: &'a Mover<R>,
    /// The row whose every house reaches the store with its last seed.
    reaching: R,
    /// Threads that look for the same proof have different whims, so that they look in different places; 0 is none.
    whim: u64,
}

/// How much a whim counts, at most: about as much as a seed.
const WHIM: u64 = 16;

impl<'a, R: Solvable> Order<'a, R> {
    pub(super) fn new(mover: &'a Mover<R>, whim: u64) -> Self {
        let houses = mover.rules.houses;
        let reaching = (0..houses).fold(R::default(), |row, house| row.with(house, (houses - house) as u16));
        Order { mover, reaching, whim }
    }

    /// How good a move looks: extra turns come first, then what fills the store; houses near to it before others.
    #[inline(always)]
    pub(super) fn at_a_glance(&self, child: &Child<R>) -> i32 {
        let houses = self.mover.rules.houses;
        let Child { after, gain, captured, extra_turn, house, .. } = child;
        let (mine, theirs) = if *extra_turn { (after.own, after.other) } else { (after.other, after.own) };
        let filled = |row: R| row.filled(houses).count_ones() as i32;
        let extra_turns = |row: R| row.equal(self.reaching, houses) as i32;
        let mut order = 20 * gain + 4 * captured + 5 * house + 2 * extra_turns(mine);
        order += 3 * filled(mine) + 4 * filled(theirs);
        order += if *extra_turn { 80 + 10 * house } else { -14 * extra_turns(theirs) };
        if self.whim > 0 {
            order += (scramble(self.whim ^ mine.bits()) % WHIM) as i32;
        }
        order
    }
}
