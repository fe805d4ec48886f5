//! Quiescence search: follow tactical moves from a leaf until the position is quiet, then evaluate it.

use super::alphabeta::{MAX_PLY, Worker, at_least, tablebase_cutoff};
use super::game::{Leaf, SearchGame};
use super::move_ordering::MoveList;
use super::value::{INFINITE, Value};
use super::window::Window;

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
            Some(Value::heuristic(self.game.evaluate(node, &mut self.scratch)))
        }
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
            Leaf::Quiet => Some(Value::heuristic(self.game.evaluate(node, &mut self.scratch))),
            Leaf::Optional => {
                let stand_pat = Value::heuristic(self.game.evaluate(node, &mut self.scratch));
                if stand_pat.score >= window.beta {
                    Some(stand_pat)
                } else {
                    window.alpha = window.alpha.max(stand_pat.score);
                    self.quiescence_moves(node, window, ply, &mut list, stand_pat)
                }
            }
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
