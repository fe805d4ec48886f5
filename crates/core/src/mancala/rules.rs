//! The rules of a mancala game in the form that the move generator uses.

/// The maximum number of seeds on a board: a store with all of them does not overflow.
pub const MAX_SEEDS: u32 = u16::MAX as u32;

/// The capture that the last seed of a move makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// In an own house that was empty: the last seed and the seeds in the opposite house.
    Opposite {
        /// Whether the seed is also captured if the opposite house is empty.
        even_if_empty: bool,
    },
    /// In an opponent's house that then has two or three seeds: those, and the seeds of the preceding houses as long as
    /// they have two or three.
    TwosAndThrees(GrandSlam),
}

/// The treatment of a capture that would take all seeds of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrandSlam {
    /// The move is legal, and nothing is captured.
    NoCapture,
    /// They are captured.
    Captures,
    /// The move is not legal.
    Forbidden,
    /// They are captured, and the opponent gets all remaining seeds.
    RestToOpponent,
}

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The number of houses per side, from 1 to 24.
    pub houses: usize,
    /// Whether the player's own store is sown; a last seed there gives an extra turn.
    pub sows_store: bool,
    /// Whether a lap includes the emptied house.
    pub sows_origin: bool,
    /// The capture rule.
    pub capture: Capture,
    /// Whether the player must give seeds to an opponent without any, if possible.
    pub must_feed: bool,
    /// Whether the game is over if either side has no seeds in its houses, and not only the side to move.
    pub either_empty_ends: bool,
    /// Whether the game is over if a store has more than half of all seeds.
    pub majority_ends: bool,
    /// Whether seeds in the houses at the end count for their owner.
    pub counts_rest: bool,
    /// Whether the second player can swap sides instead of making a first move.
    pub pie: bool,
}
