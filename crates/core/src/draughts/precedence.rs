//! Which captures come first, as a number to compare.

use std::ops::RangeInclusive;

use super::bitboard::Bitboard;
use super::moves::Jump;
use super::rules::Criterion;

/// The criteria of a rule set as weights: a capture scores their sum over its pieces. Each criterion appears once at
/// most and has bits of its own in the score, the earlier the higher; together they need less than 63.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Precedence {
    /// For every captured piece.
    piece: i64,
    /// For every captured king, besides.
    king: i64,
    /// For capturing with a king.
    with_king: i64,
    /// Whether kings captured earlier decide in the end.
    kings_first: bool,
}

/// How high a capture ranks; the higher is compulsory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank<B> {
    score: i64,
    /// The order in which kings are taken: the first jump is the highest bit.
    order: B,
}

impl<B: Bitboard> Rank<B> {
    /// No higher than any capture.
    pub const LOWEST: Self = Rank { score: 0, order: B::EMPTY };
}

impl Precedence {
    /// The precedence that the criteria ask for; `KingsFirst` comes last in them.
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

    /// Whether captures can differ in rank at all.
    pub fn is_selective(&self) -> bool {
        *self != Precedence::default()
    }

    /// Whether it matters that a captured piece is a king.
    #[inline(always)]
    pub fn depends_on_kings(&self) -> bool {
        self.king != 0 || self.kings_first
    }

    /// Whether the order of the jumps matters.
    #[inline(always)]
    pub fn depends_on_order(&self) -> bool {
        self.kings_first
    }

    /// The rank of a capture, by a king or a man, of the pieces `captured`: one for every jump.
    #[inline(always)]
    pub fn rank<B: Bitboard>(&self, captured: B, kings: B, by_king: bool, jumps: &[Jump]) -> Rank<B> {
        let taken = if self.king == 0 { 0 } else { (captured & kings).count() };
        let order = if self.kings_first { king_order(kings, jumps) } else { B::EMPTY };
        Rank { score: self.score(jumps.len(), taken, by_king), order }
    }

    /// The rank of the capture of a single man.
    #[inline(always)]
    pub fn rank_of_one_man<B: Bitboard>(&self, by_king: bool) -> Rank<B> {
        Rank { score: self.score(1, 0, by_king), order: B::EMPTY }
    }

    /// Whether every capture by a king of at most so many pieces, among them kings in that range, ranks lower.
    pub fn all_rank_lower<B: Bitboard>(&self, pieces: usize, kings: RangeInclusive<usize>, than: &Rank<B>) -> bool {
        // A king can be worth less than a man.
        let kings = if self.king >= 0 { *kings.end() } else { *kings.start() };
        self.score(pieces, kings, true) < than.score
    }

    #[inline(always)]
    fn score(&self, pieces: usize, kings: usize, by_king: bool) -> i64 {
        self.piece * pieces as i64 + self.king * kings as i64 + self.with_king * i64::from(by_king)
    }
}

/// Which of the jumps take kings, the first jump in the highest bit.
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
    fn kings_taken_earlier_rank_higher_at_every_place() {
        let italian = [Criterion::MostPieces, Criterion::WithKing, Criterion::MostKings, Criterion::KingsFirst];
        let (kings, men) = (0b11, [5, 6]);
        assert!(rank(&italian, kings, true, &[0, 1, men[0]]) > rank(&italian, kings, true, &[0, men[0], 1]));
        assert!(rank(&italian, kings, true, &[0, men[0], 1]) > rank(&italian, kings, true, &[men[0], 0, 1]));
        assert!(rank(&italian, kings, true, &[men[0], men[1], 7]) > rank(&italian, kings, false, &[0, 1, men[0]]));
    }

    #[test]
    fn a_bound_holds_whatever_a_king_is_worth() {
        for king in [1, 3, 5] {
            let value = [Criterion::MostValue { man: 3, king }];
            let best = rank(&value, 0b11, true, &[0, 1, 5]);
            let precedence = Precedence::new(&value);
            assert!(!precedence.all_rank_lower(3, 0..=2, &best));
            assert!(precedence.all_rank_lower(2, 2..=2, &best));
        }
    }

    #[test]
    fn free_choice_ranks_all_alike() {
        assert_eq!(rank(&[], 1, true, &[0]), rank(&[], 1, false, &[2, 3]));
    }
}
