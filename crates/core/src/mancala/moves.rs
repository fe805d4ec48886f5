//! Moves, sets of them, and what they come to.

/// A move: a house whose seeds are sown, or the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The seeds of the house with this index, in the order in which its owner sows them.
    Sow(u8),
    /// The second player takes the first player's side.
    Swap,
}

/// What a move comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Yield {
    /// The seeds that are sown.
    pub sown: u16,
    /// The seeds that a capture puts into the store.
    pub captured: u16,
    /// Whether the same side moves again.
    pub extra_turn: bool,
}

/// The moves of a position: a bit for every house, and one above them for the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moves(pub(super) u32);

const SWAP: u32 = 31;

/// The bits of every byte, in ascending order.
static NTH: [[u8; 8]; 256] = {
    let (mut table, mut byte) = ([[0; 8]; 256], 0);
    while byte < 256 {
        let (mut bits, mut count) = (byte as u32, 0);
        while bits != 0 {
            table[byte][count] = bits.trailing_zeros() as u8;
            bits &= bits - 1;
            count += 1;
        }
        byte += 1;
    }
    table
};

impl Moves {
    pub(super) const NONE: Moves = Moves(0);

    pub(super) fn with_swap(self) -> Self {
        Moves(self.0 | 1 << SWAP)
    }

    /// The moves that fit.
    pub(super) fn filter(self, fits: impl Fn(Move) -> bool) -> Self {
        Moves(self.filter_map(|played| fits(played).then_some(1 << bit(played))).sum())
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub(super) fn number(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The move behind so many others.
    #[inline(always)]
    pub(super) fn nth(mut self, before: usize) -> Move {
        if self.0 < 256 {
            return Move::Sow(NTH[self.0 as usize][before]);
        }
        for _ in 0..before {
            self.0 &= self.0 - 1;
        }
        to_move(self.0.trailing_zeros())
    }

    pub(super) fn has(self, played: Move) -> bool {
        self.0 >> bit(played) & 1 == 1
    }
}

fn bit(played: Move) -> u32 {
    match played {
        Move::Sow(house) => house.into(),
        Move::Swap => SWAP,
    }
}

#[inline(always)]
fn to_move(bit: u32) -> Move {
    if bit == SWAP { Move::Swap } else { Move::Sow(bit as u8) }
}

/// Houses in ascending order, then the swap.
impl Iterator for Moves {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        let first = (self.0 != 0).then(|| to_move(self.0.trailing_zeros()))?;
        self.0 &= self.0 - 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.number();
        (left, Some(left))
    }
}
