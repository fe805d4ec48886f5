//! Weights as data, in square indices and without any bits.

use crate::draughts::geometry::places;
use crate::draughts::rules::Rules;

/// A weight for the opening and one for the ending, in thousandths of a man.
pub type Pair = [i16; 2];

/// The most squares of a pattern: its table has 3 to that power entries, and an index fits 16 bits.
pub const LARGEST_PATTERN: usize = 10;

/// The most patterns of an evaluation.
pub const MOST_PATTERNS: usize = 64;

macro_rules! features {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal)*) => {
        /// What is counted besides which squares are taken, for each side; the other side's count is taken off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature { $($(#[doc = $doc])* $variant),* }

        impl Feature {
            /// Every feature, in the order of `Weights::counts`.
            pub const ALL: &'static [Feature] = &[$(Feature::$variant),*];

            /// What files call it.
            pub const fn name(self) -> &'static str {
                match self { $(Feature::$variant => $name),* }
            }
        }
    };
}

features! {
    /// A man.
    Man "man"
    /// A man of a side whose opponent has a king, besides `Man`.
    ManAgainstKing "man_against_king"
    /// A side's first king.
    King "king"
    /// A king beyond the first.
    FurtherKing "further_king"
    /// The same against a side that has a king, besides `FurtherKing`.
    FurtherKingAgainstKing "further_king_against_king"
    /// One, for the side to move.
    Turn "turn"
    /// Sides with as many pieces on a board of one colour: one for the side that would be last to run out of free
    /// moves if all pieces walked up to each other, counted off for the other.
    Opposition "opposition"
    /// A man and a piece of its own side behind it, in a direction that men come from.
    Support "support"
    /// A man and a direction in which a man could capture it if one came there: an empty square behind it, and none
    /// of its own side before it.
    Loose "loose"
    /// A man that a man can capture.
    Hanging "hanging"
    /// A step that a man can make.
    Step "step"
    /// A man that cannot step.
    Stuck "stuck"
    /// A man that no enemy piece stands ahead of, however it walks.
    Runner "runner"
    /// How many men there are more on one half of the board than on the other, left and right.
    Imbalance "imbalance"
    /// A square that a king can go to without being captured there by a man.
    KingReach "king_reach"
    /// A square that a king can go to, and where a man can capture it.
    KingDenied "king_denied"
    /// A king without a square to go to where no man can capture it.
    KingTrapped "king_trapped"
}

impl Feature {
    /// How many there are.
    pub const COUNT: usize = Feature::ALL.len();
}

/// The men on some squares as one feature: every way to have empty, own and enemy squares there has its own weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The squares as White sees the board; for Black the board is turned around.
    pub squares: Vec<usize>,
    /// A weight for every way to fill them: the sum of 3 to the power of a square's place here, once where a man of
    /// one's own stands, twice where an enemy man does.
    pub table: Vec<Pair>,
}

/// The weights of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The number of pieces from which on it is the opening; with fewer the ending gains, down to none.
    pub full: usize,
    /// The weights of the counted features.
    pub counts: [Pair; Feature::COUNT],
    /// A man on each square, as its side sees the board: see `view_count`.
    pub men: Vec<Pair>,
    /// A king on each square, in the same way.
    pub kings: Vec<Pair>,
    /// Patterns of men.
    pub patterns: Vec<Pattern>,
}

/// Whether the squares of a board turned around are its squares again.
fn turns_into_itself(rules: &Rules) -> bool {
    rules.all_squares || (rules.columns + rules.rows).is_multiple_of(2)
}

/// How many squares the sides see: those of the board, row by row from the far left. Where a board turned around has
/// other squares, all of the two colours are counted.
pub fn view_count(rules: &Rules) -> usize {
    if turns_into_itself(rules) { places(rules).len() } else { rules.columns * rules.rows }
}

/// Which of the squares that a side sees each square of the board is: for White, and for Black.
pub(super) fn views(rules: &Rules) -> [Vec<usize>; 2] {
    let places = places(rules);
    let (columns, rows) = (rules.columns, rules.rows);
    if turns_into_itself(rules) {
        [(0..places.len()).collect(), (0..places.len()).rev().collect()]
    } else {
        let white: Vec<usize> = places.iter().map(|(row, column)| row * columns + column).collect();
        let black = white.iter().map(|cell| columns * rows - 1 - cell).collect();
        [white, black]
    }
}

impl Weights {
    /// Weights that are all zero, for the board of these rules.
    pub fn zero(rules: &Rules, full: usize) -> Self {
        let squares = vec![[0; 2]; view_count(rules)];
        Weights { full, counts: [[0; 2]; Feature::COUNT], men: squares.clone(), kings: squares, patterns: Vec::new() }
    }

    /// Why these are no weights for the board of the rules, if they are not.
    pub(super) fn problem(&self, rules: &Rules) -> Option<String> {
        let squares = view_count(rules);
        for (kind, weights) in [("men", &self.men), ("kings", &self.kings)] {
            if weights.len() != squares {
                return Some(format!("{} weights for {kind} on a board of {squares} squares", weights.len()));
            }
        }
        if self.full == 0 {
            return Some("the opening needs at least one piece".to_owned());
        }
        if self.patterns.len() > MOST_PATTERNS {
            return Some(format!("{} patterns, not at most {MOST_PATTERNS}", self.patterns.len()));
        }
        if !self.patterns.is_empty() && !turns_into_itself(rules) {
            return Some("patterns on a board that has other squares when it is turned around".to_owned());
        }
        self.patterns.iter().find_map(|pattern| pattern.problem(squares))
    }
}

impl Pattern {
    fn problem(&self, squares: usize) -> Option<String> {
        let size = self.squares.len();
        if !(1..=LARGEST_PATTERN).contains(&size) {
            return Some(format!("a pattern of {size} squares, not 1 to {LARGEST_PATTERN}"));
        }
        if let Some(square) = self.squares.iter().find(|square| **square >= squares) {
            return Some(format!("a pattern with square {square} on a board of {squares} squares"));
        }
        if (1..size).any(|place| self.squares[..place].contains(&self.squares[place])) {
            return Some(format!("a pattern that names a square twice: {:?}", self.squares));
        }
        let entries = 3usize.pow(size as u32);
        (self.table.len() != entries)
            .then(|| format!("a pattern of {size} squares with {} weights, not {entries}", self.table.len()))
    }
}
