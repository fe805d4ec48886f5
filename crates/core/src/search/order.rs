//! Moves in the order in which they are tried.

/// The moves of a position, the best taken out one by one, and the line that follows.
pub(super) struct Frame<M> {
    pub(super) moves: Vec<M>,
    pub(super) ranks: Vec<i32>,
    /// The best line from here, where it is known.
    pub(super) line: Vec<M>,
}

impl<M> Default for Frame<M> {
    fn default() -> Self {
        Frame { moves: Vec::new(), ranks: Vec::new(), line: Vec::new() }
    }
}

impl<M: Copy> Frame<M> {
    /// Ranks every move.
    #[inline(always)]
    pub(super) fn rank(&mut self, rank: impl Fn(&M) -> i32) {
        self.ranks.clear();
        self.ranks.extend(self.moves.iter().map(rank));
    }

    /// Brings the best of the moves from an index on to that index, and gives it.
    #[inline(always)]
    pub(super) fn pick(&mut self, index: usize) -> M {
        let mut best = index;
        for other in index + 1..self.ranks.len() {
            if self.ranks[other] > self.ranks[best] {
                best = other;
            }
        }
        self.moves.swap(index, best);
        self.ranks.swap(index, best);
        self.moves[index]
    }
}
