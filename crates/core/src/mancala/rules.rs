//! The rules of a mancala game, as the mover reads them. The fields mean what the Python dataclasses say they mean.

/// The most seeds on a board: a store that holds all of them does not overflow.
pub const MAX_SEEDS: u32 = u16::MAX as u32;

/// What the last seed of a move captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// In an own house that was empty: itself and the seeds in the house opposite.
    Opposite {
        /// Whether the seed is captured alone where the house opposite is empty.
        even_if_empty: bool,
    },
    /// In an opponent's house that it brings to two or three: those, and twos and threes in a row before them.
    TwosAndThrees(GrandSlam),
}

/// What becomes of a capture that would take all seeds of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrandSlam {
    /// The move stands, and nothing is captured.
    NoCapture,
    /// They are captured.
    Captures,
    /// The move is not legal.
    Forbidden,
    /// They are captured, and the opponent gets all seeds that are left.
    RestToOpponent,
}

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Houses a side, from 1 to 24.
    pub houses: usize,
    /// Whether the mover sows into the own store; a last seed there gives another turn.
    pub sows_store: bool,
    /// Whether a lap sows the emptied house too.
    pub sows_origin: bool,
    /// What is captured.
    pub capture: Capture,
    /// Whether an opponent without seeds must be given some, where that can be done.
    pub must_feed: bool,
    /// Whether the game is over when either side has no seeds, and not only when the side to move has none.
    pub either_empty_ends: bool,
    /// Whether the game is over when a store holds more than half of the seeds.
    pub majority_ends: bool,
    /// Whether seeds in the houses count for their owner.
    pub counts_rest: bool,
    /// Whether the second player may swap sides in place of a first move.
    pub pie: bool,
}
