//! Specialisation: the facts about a rule set that are known at compile time.
//!
//! The move generator is written once, against the trait `RuleSource`. A source with `FACTS` provides the shape of the
//! board and the directions of the pieces as constants, so that the compiler removes unreachable code. `Dynamic` reads
//! the same facts from the rules. `compiled_rules` selects the first source that fits the rule fields; no code depends
//! on the name of a variant.

use super::directions::{DIRECTIONS, Directions};
use super::geometry::{Geometry, deltas};
use super::rules::Rules;

/// The facts that the inner loops of a move generator need, for a common kind of rule set.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    columns: usize,
    all_squares: bool,
    man_moves: Directions,
    man_captures: Directions,
    king_moves: Directions,
    king_captures: Directions,
    flying_kings: bool,
    /// The number of bits of a step in each direction.
    deltas: [i32; DIRECTIONS],
}

impl Facts {
    /// Men that move and capture diagonally forward, and flying kings.
    const fn diagonal(columns: usize) -> Self {
        Facts {
            columns,
            all_squares: false,
            man_moves: Directions::FORWARD_DIAGONALS,
            man_captures: Directions::FORWARD_DIAGONALS,
            king_moves: Directions::DIAGONALS,
            king_captures: Directions::DIAGONALS,
            flying_kings: true,
            deltas: deltas(columns, false),
        }
    }

    /// Return whether these are the facts of the rules.
    pub fn fit(&self, rules: &Rules) -> bool {
        rules.columns == self.columns
            && rules.all_squares == self.all_squares
            && rules.man_moves == self.man_moves
            && rules.man_captures == self.man_captures
            && rules.king_moves == self.king_moves
            && rules.king_captures == self.king_captures
            && rules.flying_kings == self.flying_kings
    }
}

/// The source of the facts for a move generator: constants, or the rules.
pub trait RuleSource: Send + Sync + 'static {
    /// The facts, if they are known at compile time.
    const FACTS: Option<Facts>;

    /// Return the number of bits of a step in a direction.
    #[inline(always)]
    fn delta<B>(geometry: &Geometry<B>, direction: usize) -> i32 {
        Self::FACTS.map_or(geometry.deltas[direction], |facts| facts.deltas[direction])
    }
    /// Return the directions in which men move.
    #[inline(always)]
    fn man_moves(rules: &Rules) -> Directions {
        Self::FACTS.map_or(rules.man_moves, |facts| facts.man_moves)
    }
    /// Return the directions in which men capture.
    #[inline(always)]
    fn man_captures(rules: &Rules) -> Directions {
        Self::FACTS.map_or(rules.man_captures, |facts| facts.man_captures)
    }
    /// Return the directions in which kings move.
    #[inline(always)]
    fn king_moves(rules: &Rules) -> Directions {
        Self::FACTS.map_or(rules.king_moves, |facts| facts.king_moves)
    }
    /// Return the directions in which kings capture.
    #[inline(always)]
    fn king_captures(rules: &Rules) -> Directions {
        Self::FACTS.map_or(rules.king_captures, |facts| facts.king_captures)
    }
    /// Return whether kings are flying kings.
    #[inline(always)]
    fn flying_kings(rules: &Rules) -> bool {
        Self::FACTS.map_or(rules.flying_kings, |facts| facts.flying_kings)
    }
}

/// Facts read from the rules at run time.
#[derive(Debug)]
pub struct Dynamic;

impl RuleSource for Dynamic {
    const FACTS: Option<Facts> = None;
}

/// Men that capture in all diagonal directions, and flying kings: international, Russian, Brazilian, Canadian draughts.
#[derive(Debug)]
pub struct BackwardCaptures<const COLUMNS: usize>;

impl<const COLUMNS: usize> RuleSource for BackwardCaptures<COLUMNS> {
    const FACTS: Option<Facts> = Some(Facts { man_captures: Directions::DIAGONALS, ..Facts::diagonal(COLUMNS) });
}

/// Men that capture forward only, and flying kings: Spanish, Portuguese, Czech draughts.
#[derive(Debug)]
pub struct ForwardCaptures<const COLUMNS: usize>;

impl<const COLUMNS: usize> RuleSource for ForwardCaptures<COLUMNS> {
    const FACTS: Option<Facts> = Some(Facts::diagonal(COLUMNS));
}

/// Men that capture forward only, and short kings: English and Italian draughts.
#[derive(Debug)]
pub struct ShortKings<const COLUMNS: usize>;

impl<const COLUMNS: usize> RuleSource for ShortKings<COLUMNS> {
    const FACTS: Option<Facts> = Some(Facts { flying_kings: false, ..Facts::diagonal(COLUMNS) });
}

/// Captures in all eight directions, and flying kings: Frisian draughts.
#[derive(Debug)]
pub struct EightDirections<const COLUMNS: usize>;

impl<const COLUMNS: usize> RuleSource for EightDirections<COLUMNS> {
    const FACTS: Option<Facts> =
        Some(Facts { man_captures: Directions::ALL, king_captures: Directions::ALL, ..Facts::diagonal(COLUMNS) });
}

/// Rows and columns of a board of all squares, and flying kings: Turkish draughts.
#[derive(Debug)]
pub struct Orthogonal<const COLUMNS: usize>;

impl<const COLUMNS: usize> RuleSource for Orthogonal<COLUMNS> {
    const FACTS: Option<Facts> = Some(Facts {
        columns: COLUMNS,
        all_squares: true,
        man_moves: Directions(Directions::FORWARD.0 | Directions::SIDEWAYS.0),
        man_captures: Directions(Directions::FORWARD.0 | Directions::SIDEWAYS.0),
        king_moves: Directions::ORTHOGONALS,
        king_captures: Directions::ORTHOGONALS,
        flying_kings: true,
        deltas: deltas(COLUMNS, true),
    });
}
