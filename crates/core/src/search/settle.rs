//! Positions that are not searched any deeper: what hangs there is taken first.

use super::order::Frame;
use super::play::{Leaf, Play};
use super::value::{INFINITE, Value};
use super::window::Window;
use super::worker::{LONGEST, Worker};

impl<P: Play> Worker<'_, P> {
    /// The value of a position that is not searched any deeper: as it is, once what hangs has been taken.
    pub(super) fn leaf(&mut self, node: &P::Node, window: Window, ply: usize) -> Option<Value> {
        if self.plain { Some(self.still(node, ply)) } else { self.settle_captures(node, window, ply, true) }
    }

    /// The value of a position as it is.
    fn still(&mut self, node: &P::Node, ply: usize) -> Value {
        let mut frame = std::mem::take(&mut self.frames[ply]);
        frame.moves.clear();
        self.play.moves(node, &mut self.scratch, &mut frame.moves);
        let is_over = frame.moves.is_empty();
        self.frames[ply] = frame;
        if is_over { self.play.end(node, &mut self.scratch).later(ply) } else { Value::guess(self.play.evaluate(node)) }
    }

    /// Follows captures, and whatever else a family says must be followed, to where nothing hangs any more.
    fn settle_captures(&mut self, node: &P::Node, mut window: Window, ply: usize, first: bool) -> Option<Value> {
        if ply > LONGEST {
            return Some(self.still(node, LONGEST + 1));
        }
        let mut frame = std::mem::take(&mut self.frames[ply]);
        frame.moves.clear();
        let leaf = self.play.leaf(node, first, &mut self.scratch, &mut frame.moves);
        let value = match leaf {
            Leaf::Over => Some(self.play.end(node, &mut self.scratch).later(ply)),
            Leaf::Calm => Some(Value::guess(self.play.evaluate(node))),
            Leaf::Choice => {
                let best = Value::guess(self.play.evaluate(node));
                if best.score >= window.beta {
                    Some(best)
                } else {
                    window.alpha = window.alpha.max(best.score);
                    self.settle_moves(node, window, ply, &mut frame, best)
                }
            }
            Leaf::Forced => self.settle_moves(node, window, ply, &mut frame, Value::proven(-INFINITE)),
        };
        self.frames[ply] = frame;
        value
    }

    fn settle_moves(
        &mut self,
        node: &P::Node,
        mut window: Window,
        ply: usize,
        frame: &mut Frame<P::Move>,
        mut best: Value,
    ) -> Option<Value> {
        let mut all_proven = best.proven;
        if frame.moves.len() > 1 {
            self.rank(node, frame, 0);
        } else {
            frame.ranks.clear();
            frame.ranks.push(0);
        }
        for index in 0..frame.moves.len() {
            let played = frame.pick(index);
            let value = self.settle_move(node, &played, window, ply)?;
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
    fn settle_move(&mut self, node: &P::Node, played: &P::Move, window: Window, ply: usize) -> Option<Value> {
        self.count()?;
        let after = self.play.after(node, played, &mut self.scratch);
        let turned = self.play.side(&after) != self.play.side(node);
        if let Some(known) = self.play.known(&after, &mut self.scratch) {
            return Some(known.later(ply + 1).seen(turned));
        }
        Some(self.settle_captures(&after, window.seen(turned), ply + 1, false)?.seen(turned))
    }
}
