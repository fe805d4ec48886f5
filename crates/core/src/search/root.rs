//! The moves of the position that is asked about.

use super::play::Play;
use super::value::{INFINITE, Value};
use super::window::Window;
use super::worker::Worker;

/// A first move and what was found out about it.
#[derive(Clone, Debug)]
pub(super) struct Candidate<M> {
    pub(super) played: M,
    pub(super) value: Value,
    /// The line that begins with it.
    pub(super) line: Vec<M>,
}

impl<M: Copy> Candidate<M> {
    pub(super) fn new(played: M) -> Self {
        Candidate { played, value: Value::guess(-INFINITE), line: vec![played] }
    }
}

/// A window that has become so many times as wide as the first is opened altogether.
const WIDEST: i32 = 50;

impl<P: Play> Worker<'_, P> {
    /// Brings the best of the candidates from `first` on to that place, searched so deep; None where it was stopped.
    ///
    /// What is found is written down at once, so that the best so far stands in its place after a stop too.
    pub(super) fn search_root(
        &mut self,
        node: &P::Node,
        candidates: &mut [Candidate<P::Move>],
        first: usize,
        depth: i32,
    ) -> Option<Value> {
        let before = candidates[first].value;
        let mut half = P::WINDOW;
        let mut window = if depth >= 4 && before.score.abs() < INFINITE / 2 {
            Window { alpha: before.score - half, beta: before.score + half, depth }
        } else {
            Window { alpha: -INFINITE, beta: INFINITE, depth }
        };
        loop {
            let value = self.search_candidates(node, candidates, first, window)?;
            half *= 2;
            let is_wide = half > WIDEST * P::WINDOW;
            if value.score <= window.alpha {
                window.alpha = if is_wide { -INFINITE } else { value.score.saturating_sub(half).max(-INFINITE) };
            } else if value.score >= window.beta {
                window.beta = if is_wide { INFINITE } else { value.score.saturating_add(half).min(INFINITE) };
            } else {
                return Some(value);
            }
        }
    }

    fn search_candidates(
        &mut self,
        node: &P::Node,
        candidates: &mut [Candidate<P::Move>],
        first: usize,
        window: Window,
    ) -> Option<Value> {
        let (mut best, mut alpha, mut all_proven) = (Value::proven(-INFINITE), window.alpha, true);
        for index in first..candidates.len() {
            let played = candidates[index].played;
            let open = Window { alpha, beta: window.beta, depth: window.depth - 1 };
            let value = if index == first {
                self.try_move(node, &played, open, 0)?
            } else {
                let value = self.try_move(node, &played, Window::above(alpha, window.depth - 1), 0)?;
                if value.score > alpha && value.score < window.beta {
                    self.try_move(node, &played, open, 0)?
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
                candidates[index].value = value;
                candidates[index].line.truncate(1);
                candidates[index].line.extend_from_slice(&self.frames[1].line);
                candidates[first..=index].rotate_right(1);
                if alpha >= window.beta {
                    return Some(best);
                }
            }
        }
        best.proven = all_proven;
        if best.score > window.alpha {
            candidates[first].value = best;
        }
        Some(best)
    }
}
