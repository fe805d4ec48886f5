//! What a position is worth, and whether that is proven.

/// A man or a seed in the unit of scores.
pub const HUNDREDTHS: i32 = 100;

/// What a game won at once is worth; a ply later it is one less. Below, there is room for 65,535 seeds.
pub const WIN: i32 = 8_000_000;

/// More than any score.
pub(super) const INFINITE: i32 = WIN + 1;

/// From here on a score says how soon the game is won.
const SURE_WIN: i32 = WIN - 100_000;

/// How many plies from here the game is won (above 0) or lost, where the score says so.
pub fn plies_to_end(score: i32) -> Option<i32> {
    (score.abs() >= SURE_WIN).then(|| WIN - score.abs())
}

/// A score as the side to move sees it, or a bound of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// In hundredths of a man or a seed.
    pub score: i32,
    /// Whether it holds however deep one looks: it rests on ends of games alone, and on none that the past brings about.
    pub proven: bool,
}

impl Value {
    /// A value that rests on ends of games.
    #[inline(always)]
    pub const fn proven(score: i32) -> Self {
        Value { score, proven: true }
    }

    /// A value that rests on a guess, or on the past of the game.
    #[inline(always)]
    pub const fn guess(score: i32) -> Self {
        Value { score, proven: false }
    }

    /// The same, seen from the other side where the turn has passed to it.
    #[inline(always)]
    pub(super) const fn seen(self, turned: bool) -> Self {
        Value { score: if turned { -self.score } else { self.score }, ..self }
    }

    /// A win or loss counted from the position itself, as seen so many plies earlier.
    #[inline(always)]
    pub(super) fn later(self, plies: usize) -> Self {
        Value { score: shifted(self.score, -(plies as i32)), ..self }
    }

    /// A win or loss counted from the root, as seen from the position so many plies on.
    #[inline(always)]
    pub(super) fn sooner(self, plies: usize) -> Self {
        Value { score: shifted(self.score, plies as i32), ..self }
    }
}

#[inline(always)]
fn shifted(score: i32, plies: i32) -> i32 {
    match score {
        SURE_WIN.. => score + plies,
        _ if score <= -SURE_WIN => score - plies,
        _ => score,
    }
}
