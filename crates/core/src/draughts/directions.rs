//! The eight directions: sets of directions, opposites and iteration.

use crate::side::Side;

/// A set of directions from the view of the side to move: bit 0 is straight ahead, the others follow clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Directions(pub u8);

/// The number of directions.
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
    /// All eight directions.
    pub const ALL: Directions = Directions(0xff);

    /// Return the directions of a side from the view of White: those of Black are rotated by half a turn.
    #[inline(always)]
    pub const fn of(self, side: Side) -> Directions {
        match side {
            Side::White => self,
            Side::Black => Directions(self.0.rotate_left(4)),
        }
    }

    /// Return whether a direction is in the set.
    #[inline(always)]
    pub const fn has(self, direction: usize) -> bool {
        self.0 >> direction & 1 == 1
    }
}

/// Run a block for every direction of a set.
///
/// For a static rule source the loop is unrolled, and the direction and its step are constants in each copy. For a
/// dynamic rule source it is an ordinary loop, which keeps the code small.
macro_rules! each_direction {
    ($source:ty, $directions:expr, $direction:ident => $body:block) => {
        each_direction!($source, $directions, $direction => $body; 0 1 2 3 4 5 6 7)
    };
    ($source:ty, $directions:expr, $direction:ident => $body:block; $($index:literal)*) => {
        if <$source as $crate::draughts::specialisation::RuleSource>::FACTS.is_some() {
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

/// Return the opposite direction.
pub(super) const fn back(direction: usize) -> usize {
    (direction + DIRECTIONS / 2) % DIRECTIONS
}
