//! Quiescence search: follow tactical moves from a leaf until the position is quiet, then evaluate it.

use super::alphabeta::{MAX_PLY, Worker, at_least, tablebase_cutoff};
use super::game::{Leaf, SearchGame};
use super::move_ordering::MoveList;
use super::value::{INFINITE, Value};
use super::window::Window;

/// The maximum number of forced moves after which leaves are evaluated in advance. More branches are rarely needed, since
/// the first good reply refutes a move.
const MAX_PREPARED_REPLIES: usize = 2;

impl<G: SearchGame> Worker<'_, G> {
    /// Return the value of a leaf: that of the quiescence search, or the static value in full-width mode.
    pub(super) fn leaf_value(&mut self, node: &G::Node, window: Window, ply: usize) -> Option<Value> {
        if self.full_width { self.static_value(node, ply) } else { self.quiescence(node, window, ply, true) }
    }

    /// Return the static evaluation, or the value of the end if the game is over.
    fn static_value(&mut self, node: &G::Node, ply: usize) -> Option<Value> {
        let mut list = std::mem::take(&mut self.move_lists[ply]);
        list.moves.clear();
        self.game.generate_moves(node, &mut self.scratch, &mut list.moves);
        let is_over = list.moves.is_empty();
        self.move_lists[ply] = list;
        if self.game.is_cancelled(&self.scratch) {
            None
        } else if is_over {
            Some(self.game.end_value(node, &mut self.scratch).relative_to_root(ply))
        } else {
            self.evaluate(node)
        }
    }

    #[inline(always)]
    fn evaluate(&mut self, node: &G::Node) -> Option<Value> {
        self.game.evaluate(node, &mut self.scratch).map(Value::heuristic)
    }

    /// Return the value of the quiescence search.
    fn quiescence(&mut self, node: &G::Node, mut window: Window, ply: usize, is_first: bool) -> Option<Value> {
        if ply > MAX_PLY {
            return self.static_value(node, MAX_PLY + 1);
        }
        let mut list = std::mem::take(&mut self.move_lists[ply]);
        list.moves.clear();
        let leaf = self.game.quiescence_moves(node, is_first, &mut self.scratch, &mut list.moves);
        let value = match leaf {
            _ if self.game.is_cancelled(&self.scratch) => None,
            Leaf::GameOver => Some(self.game.end_value(node, &mut self.scratch).relative_to_root(ply)),
            Leaf::Quiet => self.evaluate(node),
            Leaf::Optional => match self.evaluate(node) {
                Some(stand_pat) if stand_pat.score < window.beta => {
                    window.alpha = window.alpha.max(stand_pat.score);
                    self.quiescence_moves(node, window, ply, &mut list, stand_pat)
                }
                value => value,
            },
            Leaf::Forced => self.quiescence_moves(node, window, ply, &mut list, Value::proven(-INFINITE)),
        };
        self.move_lists[ply] = list;
        value
    }

    fn quiescence_moves(
        &mut self,
        node: &G::Node,
        mut window: Window,
        ply: usize,
        list: &mut MoveList<G::Move>,
        mut best: Value,
    ) -> Option<Value> {
        let mut all_proven = best.proven;
        if list.moves.len() > 1 {
            self.score_moves(node, list, 0);
        } else {
            list.scores.clear();
            list.scores.push(0);
        }
        if self.game.evaluates_batches() {
            self.prepare_leaves(node, &list.moves, false)?;
        }
        for index in 0..list.moves.len() {
            let played = list.pick(index);
            let value = self.quiescence_child(node, &played, window, ply)?;
            all_proven &= value.proven;
            if value.score > best.score {
                best = value;
                window.alpha = window.alpha.max(best.score);
                if best.score >= window.beta {
                    return Some(best);
                }
            }
        }
        Some(Value { proven: all_proven, ..best })
    }

    /// Evaluate the leaves after moves in one call, so that their values are cached: positions that the quiescence search
    /// evaluates, also after a few forced captures. `is_first` is that of `quiescence_moves` for the positions after the
    /// moves.
    #[cold]
    pub(super) fn prepare_leaves(&mut self, node: &G::Node, moves: &[G::Move], is_first: bool) -> Option<()> {
        let (mut leaves, mut replies) = (Vec::new(), Vec::new());
        let children = moves.iter().map(|played| (self.game.after(node, played, &mut self.scratch), is_first));
        let mut open: Vec<_> = children.collect();
        while let Some((child, is_first)) = open.pop() {
            if self.game.known_value(&child, &mut self.scratch).is_some() || self.game.tablebase_value(&child).is_some()
            {
                continue;
            }
            replies.clear();
            let leaf = if self.full_width {
                self.game.generate_moves(&child, &mut self.scratch, &mut replies);
                if replies.is_empty() { Leaf::GameOver } else { Leaf::Quiet }
            } else {
                self.game.quiescence_moves(&child, is_first, &mut self.scratch, &mut replies)
            };
            if self.game.is_cancelled(&self.scratch) {
                return None;
            }
            match leaf {
                Leaf::Quiet | Leaf::Optional => leaves.push(child),
                Leaf::Forced if replies.len() <= MAX_PREPARED_REPLIES => {
                    open.extend(
                        replies.iter().map(|played| (self.game.after(&child, played, &mut self.scratch), false)),
                    );
                }
                Leaf::Forced | Leaf::GameOver => {}
            }
        }
        self.game.prepare_evaluations(&leaves)
    }

    #[inline(always)]
    fn quiescence_child(&mut self, node: &G::Node, played: &G::Move, window: Window, ply: usize) -> Option<Value> {
        self.count_node()?;
        let child = self.game.after(node, played, &mut self.scratch);
        let turn_passed = self.game.side_to_move(&child) != self.game.side_to_move(node);
        if let Some(known) = self.game.known_value(&child, &mut self.scratch) {
            return Some(known.relative_to_root(ply + 1).negated_if(turn_passed));
        }
        let window = window.negated_if(turn_passed);
        let decided = self.game.tablebase_value(&child).map(|value| value.relative_to_root(ply + 1));
        let cutoff = decided.and_then(|decided| tablebase_cutoff(decided, window));
        let value = match cutoff {
            Some(value) => value,
            None => self.quiescence(&child, window, ply + 1, false)?,
        };
        Some(decided.map_or(value, |decided| at_least(decided, value)).negated_if(turn_passed))
    }
}
