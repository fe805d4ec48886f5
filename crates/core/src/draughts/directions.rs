//! Directions: sets of them, the opposite of one, and doing something for each.

use crate::side::Side;

/// A set of directions as the mover sees them, clockwise from straight ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Directions(pub u8);

/// How many directions there are.
pub const DIRECTIONS: usize = 8;

impl Directions {
    /// Straight ahead.
    pub const FORWARD: Directions = Directions(1);
    /// The two diagonals ahead.
    pub const FORWARD_DIAGONALS: Directions = Directions(0b1000_0010);
    /// Left and right.
    pub const SIDEWAYS: Directions = Directions(0b0100_0100);
    /// All four diagonals.
    pub const DIAGONALS: Directions = Directions(0b1010_1010);
    /// Straight ahead, back and sideways.
    pub const ORTHOGONALS: Directions = Directions(0b0101_0101);
    /// All eight.
    pub const ALL: Directions = Directions(0xff);

    /// The same directions as seen from White's side of the board.
    #[inline(always)]
    pub const fn of(self, side: Side) -> Directions {
        match side {
            Side::White => self,
            Side::Black => Directions(self.0.rotate_left(4)),
        }
    }

    /// Whether the direction is among them.
    #[inline(always)]
    pub const fn has(self, direction: usize) -> bool {
        self.0 >> direction & 1 == 1
    }
}

/// Run a block for every direction of a set.
///
/// For a rule source `R` that the compiler knows, the loop is unrolled, so that each copy has its direction and its step
/// as constants. For rules read at run time it is an ordinary loop, which keeps the code small.
macro_rules! each_direction {
    ($source:ty, $directions:expr, $direction:ident => $body:block) => {
        each_direction!($source, $directions, $direction => $body; 0 1 2 3 4 5 6 7)
    };
    ($source:ty, $directions:expr, $direction:ident => $body:block; $($index:literal)*) => {
        if <$source as $crate::draughts::specialisation::RuleSource>::IS_STATIC {
            $(if $directions.has($index) {
                let $direction: usize = $index;
                $body
            })*
        } else {
            for $direction in 0..$crate::draughts::directions::DIRECTIONS {
                if $directions.has($direction) $body
            }
        }
    };
}
pub(super) use each_direction;

/// The opposite direction.
pub(super) const fn back(direction: usize) -> usize {
    (direction + DIRECTIONS / 2) % DIRECTIONS
}
