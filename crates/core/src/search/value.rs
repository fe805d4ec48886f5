//! Scores, win distances, and whether a value is proven.

/// The score of a man or a seed: scores are in hundredths of one.
pub const SCORE_SCALE: i32 = 100;

/// The score of an immediate win; a win `n` plies later scores `n` less. It is above the score of 65,535 seeds.
pub const WIN: i32 = 8_000_000;

/// A bound above every score.
pub(super) const INFINITE: i32 = WIN + 1;

/// The lowest score of a win. Scores from here on encode the distance to the win ("mate scores").
const MIN_WIN: i32 = WIN - 100_000;

/// The score of a win by a tablebase at this node, which has no distance to the end of the game; a node `n` plies later
/// scores `n` less. It is below all scores with a distance, and above all others.
pub const TABLEBASE_WIN: i32 = MIN_WIN - 1;

/// The lowest score of a win, with a distance to the end or by a tablebase.
const MIN_DECIDED: i32 = TABLEBASE_WIN - 1_000;

/// Return whether the score is that of a win or a loss.
pub fn is_decided(score: i32) -> bool {
    score.abs() >= MIN_DECIDED
}

/// Return the number of plies to the end of the game if the score is that of a win or a loss.
pub fn plies_to_end(score: i32) -> Option<i32> {
    (score.abs() >= MIN_WIN).then(|| WIN - score.abs())
}

/// A score, or a bound of a score, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The score in hundredths of a man or a seed.
    pub score: i32,
    /// Whether the score is exact at any depth: it depends only on final positions, and not on the history of the game.
    pub proven: bool,
}

impl Value {
    /// Return a value that depends only on final positions.
    #[inline(always)]
    pub const fn proven(score: i32) -> Self {
        Value { score, proven: true }
    }

    /// Return a value that depends on an evaluation, or on the history of the game.
    #[inline(always)]
    pub const fn heuristic(score: i32) -> Self {
        Value { score, proven: false }
    }

    /// Return the value for the parent of a node (negamax): negated if the move passed the turn.
    #[inline(always)]
    pub(super) const fn negated_if(self, turn_passed: bool) -> Self {
        Value { score: if turn_passed { -self.score } else { self.score }, ..self }
    }

    /// Convert a win distance that counts from the node at `ply` to one that counts from the root.
    #[inline(always)]
    pub(super) fn relative_to_root(self, ply: usize) -> Self {
        Value { score: shift_win(self.score, -(ply as i32)), ..self }
    }

    /// Convert a win distance that counts from the root to one that counts from the node at `ply`.
    #[inline(always)]
    pub(super) fn relative_to_node(self, ply: usize) -> Self {
        Value { score: shift_win(self.score, ply as i32), ..self }
    }
}

#[inline(always)]
fn shift_win(score: i32, plies: i32) -> i32 {
    match score {
        MIN_DECIDED.. => score + plies,
        _ if score <= -MIN_DECIDED => score - plies,
        _ => score,
    }
}
