//! Numbers of moves: what the numberings of all families share.
//!
//! An encoding numbers the legal moves of a position, so that a network can have an output for each number. The number
//! of actions depends only on the rules and the encoding.

/// Why a move has no number, or a number is not a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionError {
    /// A position has a legal move whose number exceeds the encoding.
    TooManyMoves {
        /// The number of moves that need different numbers.
        moves: usize,
        /// The number of them that the encoding can number.
        max: usize,
    },
    /// No legal move has this number.
    IllegalAction(u32),
    /// The move is not legal.
    IllegalMove,
    /// The actions are only the beginning of several moves.
    IncompleteMove,
    /// The actions continue after the end of a move.
    TooManyActions,
    /// The number of seeds on the board is too large for a plane.
    TooManySeeds {
        /// The number of seeds on the board.
        seeds: usize,
    },
}

/// Set the entries of a mask at the actions to 1, and all others to 0.
#[inline]
pub(crate) fn write_mask(actions: impl IntoIterator<Item = u32>, mask: &mut [u8]) {
    mask.fill(0);
    for action in actions {
        mask[action as usize] = 1;
    }
}
