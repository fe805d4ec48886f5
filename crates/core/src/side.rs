//! The two sides of a game.

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Side {
    /// The side that starts at the bottom of the board.
    #[default]
    White,
    /// The side that starts at the top of the board.
    Black,
}

impl Side {
    /// Return Black if `black` is true, else White.
    #[inline(always)]
    pub const fn new(black: bool) -> Side {
        if black { Side::Black } else { Side::White }
    }

    /// Return the other side.
    #[inline(always)]
    pub const fn opponent(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// Return the values of a function for White and for Black.
    #[inline(always)]
    pub fn both<T>(mut value: impl FnMut(Side) -> T) -> [T; 2] {
        [value(Side::White), value(Side::Black)]
    }

    /// Return the index of the side in an array with an entry per side: 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}
