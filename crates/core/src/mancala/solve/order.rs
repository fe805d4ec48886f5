//! Which moves to try first.
//!
//! The numbers were found by trial: they are those with which small boards were solved in the least time.

use super::node::{Child, Solvable, Stores};
use super::tables::View;
use crate::mancala::mover::Mover;
use crate::mancala::position::Position;
use crate::random::scramble;

/// A seed in the units that a look ahead counts in.
const SEED: i32 = 64;

/// How many seeds above the tables a look ahead pays, and how many more it takes for another ply of it.
const LOOK_FROM: i32 = 3;
const SEEDS_A_PLY: i32 = 5;
const MOST_PLIES: i32 = 3;

/// Tells which moves are likely to be good.
pub(super) struct Order<'a, R> {
    mover: &'a Mover<R>,
    stores: Stores,
    tables: &'a View<'a>,
    /// The row whose every house reaches the store with its last seed.
    reaching: R,
    /// Threads that look for the same proof have different whims, so that they look in different places.
    whim: u64,
    /// The moves that a look ahead is at.
    ahead: Vec<Child<R>>,
}

impl<'a, R: Solvable> Order<'a, R> {
    pub(super) fn new(mover: &'a Mover<R>, tables: &'a View<'a>, whim: u64) -> Self {
        let houses = mover.rules.houses;
        let reaching = (0..houses).fold(R::default(), |row, house| row.with(house, (houses - house) as u16));
        Order { mover, stores: Stores::new(mover), tables, reaching, whim, ahead: Vec::new() }
    }

    /// How good a move looks: extra turns first, those nearest to the store before others, then what fills the store.
    #[inline(always)]
    pub(super) fn at_a_glance(&self, child: &Child<R>) -> i32 {
        let houses = self.mover.rules.houses;
        let Child { after, gain, captured, extra_turn, house, .. } = child;
        let (mine, theirs) = if *extra_turn { (after.own, after.other) } else { (after.other, after.own) };
        let filled = |row: R| row.filled(houses).count_ones() as i32;
        let mut order =
            20 * gain + 21 * captured + house + 2 * self.extra_turns(mine) + 8 * filled(mine) + 2 * filled(theirs);
        if *extra_turn {
            order += 100 + 11 * house;
        } else {
            order -= 13 * self.extra_turns(theirs);
        }
        order
    }

    /// Looks a few plies ahead where that pays: in positions with many seeds, which are few and lead to many.
    pub(super) fn look_ahead(&mut self, children: &mut [Child<R>]) {
        let [first, _, ..] = children else { return };
        let plies = (first.seeds - self.tables.layers() as i32 - LOOK_FROM) / SEEDS_A_PLY;
        if plies < 1 {
            return;
        }
        for child in children {
            let plies = plies.min(MOST_PLIES) - i32::from(!child.extra_turn);
            let after = self.estimate(&child.after, child.seeds, plies, [-i32::MAX / 2, i32::MAX / 2]);
            let gain = SEED * child.gain;
            let worth = if child.extra_turn { gain + after } else { gain - after };
            child.order += 100 * worth;
            if self.whim != 0 {
                let noise = scramble(self.whim ^ child.after.hash_key()) % (100 * SEED as u64);
                child.order += noise as i32;
            }
        }
    }

    /// About what a position is worth to its side to move; exact where all lines of play reach the tables.
    fn estimate(&mut self, position: &Position<R>, seeds: i32, plies: i32, [mut least, most]: [i32; 2]) -> i32 {
        let houses = self.mover.rules.houses;
        if let Some(worth) = R::known(self.tables, position.own, position.other, seeds as usize) {
            return SEED * worth;
        }
        if plies <= 0 {
            let lead = i32::from(position.own.sum(houses)) - i32::from(position.other.sum(houses));
            return 17 * self.extra_turns(position.own) + 14 * self.extra_turns(position.other) - 2 * lead;
        }
        let moves = self.mover.legal_moves(position);
        if moves.is_empty() {
            return SEED * self.mover.rest(position);
        }
        let mark = self.ahead.len();
        for played in moves {
            let mut child = self.stores.play(self.mover, position, played);
            child.order = 8 * child.gain + 100 * i32::from(child.extra_turn) + child.house;
            self.ahead.push(child);
        }
        self.ahead[mark..].sort_unstable_by_key(|child| -child.order);
        let mut best = i32::MIN;
        for at in mark..self.ahead.len() {
            let child = self.ahead[at];
            let gain = SEED * child.gain;
            let worth = if child.extra_turn {
                gain + self.estimate(&child.after, child.seeds, plies, [least - gain, most - gain])
            } else {
                gain - self.estimate(&child.after, child.seeds, plies - 1, [gain - most, gain - least])
            };
            best = best.max(worth);
            least = least.max(worth);
            if best >= most {
                break;
            }
        }
        self.ahead.truncate(mark);
        best
    }

    /// How many houses of a row bring an extra turn.
    #[inline(always)]
    fn extra_turns(&self, row: R) -> i32 {
        row.equal(self.reaching, self.mover.rules.houses) as i32
    }
}
