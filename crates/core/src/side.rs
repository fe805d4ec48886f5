//! The two players.

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Side {
    /// The side at the bottom of the board.
    #[default]
    White,
    /// The side at the top of the board.
    Black,
}

impl Side {
    /// Black or White.
    #[inline(always)]
    pub const fn new(black: bool) -> Side {
        if black { Side::Black } else { Side::White }
    }

    /// The other side.
    #[inline(always)]
    pub const fn opponent(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// Return what a function gives for White and for Black.
    #[inline(always)]
    pub fn both<T>(mut value: impl FnMut(Side) -> T) -> [T; 2] {
        [value(Side::White), value(Side::Black)]
    }

    /// 0 for White, 1 for Black: where a pair keeps what belongs to the side.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}
