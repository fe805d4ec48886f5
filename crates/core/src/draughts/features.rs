//! What the compiler knows of a rule set when it compiles a mover for it.
//!
//! The mover is written once, against this trait. `Fixed` tells the compiler the shape of the board and where pieces
//! move and capture; `Open` reads all of it from the rules. `game` picks the first that fits, by the rule fields alone.

use super::directions::{DIRECTIONS, Directions};
use super::geometry::{Geometry, deltas};
use super::rules::Rules;

/// Where a mover reads the facts that its inner loops need.
pub trait Features: Send + Sync + 'static {
    /// Whether the compiler knows the facts.
    const IS_STATIC: bool;
    /// How many bits a step goes in a direction.
    fn delta<S>(geometry: &Geometry<S>, direction: usize) -> i32;
    /// Where men move.
    fn man_moves(rules: &Rules) -> Directions;
    /// Where men capture.
    fn man_captures(rules: &Rules) -> Directions;
    /// Where kings move.
    fn king_moves(rules: &Rules) -> Directions;
    /// Where kings capture.
    fn king_captures(rules: &Rules) -> Directions;
    /// Whether kings fly.
    fn flying_kings(rules: &Rules) -> bool;
}

/// Facts read from the rules at run time.
#[derive(Debug)]
pub struct Open;

impl Features for Open {
    const IS_STATIC: bool = false;

    #[inline(always)]
    fn delta<S>(geometry: &Geometry<S>, direction: usize) -> i32 {
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

/// Facts known to the compiler: board columns and colours, directions of men and kings (moves, captures), flying kings.
#[derive(Debug)]
pub struct Fixed<
    const COLUMNS: usize,
    const ALL_SQUARES: bool,
    const MAN_MOVES: u8,
    const MAN_CAPTURES: u8,
    const KING_MOVES: u8,
    const KING_CAPTURES: u8,
    const FLYING: bool,
>;

impl<
    const COLUMNS: usize,
    const ALL_SQUARES: bool,
    const MAN_MOVES: u8,
    const MAN_CAPTURES: u8,
    const KING_MOVES: u8,
    const KING_CAPTURES: u8,
    const FLYING: bool,
> Fixed<COLUMNS, ALL_SQUARES, MAN_MOVES, MAN_CAPTURES, KING_MOVES, KING_CAPTURES, FLYING>
{
    const DELTAS: [i32; DIRECTIONS] = deltas(COLUMNS, ALL_SQUARES);

    /// Whether these facts are those of the rules.
    pub fn fits(rules: &Rules) -> bool {
        rules.columns == COLUMNS
            && rules.all_squares == ALL_SQUARES
            && rules.man_moves == Directions(MAN_MOVES)
            && rules.man_captures == Directions(MAN_CAPTURES)
            && rules.king_moves == Directions(KING_MOVES)
            && rules.king_captures == Directions(KING_CAPTURES)
            && rules.flying_kings == FLYING
    }
}

impl<
    const COLUMNS: usize,
    const ALL_SQUARES: bool,
    const MAN_MOVES: u8,
    const MAN_CAPTURES: u8,
    const KING_MOVES: u8,
    const KING_CAPTURES: u8,
    const FLYING: bool,
> Features for Fixed<COLUMNS, ALL_SQUARES, MAN_MOVES, MAN_CAPTURES, KING_MOVES, KING_CAPTURES, FLYING>
{
    const IS_STATIC: bool = true;

    #[inline(always)]
    fn delta<S>(_: &Geometry<S>, direction: usize) -> i32 {
        Self::DELTAS[direction]
    }
    #[inline(always)]
    fn man_moves(_: &Rules) -> Directions {
        Directions(MAN_MOVES)
    }
    #[inline(always)]
    fn man_captures(_: &Rules) -> Directions {
        Directions(MAN_CAPTURES)
    }
    #[inline(always)]
    fn king_moves(_: &Rules) -> Directions {
        Directions(KING_MOVES)
    }
    #[inline(always)]
    fn king_captures(_: &Rules) -> Directions {
        Directions(KING_CAPTURES)
    }
    #[inline(always)]
    fn flying_kings(_: &Rules) -> bool {
        FLYING
    }
}
