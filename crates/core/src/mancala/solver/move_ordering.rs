//! Move ordering of the solver.
//!
//! Many moves can cause a cutoff, but they differ in the number of positions that this takes. The weights were tuned by
//! trial to minimise nodes on boards of several sizes.

use super::node::{Child, Solvable};
use crate::mancala::generator::MoveGenerator;
use crate::random::scramble;

/// The move ordering of one thread.
pub(super) struct MoveOrdering<'a, R> {
    generator: &'a MoveGenerator<R>,
    /// The row in which every house gives an extra turn: its last seed lands in the store.
    reaching: R,
    /// The seed of the noise that is added to scores, so that threads search in different orders; 0 for no noise.
    noise_seed: u64,
}

/// The upper bound of the noise, about the weight of a seed.
const NOISE: u64 = 16;

impl<'a, R: Solvable> MoveOrdering<'a, R> {
    pub(super) fn new(generator: &'a MoveGenerator<R>, noise_seed: u64) -> Self {
        let houses = generator.rules.houses;
        let reaching = (0..houses).fold(R::default(), |row, house| row.with(house, (houses - house) as u16));
        MoveOrdering { generator, reaching, noise_seed }
    }

    /// Return the score of a move: extra turns first, then moves that add to the store; houses near the store before
    /// others.
    #[inline(always)]
    pub(super) fn score(&self, child: &Child<R>) -> i32 {
        let houses = self.generator.rules.houses;
        let Child { after, gain, captured, extra_turn, house, .. } = child;
        let (mine, theirs) = if *extra_turn { (after.own, after.other) } else { (after.other, after.own) };
        let filled = |row: R| row.filled(houses).count_ones() as i32;
        let extra_turns = |row: R| row.equal(self.reaching, houses) as i32;
        let mut score = 20 * gain + 4 * captured + 5 * house + 2 * extra_turns(mine);
        score += 3 * filled(mine) + 4 * filled(theirs);
        score += if *extra_turn { 80 + 10 * house } else { -14 * extra_turns(theirs) };
        if self.noise_seed > 0 {
            score += (scramble(self.noise_seed ^ mine.bits()) % NOISE) as i32;
        }
        score
    }
}
