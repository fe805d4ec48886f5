//! Specialisation: the facts of a rule set that the compiler knows when it compiles a move generator for it.
//!
//! The move generator is written once, against the trait `RuleSource`. `Static` gives the compiler the shape of the board
//! and the directions of the pieces as constants, so that it drops what cannot happen. `Dynamic` reads the same facts
//! from the rules. `compiled_rules` picks the first source that fits the rule fields; no code depends on a variant's name.

use std::marker::PhantomData;

use super::directions::{DIRECTIONS, Directions};
use super::geometry::{Geometry, deltas};
use super::rules::Rules;

/// Where a move generator reads the facts that its inner loops need.
pub trait RuleSource: Send + Sync + 'static {
    /// Whether the facts are constants.
    const IS_STATIC: bool;

    /// Return the number of bits that a step goes in a direction.
    fn delta<B>(geometry: &Geometry<B>, direction: usize) -> i32;
    /// Return the directions in which men move.
    fn man_moves(rules: &Rules) -> Directions;
    /// Return the directions in which men capture.
    fn man_captures(rules: &Rules) -> Directions;
    /// Return the directions in which kings move.
    fn king_moves(rules: &Rules) -> Directions;
    /// Return the directions in which kings capture.
    fn king_captures(rules: &Rules) -> Directions;
    /// Return whether kings are flying kings.
    fn flying_kings(rules: &Rules) -> bool;
}

/// Facts read from the rules at run time.
#[derive(Debug)]
pub struct Dynamic;

impl RuleSource for Dynamic {
    const IS_STATIC: bool = false;

    #[inline(always)]
    fn delta<B>(geometry: &Geometry<B>, direction: usize) -> i32 {
        geometry.deltas[direction]
    }
    #[inline(always)]
    fn man_moves(rules: &Rules) -> Directions {
        rules.man_moves
    }
    #[inline(always)]
    fn man_captures(rules: &Rules) -> Directions {
        rules.man_captures
    }
    #[inline(always)]
    fn king_moves(rules: &Rules) -> Directions {
        rules.king_moves
    }
    #[inline(always)]
    fn king_captures(rules: &Rules) -> Directions {
        rules.king_captures
    }
    #[inline(always)]
    fn flying_kings(rules: &Rules) -> bool {
        rules.flying_kings
    }
}

/// The facts of a common kind of rule set, as constants. The defaults are those of most variants.
pub trait Facts: Send + Sync + 'static {
    /// The columns of the board.
    const COLUMNS: usize;
    /// Whether squares of both colours are used.
    const ALL_SQUARES: bool = false;
    /// The directions in which men move.
    const MAN_MOVES: Directions = Directions::FORWARD_DIAGONALS;
    /// The directions in which men capture.
    const MAN_CAPTURES: Directions;
    /// The directions in which kings move.
    const KING_MOVES: Directions = Directions::DIAGONALS;
    /// The directions in which kings capture.
    const KING_CAPTURES: Directions = Directions::DIAGONALS;
    /// Whether kings are flying kings.
    const FLYING_KINGS: bool = true;

    /// Return whether these are the facts of the rules.
    fn fit(rules: &Rules) -> bool {
        rules.columns == Self::COLUMNS
            && rules.all_squares == Self::ALL_SQUARES
            && rules.man_moves == Self::MAN_MOVES
            && rules.man_captures == Self::MAN_CAPTURES
            && rules.king_moves == Self::KING_MOVES
            && rules.king_captures == Self::KING_CAPTURES
            && rules.flying_kings == Self::FLYING_KINGS
    }
}

/// Facts that the compiler knows.
#[derive(Debug)]
pub struct Static<T>(PhantomData<T>);

impl<T: Facts> Static<T> {
    const DELTAS: [i32; DIRECTIONS] = deltas(T::COLUMNS, T::ALL_SQUARES);
}

impl<T: Facts> RuleSource for Static<T> {
    const IS_STATIC: bool = true;

    #[inline(always)]
    fn delta<B>(_: &Geometry<B>, direction: usize) -> i32 {
        Self::DELTAS[direction]
    }
    #[inline(always)]
    fn man_moves(_: &Rules) -> Directions {
        T::MAN_MOVES
    }
    #[inline(always)]
    fn man_captures(_: &Rules) -> Directions {
        T::MAN_CAPTURES
    }
    #[inline(always)]
    fn king_moves(_: &Rules) -> Directions {
        T::KING_MOVES
    }
    #[inline(always)]
    fn king_captures(_: &Rules) -> Directions {
        T::KING_CAPTURES
    }
    #[inline(always)]
    fn flying_kings(_: &Rules) -> bool {
        T::FLYING_KINGS
    }
}

/// Men that capture in all diagonal directions, and flying kings: international, Russian, Brazilian, Canadian draughts.
#[derive(Debug)]
pub struct BackwardCaptures<const COLUMNS: usize>;

impl<const COLUMNS: usize> Facts for BackwardCaptures<COLUMNS> {
    const COLUMNS: usize = COLUMNS;
    const MAN_CAPTURES: Directions = Directions::DIAGONALS;
}

/// Men that capture forward only, and flying kings: Spanish, Portuguese, Czech draughts.
#[derive(Debug)]
pub struct ForwardCaptures<const COLUMNS: usize>;

impl<const COLUMNS: usize> Facts for ForwardCaptures<COLUMNS> {
    const COLUMNS: usize = COLUMNS;
    const MAN_CAPTURES: Directions = Directions::FORWARD_DIAGONALS;
}

/// Men that capture forward only, and short kings: English and Italian draughts.
#[derive(Debug)]
pub struct ShortKings<const COLUMNS: usize>;

impl<const COLUMNS: usize> Facts for ShortKings<COLUMNS> {
    const COLUMNS: usize = COLUMNS;
    const MAN_CAPTURES: Directions = Directions::FORWARD_DIAGONALS;
    const FLYING_KINGS: bool = false;
}

/// Captures in all eight directions, and flying kings: Frisian draughts.
#[derive(Debug)]
pub struct EightDirections<const COLUMNS: usize>;

impl<const COLUMNS: usize> Facts for EightDirections<COLUMNS> {
    const COLUMNS: usize = COLUMNS;
    const MAN_CAPTURES: Directions = Directions::ALL;
    const KING_CAPTURES: Directions = Directions::ALL;
}

/// Rows and columns of a board of all squares, and flying kings: Turkish draughts.
#[derive(Debug)]
pub struct Orthogonal<const COLUMNS: usize>;

impl<const COLUMNS: usize> Facts for Orthogonal<COLUMNS> {
    const COLUMNS: usize = COLUMNS;
    const ALL_SQUARES: bool = true;
    const MAN_MOVES: Directions = Directions(Directions::FORWARD.0 | Directions::SIDEWAYS.0);
    const MAN_CAPTURES: Directions = Self::MAN_MOVES;
    const KING_MOVES: Directions = Directions::ORTHOGONALS;
    const KING_CAPTURES: Directions = Directions::ORTHOGONALS;
}
