//! What a search looks for.

/// What is looked for: a score between two bounds, so many plies deep.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
}

impl Window {
    /// The same for the side that moves next.
    #[inline(always)]
    pub(super) fn seen(self, turned: bool) -> Self {
        if turned { Window { alpha: -self.beta, beta: -self.alpha, ..self } } else { self }
    }

    #[inline(always)]
    pub(super) fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// Just above a score.
    #[inline(always)]
    pub(super) fn above(alpha: i32, depth: i32) -> Self {
        Window { alpha, beta: alpha + 1, depth }
    }
}
