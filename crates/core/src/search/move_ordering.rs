//! Move ordering: moves with their scores, picked best first.

/// The moves of a node with their ordering scores, and the principal variation of the node.
pub(super) struct MoveList<M> {
    pub(super) moves: Vec<M>,
    pub(super) scores: Vec<i32>,
    /// The principal variation from this node; empty if it is unknown.
    pub(super) pv: Vec<M>,
}

impl<M> Default for MoveList<M> {
    fn default() -> Self {
        MoveList { moves: Vec::new(), scores: Vec::new(), pv: Vec::new() }
    }
}

impl<M: Copy> MoveList<M> {
    /// Give every move a score.
    #[inline(always)]
    pub(super) fn score(&mut self, score: impl Fn(&M) -> i32) {
        self.scores.clear();
        self.scores.extend(self.moves.iter().map(score));
    }

    /// Swap the best of the moves from `index` on to `index`, and return it (lazy selection sort).
    #[inline(always)]
    pub(super) fn pick(&mut self, index: usize) -> M {
        let mut best = index;
        for other in index + 1..self.scores.len() {
            if self.scores[other] > self.scores[best] {
                best = other;
            }
        }
        self.moves.swap(index, best);
        self.scores.swap(index, best);
        self.moves[index]
    }
}
