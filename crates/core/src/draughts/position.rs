//! A position: who has what where, and who moves.

use super::bitboard::Bitboard;
use super::moves::Move;
use crate::random::{SPREAD, scramble};
use crate::side::Side;

/// The quiet moves that a king has made in a row, where the rules limit them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct KingRun {
    /// Where the king is.
    pub bit: u16,
    /// How many moves; 0 where there is no run, and then `bit` is 0 too.
    pub moves: u8,
}

impl KingRun {
    /// Return the run as a number; 0 if there is none.
    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.bit) << 8 | u64::from(self.moves)
    }
}

/// A position. It holds just what decides the legal moves, so equal positions are equal for the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<B> {
    /// The pieces of White and those of Black.
    pub pieces: [B; 2],
    /// The kings among them.
    pub kings: B,
    /// The side to move.
    pub turn: Side,
    /// The kings' quiet moves in a row, White's and Black's.
    pub runs: [KingRun; 2],
}

impl<B: Bitboard> Position<B> {
    /// An empty board.
    pub fn empty(turn: Side) -> Self {
        Position { pieces: [B::EMPTY; 2], kings: B::EMPTY, turn, runs: [KingRun::default(); 2] }
    }

    /// The pieces of a side.
    #[inline(always)]
    pub fn of(&self, side: Side) -> B {
        self.pieces[side.index()]
    }

    /// Every piece.
    #[inline(always)]
    pub fn occupied(&self) -> B {
        self.pieces[0] | self.pieces[1]
    }

    /// The men of a side.
    #[inline(always)]
    pub fn men(&self, side: Side) -> B {
        self.of(side) & !self.kings
    }

    /// The position after a move. Start and end may be the same square.
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

    /// Forgets runs that bind nobody: those of a side without men and those of captured kings.
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
    /// Unlike a Zobrist key, which is updated by XOR move by move, it is computed from the bitboards by multiplying and
    /// mixing their words.
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

/// The two halves of a product, mixed: every bit of both factors reaches every bit of it.
#[inline(always)]
fn fold_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}
