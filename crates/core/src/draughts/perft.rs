//! Perft: counting the move sequences of a length, the standard test of a move generator.

use super::bitboard::Bitboard;
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::generator::MoveGenerator;
use super::moves::{CountSink, Move};
use super::position::Position;
use super::specialisation::RuleSource;
use crate::parallel::{self, KeepGoing};

/// The depth of the largest subtree that is counted without a call of `keep_going`.
const UNPOLLED_DEPTH: u32 = 5;

/// The depth at which the tree is split into subtrees, which are distributed to threads.
const SPLIT_DEPTH: u32 = 2;

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Return the number of move sequences of a length, or None if `keep_going` returned false.
    pub(super) fn perft(
        &self,
        position: &Position<B>,
        depth: u32,
        paths: CapturePaths,
        threads: usize,
        keep_going: KeepGoing<'_>,
    ) -> Option<u64> {
        let split = SPLIT_DEPTH.min(depth);
        let pieces = self.positions_after(position, split, paths);
        let below = |piece: &Position<B>, keep_going: KeepGoing<'_>| {
            self.count_sequences(piece, depth - split, paths, keep_going)
        };
        let counts = parallel::map(&pieces, threads, keep_going, below)?;
        Some(counts.iter().sum())
    }

    /// Return the positions at a depth of `plies`, once for each move sequence.
    fn positions_after(&self, position: &Position<B>, plies: u32, paths: CapturePaths) -> Vec<Position<B>> {
        let (mut positions, mut moves, mut scratch) = (vec![*position], Vec::new(), Scratch::default());
        for _ in 0..plies {
            let mut next = Vec::new();
            for position in &positions {
                moves.clear();
                self.list_moves(position, paths, &mut scratch, &mut moves);
                next.extend(moves.iter().map(|played| self.after(position, played)));
            }
            positions = next;
        }
        positions
    }

    fn count_sequences(
        &self,
        position: &Position<B>,
        depth: u32,
        paths: CapturePaths,
        keep_going: KeepGoing<'_>,
    ) -> Option<u64> {
        if depth > UNPOLLED_DEPTH {
            if !keep_going() {
                return None;
            }
            let mut moves = Vec::new();
            self.list_moves(position, paths, &mut Scratch::default(), &mut moves);
            let mut counts = moves
                .iter()
                .map(|played| self.count_sequences(&self.after(position, played), depth - 1, paths, keep_going));
            return counts.try_fold(0, |sum, count| Some(sum + count?));
        }
        let mut lists = vec![Vec::new(); depth as usize];
        let scratch = &mut Scratch::default();
        Some(self.count_below(position, depth, paths, &mut lists, scratch))
    }

    /// Count without calling `keep_going`. Moves at depth 1 are counted but not played (bulk counting).
    fn count_below(
        &self,
        position: &Position<B>,
        depth: u32,
        paths: CapturePaths,
        lists: &mut [Vec<Move<B>>],
        scratch: &mut Scratch<B>,
    ) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_leaves(position, paths, scratch),
            _ => {
                let Some((moves, deeper)) = lists.split_first_mut() else {
                    unreachable!("there is a list for each depth")
                };
                moves.clear();
                self.generate(position, paths, scratch, moves);
                if depth == 2 {
                    let count = |played| self.count_leaves(&self.after(position, played), paths, scratch);
                    return moves.iter().map(count).sum();
                }
                let count = |played| self.count_below(&self.after(position, played), depth - 1, paths, deeper, scratch);
                moves.iter().map(count).sum()
            }
        }
    }

    /// Count the legal moves of a position.
    #[inline(always)]
    fn count_leaves(&self, position: &Position<B>, paths: CapturePaths, scratch: &mut Scratch<B>) -> u64 {
        let mut count = CountSink::default();
        self.generate(position, paths, scratch, &mut count);
        count.0
    }
}
