//! The root of the search tree: root moves, searched with an aspiration window.

use super::alphabeta::Worker;
use super::game::SearchGame;
use super::value::{INFINITE, Value};
use super::window::Window;

/// A legal move of the root position, with its value and principal variation.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) played: M,
    pub(super) value: Value,
    /// The principal variation, starting with the move.
    pub(super) pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(played: M) -> Self {
        RootMove { played, value: Value::heuristic(-INFINITE), pv: vec![played] }
    }
}

/// The depth from which the first window is an aspiration window.
const MIN_ASPIRATION_DEPTH: i32 = 4;
/// A bound of the window becomes infinite if its distance would exceed this multiple of the first distance.
const MAX_WIDENING: i32 = 50;

impl<G: SearchGame> Worker<'_, G> {
    /// Search the root moves from index `first` on, move the best of them to `first`, and return its value.
    ///
    /// The first window is an aspiration window around the score of the previous iteration; it is widened while the
    /// search fails high or low. Improvements are written to `moves` at once, so they survive a stop.
    pub(super) fn search_root(
        &mut self,
        node: &G::Node,
        moves: &mut [RootMove<G::Move>],
        first: usize,
        depth: i32,
    ) -> Option<Value> {
        let before = moves[first].value;
        let mut delta = G::ASPIRATION_DELTA;
        let mut window = if depth >= MIN_ASPIRATION_DEPTH && before.score.abs() < INFINITE / 2 {
            Window { alpha: before.score - delta, beta: before.score + delta, depth }
        } else {
            Window { alpha: -INFINITE, beta: INFINITE, depth }
        };
        loop {
            let value = self.search_root_moves(node, moves, first, window)?;
            delta *= 2;
            let is_wide = delta > MAX_WIDENING * G::ASPIRATION_DELTA;
            if value.score <= window.alpha {
                window.alpha = if is_wide { -INFINITE } else { value.score.saturating_sub(delta).max(-INFINITE) };
            } else if value.score >= window.beta {
                window.beta = if is_wide { INFINITE } else { value.score.saturating_add(delta).min(INFINITE) };
            } else {
                return Some(value);
            }
        }
    }

    /// Search the root moves within a window: principal variation search without reductions.
    fn search_root_moves(
        &mut self,
        node: &G::Node,
        moves: &mut [RootMove<G::Move>],
        first: usize,
        window: Window,
    ) -> Option<Value> {
        if window.depth == 1 && self.game.evaluates_batches() {
            let leaves: Vec<_> = moves[first..].iter().map(|each| each.played).collect();
            self.prepare_leaves(node, &leaves, true)?;
        }
        let (mut best, mut alpha, mut all_proven) = (Value::proven(-INFINITE), window.alpha, true);
        for index in first..moves.len() {
            let played = moves[index].played;
            let open = Window { alpha, beta: window.beta, depth: window.depth - 1 };
            let value = if index == first {
                self.search_child(node, &played, open, 0)?
            } else {
                let value = self.search_child(node, &played, Window::null(alpha, window.depth - 1), 0)?;
                if value.score > alpha && value.score < window.beta {
                    self.search_child(node, &played, open, 0)?
                } else {
                    value
                }
            };
            all_proven &= value.proven;
            if value.score > best.score {
                best = value;
            }
            if value.score > alpha {
                alpha = value.score;
                moves[index].value = value;
                moves[index].pv.truncate(1);
                moves[index].pv.extend_from_slice(&self.move_lists[1].pv);
                moves[first..=index].rotate_right(1);
                if alpha >= window.beta {
                    return Some(best);
                }
            }
        }
        best.proven = all_proven;
        if best.score > window.alpha {
            moves[first].value = best;
        }
        Some(best)
    }
}
