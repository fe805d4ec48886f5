//! Perft: counting the move sequences of a length, the standard test of a move generator.

use super::bitboard::Bitboard;
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::generator::MoveGenerator;
use super::moves::{CountSink, Move};
use super::position::Position;
use super::specialisation::RuleSource;
use crate::parallel;
use crate::work::SharedMonitor;

/// The depth of the largest subtree whose leaves are counted before they are added to the monitor.
const UNPOLLED_DEPTH: u32 = 5;

/// The depth at which the tree is split into subtrees, which are distributed to threads.
const SPLIT_DEPTH: u32 = 2;

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Return the number of move sequences of a length, or None if the monitor cancelled the count.
    pub(super) fn perft(
        &self,
        position: &Position<B>,
        depth: u32,
        paths: CapturePaths,
        threads: usize,
        monitor: &SharedMonitor,
    ) -> Option<u64> {
        let split = SPLIT_DEPTH.min(depth);
        let pieces = self.positions_after(position, split, paths, monitor)?;
        let below = |piece: &Position<B>| self.count_sequences(piece, depth - split, paths, monitor);
        let counts = parallel::map(&pieces, threads, &**monitor, below)?;
        Some(counts.iter().sum())
    }

    /// Return the positions at a depth of `plies`, once for each move sequence.
    fn positions_after(
        &self,
        position: &Position<B>,
        plies: u32,
        paths: CapturePaths,
        monitor: &SharedMonitor,
    ) -> Option<Vec<Position<B>>> {
        let (mut positions, mut moves, mut scratch) = (vec![*position], Vec::new(), Scratch::new(Some(monitor)));
        for _ in 0..plies {
            let mut next = Vec::new();
            for position in &positions {
                moves.clear();
                self.list_moves(position, paths, &mut scratch, &mut moves);
                next.extend(moves.iter().map(|played| self.after(position, played)));
            }
            positions = next;
        }
        scratch.complete(positions)
    }

    fn count_sequences(
        &self,
        position: &Position<B>,
        depth: u32,
        paths: CapturePaths,
        monitor: &SharedMonitor,
    ) -> Option<u64> {
        let mut scratch = Scratch::new(Some(monitor));
        if depth > UNPOLLED_DEPTH {
            let mut moves = Vec::new();
            self.list_moves(position, paths, &mut scratch, &mut moves);
            scratch.complete(())?;
            let mut counts = moves
                .iter()
                .map(|played| self.count_sequences(&self.after(position, played), depth - 1, paths, monitor));
            return counts.try_fold(0, |sum, count| Some(sum + count?));
        }
        let mut lists = vec![Vec::new(); depth as usize];
        let count = self.count_below(position, depth, paths, &mut lists, &mut scratch);
        monitor.add(count).then_some(scratch.complete(count)?)
    }

    /// Count without adding the leaves to the monitor. Moves at depth 1 are counted but not played (bulk counting).
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
