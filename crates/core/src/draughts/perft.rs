//! Counting the positions that moves lead to: the judge of a mover.

use super::captures::Scratch;
use super::features::Features;
use super::moves::Move;
use super::mover::Mover;
use super::position::Position;
use super::squares::SquareSet;

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// The number of move sequences of the given length; the last moves are counted without being made.
    pub(super) fn perft(&self, position: &Position<S>, depth: u32) -> u64 {
        let mut lists = vec![Vec::new(); depth as usize];
        self.count_below(position, depth, &mut lists, &mut Scratch::default())
    }

    fn count_below(
        &self,
        position: &Position<S>,
        depth: u32,
        lists: &mut [Vec<Move<S>>],
        scratch: &mut Scratch<S>,
    ) -> u64 {
        match depth {
            0 => 1,
            1 => self.count(position, scratch),
            _ => {
                let Some((moves, deeper)) = lists.split_first_mut() else { unreachable!("a list for every depth") };
                moves.clear();
                self.generate(position, scratch, moves);
                let count = |played| self.count_below(&self.after(position, played), depth - 1, deeper, scratch);
                moves.iter().map(count).sum()
            }
        }
    }
}
