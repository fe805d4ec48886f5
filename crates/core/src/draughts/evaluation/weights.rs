//! Evaluation weights as data, in square indices, independent of any bitboard.

use crate::draughts::geometry::{has_half_turn_symmetry, relative_square_count};
use crate::draughts::rules::Rules;

/// A tapered weight: for the opening and for the endgame, in thousandths of a man.
pub type TaperedWeight = [i16; 2];

/// The maximum number of squares of a pattern: its table has 3 to that power entries.
pub const MAX_PATTERN_SQUARES: usize = 12;

/// The maximum number of patterns of an evaluation.
pub const MAX_PATTERNS: usize = 64;

macro_rules! features {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal)*) => {
        /// A feature besides the piece-square tables and patterns, counted for each side; the opponent's count is
        /// subtracted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature { $($(#[doc = $doc])* $variant),* }

        impl Feature {
            /// Every feature, in the order of `Weights::counts`.
            pub const ALL: &'static [Feature] = &[$(Feature::$variant),*];

            /// Return the name in weight files.
            pub const fn name(self) -> &'static str {
                match self { $(Feature::$variant => $name),* }
            }
        }
    };
}

features! {
    /// A man.
    Man "man"
    /// A man of a side whose opponent has a king, in addition to `Man`.
    ManAgainstKing "man_against_king"
    /// A side's first king.
    King "king"
    /// A king beyond the first.
    FurtherKing "further_king"
    /// A king beyond the first against a side that has a king, in addition to `FurtherKing`.
    FurtherKingAgainstKing "further_king_against_king"
    /// The tempo: always 1, for the side to move.
    Turn "turn"
    /// The opposition, if both sides have the same number of pieces on a board of one colour: 1 for the side that would
    /// be the last to have free moves if all pieces advanced towards each other, -1 for the opponent.
    Opposition "opposition"
    /// A man with a piece of its own side behind it, in a direction in which men move forward.
    Support "support"
    /// A man and a direction in which an enemy man could capture it: the square behind the man is empty, and the square
    /// in front of it has no piece of its own side.
    Loose "loose"
    /// A man that an enemy man can capture.
    Hanging "hanging"
    /// A step that a man can make: the mobility of men.
    Step "step"
    /// A man that cannot step.
    Stuck "stuck"
    /// A man with no enemy piece ahead on any of its paths to the far row.
    Runner "runner"
    /// The difference between the numbers of men on the left and on the right half of the board.
    Imbalance "imbalance"
    /// A safe square of a king, on which no man can capture it: the mobility of kings.
    KingReach "king_reach"
    /// A square that a king can move to and on which a man can capture it.
    KingDenied "king_denied"
    /// A king without a safe square to move to.
    KingTrapped "king_trapped"
}

impl Feature {
    /// The number of features.
    pub const COUNT: usize = Feature::ALL.len();
}

/// A pattern table: a weight for every configuration of empty squares, own men and enemy men on a few squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The squares from White's point of view; for Black the board is rotated.
    pub squares: Vec<usize>,
    /// The weights by configuration, which is a number in base 3: the digit of a square is 0 for empty, 1 for an own
    /// man, 2 for an enemy man, and the first square has the lowest digit.
    pub table: Vec<TaperedWeight>,
}

/// The weights of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The number of pieces from which on only the opening weights count; with fewer pieces the endgame weights gain
    /// influence.
    pub full: usize,
    /// The weights of the counted features.
    pub counts: [TaperedWeight; Feature::COUNT],
    /// The piece-square table of men, by relative square: see `relative_square_count`.
    pub men: Vec<TaperedWeight>,
    /// The piece-square table of kings, by relative square.
    pub kings: Vec<TaperedWeight>,
    /// The pattern tables.
    pub patterns: Vec<Pattern>,
}

impl Weights {
    /// Return weights that are all zero, for the board of these rules.
    pub fn zero(rules: &Rules, full: usize) -> Self {
        let squares = vec![[0; 2]; relative_square_count(rules)];
        Weights { full, counts: [[0; 2]; Feature::COUNT], men: squares.clone(), kings: squares, patterns: Vec::new() }
    }

    /// Return why these weights do not fit the board of the rules, or None if they fit.
    pub(super) fn problem(&self, rules: &Rules) -> Option<String> {
        let squares = relative_square_count(rules);
        for (kind, weights) in [("men", &self.men), ("kings", &self.kings)] {
            if weights.len() != squares {
                return Some(format!(
                    "expected {squares} weights for {kind}, one for each square, got {}",
                    weights.len()
                ));
            }
        }
        if self.full == 0 {
            return Some("the opening must have at least one piece".to_owned());
        }
        if self.patterns.len() > MAX_PATTERNS {
            return Some(format!("expected at most {MAX_PATTERNS} patterns, got {}", self.patterns.len()));
        }
        if !self.patterns.is_empty() && !has_half_turn_symmetry(rules) {
            return Some("patterns need a board that has the same squares when it is turned around".to_owned());
        }
        self.patterns.iter().find_map(|pattern| pattern.problem(squares))
    }
}

impl Pattern {
    fn problem(&self, squares: usize) -> Option<String> {
        let size = self.squares.len();
        if !(1..=MAX_PATTERN_SQUARES).contains(&size) {
            return Some(format!("a pattern must have 1 to {MAX_PATTERN_SQUARES} squares, not {size}"));
        }
        if let Some(square) = self.squares.iter().find(|square| **square >= squares) {
            return Some(format!("a pattern has square {square}, but the board has only {squares} squares"));
        }
        if (1..size).any(|place| self.squares[..place].contains(&self.squares[place])) {
            return Some(format!("a pattern has a square twice: {:?}", self.squares));
        }
        let entries = 3usize.pow(size as u32);
        (self.table.len() != entries)
            .then(|| format!("a pattern of {size} squares must have {entries} weights, not {}", self.table.len()))
    }
}
