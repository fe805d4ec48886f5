//! Moves, sets of moves, and results of moves.

/// A move: a house whose seeds are sown, or the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Sow the seeds of the house with this index, in the sowing order of its owner.
    Sow(u8),
    /// The second player takes the first player's side.
    Swap,
}

/// The result of a move, which depends on the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SowResult {
    /// The number of seeds sown.
    pub sown: u16,
    /// The number of seeds that a capture puts into the store.
    pub captured: u16,
    /// Whether the same side moves again.
    pub extra_turn: bool,
}

/// A set of moves as a bit mask: one bit per house, and the highest bit for the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveSet(pub(super) u32);

/// The bit of the swap.
const SWAP: u32 = 31;

/// By byte: the indices of its bits in ascending order.
static BIT_INDICES: [[u8; 8]; 256] = {
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

impl MoveSet {
    pub(super) const EMPTY: MoveSet = MoveSet(0);

    pub(super) fn with_swap(self) -> Self {
        MoveSet(self.0 | 1 << SWAP)
    }

    /// Return the moves that satisfy a predicate.
    pub(super) fn filter(self, fits: impl Fn(Move) -> bool) -> Self {
        MoveSet(self.filter_map(|played| fits(played).then_some(1 << bit(played))).sum())
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Return the move with this index, in ascending order.
    #[inline(always)]
    pub(super) fn nth(mut self, index: usize) -> Move {
        if self.0 < 256 {
            return Move::Sow(BIT_INDICES[self.0 as usize][index]);
        }
        for _ in 0..index {
            self.0 &= self.0 - 1;
        }
        to_move(self.0.trailing_zeros())
    }

    pub(super) fn contains(self, played: Move) -> bool {
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

/// Iterates over the houses in ascending order, then the swap.
impl Iterator for MoveSet {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        let first = (self.0 != 0).then(|| to_move(self.0.trailing_zeros()))?;
        self.0 &= self.0 - 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.len();
        (left, Some(left))
    }
}
