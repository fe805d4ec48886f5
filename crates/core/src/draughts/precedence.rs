//! Capture precedence: the criteria of the rules as a precedence rank that can be compared.

use std::ops::RangeInclusive;

use super::bitboard::Bitboard;
use super::moves::Jump;
use super::rules::Criterion;

/// The criteria of a rule set as weights. The score of a capture is their sum over the captured pieces.
///
/// Each criterion occurs at most once and has its own bits in the score, higher for earlier criteria. All criteria
/// together need fewer than 63 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Precedence {
    /// The weight of each captured piece.
    piece: i64,
    /// The additional weight of each captured king.
    king: i64,
    /// The weight of capturing with a king.
    with_king: i64,
    /// Whether the order of captured kings decides between equal scores.
    kings_first: bool,
}

/// The precedence rank of a capture: only captures of the highest rank are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank<B> {
    score: i64,
    /// The jumps that take a king: the first jump is the highest bit.
    order: B,
}

impl<B: Bitboard> Rank<B> {
    /// A rank that no capture ranks below.
    pub const LOWEST: Self = Rank { score: 0, order: B::EMPTY };
}

impl Precedence {
    /// Compute the weights of the criteria. `KingsFirst` must be the last of them.
    pub fn new(criteria: &[Criterion]) -> Self {
        let mut weights = Precedence::default();
        for criterion in criteria {
            let bits = match criterion {
                Criterion::MostPieces | Criterion::MostKings => 11,
                Criterion::MostValue { .. } => 27,
                Criterion::WithKing => 1,
                Criterion::KingsFirst => 0,
            };
            for weight in [&mut weights.piece, &mut weights.king, &mut weights.with_king] {
                *weight <<= bits;
            }
            match criterion {
                Criterion::MostPieces => weights.piece += 1,
                Criterion::MostKings => weights.king += 1,
                Criterion::MostValue { man, king } => {
                    weights.piece += i64::from(*man);
                    weights.king += i64::from(*king) - i64::from(*man);
                }
                Criterion::WithKing => weights.with_king += 1,
                Criterion::KingsFirst => weights.kings_first = true,
            }
        }
        weights
    }

    /// Return whether captures can differ in rank.
    pub fn is_selective(&self) -> bool {
        *self != Precedence::default()
    }

    /// Return whether the rank depends on which captured pieces are kings.
    #[inline(always)]
    pub fn depends_on_kings(&self) -> bool {
        self.king != 0 || self.kings_first
    }

    /// Return whether the rank depends on the order of the jumps.
    #[inline(always)]
    pub fn depends_on_order(&self) -> bool {
        self.kings_first
    }

    /// Return the rank of a capture of the pieces `captured`, one per jump, by a king or a man.
    #[inline(always)]
    pub fn rank<B: Bitboard>(&self, captured: B, kings: B, by_king: bool, jumps: &[Jump]) -> Rank<B> {
        let taken = if self.king == 0 { 0 } else { (captured & kings).count() };
        let order = if self.kings_first { king_order(kings, jumps) } else { B::EMPTY };
        Rank { score: self.score(jumps.len(), taken, by_king), order }
    }

    /// Return the rank of the capture of a single man.
    #[inline(always)]
    pub fn rank_of_one_man<B: Bitboard>(&self, by_king: bool) -> Rank<B> {
        Rank { score: self.score(1, 0, by_king), order: B::EMPTY }
    }

    /// Return whether every capture by a king that takes at most `pieces` pieces, with a number of kings in the range
    /// `kings`, ranks lower.
    pub fn all_rank_lower<B: Bitboard>(&self, pieces: usize, kings: RangeInclusive<usize>, than: &Rank<B>) -> bool {
        // The weight is negative if the value of a king is less than that of a man.
        let kings = if self.king >= 0 { *kings.end() } else { *kings.start() };
        self.score(pieces, kings, true) < than.score
    }

    #[inline(always)]
    fn score(&self, pieces: usize, kings: usize, by_king: bool) -> i64 {
        self.piece * pieces as i64 + self.king * kings as i64 + self.with_king * i64::from(by_king)
    }
}

/// Return the set of the jumps that take a king: the first jump is the highest bit.
pub fn king_order<B: Bitboard>(kings: B, jumps: &[Jump]) -> B {
    let mut order = B::EMPTY;
    for (index, jump) in jumps.iter().enumerate() {
        if kings.has(usize::from(jump.captured)) {
            order |= B::bit(B::BITS - 1 - index);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jumps(captured: &[u16]) -> Vec<Jump> {
        captured.iter().map(|&captured| Jump { captured, landing: 0 }).collect()
    }

    fn rank(criteria: &[Criterion], kings: u64, by_king: bool, order: &[u16]) -> Rank<u64> {
        let captured = order.iter().fold(0, |set, bit| set | 1 << bit);
        Precedence::new(criteria).rank(captured, kings, by_king, &jumps(order))
    }

    #[test]
    fn three_kings_outrank_five_men_but_not_six() {
        let frisian = [Criterion::MostValue { man: 100, king: 199 }, Criterion::WithKing];
        let kings = rank(&frisian, 0b111, false, &[0, 1, 2]);
        assert!(kings > rank(&frisian, 0b111, true, &[3, 4, 5, 6, 7]));
        assert!(kings < rank(&frisian, 0b111, false, &[3, 4, 5, 6, 7, 8]));
        assert!(rank(&frisian, 0, true, &[3]) > rank(&frisian, 0, false, &[3]));
    }

    #[test]
    fn captures_with_earlier_kings_rank_higher() {
        let italian = [Criterion::MostPieces, Criterion::WithKing, Criterion::MostKings, Criterion::KingsFirst];
        let (kings, men) = (0b11, [5, 6]);
        assert!(rank(&italian, kings, true, &[0, 1, men[0]]) > rank(&italian, kings, true, &[0, men[0], 1]));
        assert!(rank(&italian, kings, true, &[0, men[0], 1]) > rank(&italian, kings, true, &[men[0], 0, 1]));
        assert!(rank(&italian, kings, true, &[men[0], men[1], 7]) > rank(&italian, kings, false, &[0, 1, men[0]]));
    }

    #[test]
    fn the_bound_holds_for_any_value_of_a_king() {
        for king in [1, 3, 5] {
            let value = [Criterion::MostValue { man: 3, king }];
            let best = rank(&value, 0b11, true, &[0, 1, 5]);
            let precedence = Precedence::new(&value);
            assert!(!precedence.all_rank_lower(3, 0..=2, &best));
            assert!(precedence.all_rank_lower(2, 2..=2, &best));
        }
    }

    #[test]
    fn all_captures_rank_equal_without_criteria() {
        assert_eq!(rank(&[], 1, true, &[0]), rank(&[], 1, false, &[2, 3]));
    }
}
