//! Which captures come first, as a number to compare.

use super::moves::Jump;
use super::rules::Criterion;
use super::squares::SquareSet;

/// The precedence of a rule set, with the common cases apart because they need no arithmetic.
#[derive(Clone, Debug)]
pub enum Precedence {
    /// Any capture will do.
    Free,
    /// Most pieces, and nothing else.
    MostPieces,
    /// Several criteria, the earlier decides.
    Ranked {
        /// All but `KingsFirst`.
        criteria: Vec<Criterion>,
        /// Whether kings captured earlier decide in the end.
        kings_first: bool,
    },
}

/// How high a capture ranks; the higher is compulsory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank<S> {
    score: u64,
    /// The order in which kings are taken: the first jump is the highest bit.
    order: S,
}

impl<S: SquareSet> Rank<S> {
    /// Below every capture.
    pub const LOWEST: Self = Rank { score: 0, order: S::EMPTY };
}

impl Precedence {
    /// The precedence that the criteria ask for; `KingsFirst` comes last in them.
    pub fn new(criteria: &[Criterion]) -> Self {
        match criteria {
            [] => Precedence::Free,
            [Criterion::MostPieces] => Precedence::MostPieces,
            _ => Precedence::Ranked {
                criteria: criteria.iter().copied().filter(|each| *each != Criterion::KingsFirst).collect(),
                kings_first: criteria.contains(&Criterion::KingsFirst),
            },
        }
    }

    /// Whether it matters that a captured piece is a king.
    #[inline(always)]
    pub fn looks_at_kings(&self) -> bool {
        matches!(self, Precedence::Ranked { .. })
    }

    /// The rank of the capture of a single man.
    #[inline(always)]
    pub fn rank_of_one_man<S: SquareSet>(&self, by_king: bool) -> Rank<S> {
        self.rank(S::EMPTY, S::EMPTY, by_king, &[Jump { captured: 0, landing: 0 }])
    }

    /// Whether the order of the jumps matters.
    #[inline(always)]
    pub fn looks_at_order(&self) -> bool {
        matches!(self, Precedence::Ranked { kings_first: true, .. })
    }

    /// The rank of a capture by a king or a man of the pieces `captured`, which are one for every jump.
    #[inline(always)]
    pub fn rank<S: SquareSet>(&self, captured: S, kings: S, by_king: bool, jumps: &[Jump]) -> Rank<S> {
        match self {
            Precedence::Free => Rank::LOWEST,
            Precedence::MostPieces => Rank { score: jumps.len() as u64, order: S::EMPTY },
            Precedence::Ranked { criteria, kings_first } => Rank {
                score: total(criteria, jumps.len(), (captured & kings).count(), by_king),
                order: if *kings_first { king_order(kings, jumps) } else { S::EMPTY },
            },
        }
    }
}

impl<S: SquareSet> Rank<S> {
    /// Whether a capture of so many pieces and kings would rank lower, whatever their order.
    pub fn is_above(&self, precedence: &Precedence, pieces: usize, kings: usize, by_king: bool) -> bool {
        let score = match precedence {
            Precedence::Free => 0,
            Precedence::MostPieces => pieces as u64,
            Precedence::Ranked { criteria, .. } => total(criteria, pieces, kings, by_king),
        };
        score < self.score
    }
}

/// The criteria as one number. Each appears once at most, and together they need less than 64 bits.
#[inline(always)]
fn total(criteria: &[Criterion], pieces: usize, kings: usize, by_king: bool) -> u64 {
    let (pieces, kings) = (pieces as u64, kings as u64);
    criteria.iter().fold(0, |score, criterion| match criterion {
        Criterion::MostPieces => score << 11 | pieces,
        Criterion::MostKings => score << 11 | kings,
        Criterion::MostValue { man, king } => {
            (score << 27) | (u64::from(*man) * (pieces - kings) + u64::from(*king) * kings)
        }
        Criterion::WithKing => score << 1 | u64::from(by_king),
        Criterion::KingsFirst => score,
    })
}

/// Which of the jumps take kings, the first jump in the highest bit.
pub fn king_order<S: SquareSet>(kings: S, jumps: &[Jump]) -> S {
    let mut order = S::EMPTY;
    for (index, jump) in jumps.iter().enumerate() {
        if kings.has(usize::from(jump.captured)) {
            order |= S::bit(S::BITS - 1 - index);
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
    fn free_choice_ranks_all_alike() {
        assert_eq!(rank(&[], 1, true, &[0]), rank(&[], 1, false, &[2, 3]));
    }
}
