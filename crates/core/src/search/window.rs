//! Alpha-beta windows.

/// An alpha-beta window, with the depth to search in plies.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
}

impl Window {
    /// Return the window for a child node (negamax): negated if the move passed the turn.
    #[inline(always)]
    pub(super) fn negated_if(self, turn_passed: bool) -> Self {
        if turn_passed { Window { alpha: -self.beta, beta: -self.alpha, ..self } } else { self }
    }

    /// Return whether the node is a PV node: its window is open, not a null window.
    #[inline(always)]
    pub(super) fn is_pv(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// Return the null window that tests whether a score exceeds `alpha`.
    #[inline(always)]
    pub(super) fn null(alpha: i32, depth: i32) -> Self {
        Window { alpha, beta: alpha + 1, depth }
    }
}
