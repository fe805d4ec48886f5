//! Positions: bitboards of the pieces, the side to move, and the hash key.

use super::bitboard::Bitboard;
use super::moves::Move;
use crate::random::{SPREAD, scramble};
use crate::side::Side;

/// The consecutive quiet moves of one king, recorded if the rules limit them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct KingRun {
    /// The bit of the king; 0 without a run.
    pub bit: u16,
    /// The number of moves; 0 without a run.
    pub moves: u8,
}

impl KingRun {
    /// Return the run as an integer; 0 if there is none.
    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.bit) << 8 | u64::from(self.moves)
    }
}

/// A position. It contains exactly the state that determines the legal moves, so `==` is equality under the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<B> {
    /// The pieces of White and of Black.
    pub pieces: [B; 2],
    /// The kings of both sides.
    pub kings: B,
    /// The side to move.
    pub turn: Side,
    /// The run of quiet king moves of White and of Black.
    pub runs: [KingRun; 2],
}

impl<B: Bitboard> Position<B> {
    /// Return the position without pieces.
    pub fn empty(turn: Side) -> Self {
        Position { pieces: [B::EMPTY; 2], kings: B::EMPTY, turn, runs: [KingRun::default(); 2] }
    }

    /// Return the pieces of a side.
    #[inline(always)]
    pub fn of(&self, side: Side) -> B {
        self.pieces[side.index()]
    }

    /// Return the pieces of both sides.
    #[inline(always)]
    pub fn occupied(&self) -> B {
        self.pieces[0] | self.pieces[1]
    }

    /// Return the men of a side.
    #[inline(always)]
    pub fn men(&self, side: Side) -> B {
        self.of(side) & !self.kings
    }

    /// Return the position after a move. A capture can end on its first square.
    #[inline(always)]
    pub fn after(&self, played: &Move<B>, king_move_limit: u8) -> Self {
        let (own, other) = (self.turn.index(), self.turn.opponent().index());
        let (from, to) = (B::bit(usize::from(played.from)), B::bit(usize::from(played.to)));
        let is_king = !(self.kings & from).is_empty();
        let mut next = *self;
        next.pieces[own] = self.pieces[own] & !from | to;
        next.pieces[other] = self.pieces[other] & !played.captured;
        next.kings = self.kings & !(from | played.captured);
        if is_king || played.crowns {
            next.kings |= to;
        }
        next.turn = self.turn.opponent();
        if king_move_limit > 0 && (is_king || self.runs.iter().any(|run| run.moves > 0)) {
            next.runs[own] = match self.runs[own] {
                _ if !is_king || !played.captured.is_empty() => KingRun::default(),
                run if run.moves > 0 && run.bit == played.from => {
                    KingRun { bit: played.to, moves: run.moves.saturating_add(1) }
                }
                _ => KingRun { bit: played.to, moves: 1 },
            };
            next.drop_idle_runs();
        }
        next
    }

    /// Remove runs that have no effect on the legal moves: those of a side without men and those of captured kings.
    pub fn drop_idle_runs(&mut self) {
        for side in [Side::White, Side::Black] {
            let run = self.runs[side.index()];
            if run.moves > 0 && (self.men(side).is_empty() || !(self.of(side) & self.kings).has(usize::from(run.bit))) {
                self.runs[side.index()] = KingRun::default();
            }
        }
    }

    /// Return the 64-bit hash key: equal positions have equal keys.
    ///
    /// Unlike a Zobrist key, which is updated incrementally by XOR, the key is computed from the bitboards by
    /// multiplying and mixing their words.
    #[inline(always)]
    pub fn hash_key(&self) -> u64 {
        let sets = self.pieces[0].words().zip(self.pieces[1].words()).zip(self.kings.words());
        let turn = self.turn.index() as u64;
        let start = match Side::both(|side| self.runs[side.index()].bits()) {
            [0, 0] => turn,
            [white, black] => scramble(white << 32 | black << 1 | turn),
        };
        sets.fold(start, |key, ((white, black), kings)| {
            let men = fold_product(white ^ 0x7461_626c_656d_656e, black ^ 0xd6e8_feb8_6659_fd93);
            fold_product(men ^ key, kings.wrapping_mul(SPREAD) ^ 0xa076_1d64_78bd_642f ^ key.rotate_left(32))
        })
    }
}

/// Return the XOR of the two halves of the 128-bit product: every bit of the factors affects most of its bits.
#[inline(always)]
fn fold_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}
