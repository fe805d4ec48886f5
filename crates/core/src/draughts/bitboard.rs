//! Bitboards: sets of squares in one or more machine words. The module `geometry` maps squares to bits.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A bitboard: a set of squares with one bit per square.
pub trait Bitboard:
    Copy
    + Debug
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
{
    /// The number of bits.
    const BITS: usize;
    /// The empty set.
    const EMPTY: Self;

    /// Return the set of one bit.
    fn bit(index: usize) -> Self;
    /// Return whether the set is empty.
    fn is_empty(self) -> bool;
    /// Return the number of bits in the set (population count).
    fn count(self) -> usize;
    /// Return the index of the lowest bit; the set must not be empty.
    fn lowest(self) -> usize;
    /// Return the index of the highest bit; the set must not be empty.
    fn highest(self) -> usize;
    /// Return the set without its lowest bit; the set must not be empty.
    fn without_lowest(self) -> Self;
    /// Return the set shifted by `delta` bits, towards higher bits if it is positive. Bits shifted out are lost.
    fn shifted(self, delta: i32) -> Self;
    /// Return the words of the set, lowest first, for hashing.
    fn words(self) -> impl Iterator<Item = u64>;

    /// Return whether a bit is in the set.
    #[inline(always)]
    fn has(self, index: usize) -> bool {
        !(self & Self::bit(index)).is_empty()
    }

    /// Iterate over the indices of the bits, lowest first.
    #[inline(always)]
    fn bits(self) -> Bits<Self> {
        Bits(self)
    }
}

/// An iterator over the indices of the bits of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Bits<B>(B);

impl<B: Bitboard> Iterator for Bits<B> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let index = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(index)
    }
}

macro_rules! machine_word {
    ($word:ty) => {
        impl Bitboard for $word {
            const BITS: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;

            #[inline(always)]
            fn bit(index: usize) -> Self {
                1 << index
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn count(self) -> usize {
                self.count_ones() as usize
            }
            #[inline(always)]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn highest(self) -> usize {
                Self::BITS as usize - 1 - self.leading_zeros() as usize
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn shifted(self, delta: i32) -> Self {
                if delta >= 0 { self << delta } else { self >> -delta }
            }
            fn words(self) -> impl Iterator<Item = u64> {
                (0..Self::BITS / 64).map(move |word| (self >> (64 * word)) as u64)
            }
        }
    };
}

machine_word!(u64);
machine_word!(u128);

/// A bitboard of `N` words, for boards that need more than two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WideBitboard<const N: usize>([u64; N]);

impl<const N: usize> WideBitboard<N> {
    #[inline(always)]
    fn zip(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = self.0;
        for (word, with) in words.iter_mut().zip(other.0) {
            *word = join(*word, with);
        }
        WideBitboard(words)
    }
}

// These functions are not inlined: each is a loop over several words, and copies in every caller would be too much
// code.
impl<const N: usize> Bitboard for WideBitboard<N> {
    const BITS: usize = 64 * N;
    const EMPTY: Self = WideBitboard([0; N]);

    #[inline(never)]
    fn bit(index: usize) -> Self {
        let mut words = [0; N];
        words[index / 64] = 1 << (index % 64);
        WideBitboard(words)
    }
    #[inline(never)]
    fn is_empty(self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
    #[inline(never)]
    fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
    #[inline(never)]
    fn lowest(self) -> usize {
        let word = self.0.iter().position(|word| *word != 0).expect("an empty set has no lowest bit");
        64 * word + self.0[word].trailing_zeros() as usize
    }
    #[inline(never)]
    fn highest(self) -> usize {
        let word = self.0.iter().rposition(|word| *word != 0).expect("an empty set has no highest bit");
        64 * word + 63 - self.0[word].leading_zeros() as usize
    }
    #[inline(never)]
    fn without_lowest(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= word.wrapping_sub(1);
        }
        self
    }
    #[inline(never)]
    fn shifted(self, delta: i32) -> Self {
        let (words, bits) = (delta.unsigned_abs() as usize / 64, delta.unsigned_abs() % 64);
        let mut shifted = [0; N];
        for (index, word) in shifted.iter_mut().enumerate() {
            // The two source words of this word: `near` provides most of its bits, `next` those shifted across a
            // boundary.
            let (near, next) = if delta >= 0 {
                (index.checked_sub(words), index.checked_sub(words + 1))
            } else {
                (Some(index + words), Some(index + words + 1))
            };
            let read = |index: Option<usize>| index.and_then(|index| self.0.get(index)).copied().unwrap_or(0);
            *word = match (bits, delta >= 0) {
                (0, _) => read(near),
                (_, true) => read(near) << bits | read(next) >> (64 - bits),
                (_, false) => read(near) >> bits | read(next) << (64 - bits),
            };
        }
        WideBitboard(shifted)
    }
    fn words(self) -> impl Iterator<Item = u64> {
        self.0.into_iter()
    }
}

impl<const N: usize> BitAnd for WideBitboard<N> {
    type Output = Self;
    #[inline(never)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const N: usize> BitOr for WideBitboard<N> {
    type Output = Self;
    #[inline(never)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl<const N: usize> BitXor for WideBitboard<N> {
    type Output = Self;
    #[inline(never)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl<const N: usize> Not for WideBitboard<N> {
    type Output = Self;
    #[inline(never)]
    fn not(self) -> Self {
        WideBitboard(self.0.map(|word| !word))
    }
}

impl<const N: usize> BitAndAssign for WideBitboard<N> {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const N: usize> BitOrAssign for WideBitboard<N> {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const N: usize> BitXorAssign for WideBitboard<N> {
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

/// Sets are ordered as numbers: the highest different bit decides, as for machine words.
impl<const N: usize> Ord for WideBitboard<N> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl<const N: usize> PartialOrd for WideBitboard<N> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_against_machine_word(a: u128, delta: i32) {
        let wide = |n: u128| WideBitboard([n as u64, (n >> 64) as u64]);
        assert_eq!(wide(a).shifted(delta), wide(Bitboard::shifted(a, delta)), "{a:#x} shifted by {delta}");
        assert_eq!(wide(a).count(), a.count());
        assert_eq!(wide(a).bits().collect::<Vec<_>>(), a.bits().collect::<Vec<_>>());
        assert_eq!(!wide(a), wide(!a));
        if a != 0 {
            assert_eq!(wide(a).lowest(), Bitboard::lowest(a));
            assert_eq!(wide(a).highest(), Bitboard::highest(a));
        }
        let b = a.rotate_left(77) ^ 0x55;
        assert_eq!(wide(a).cmp(&wide(b)), a.cmp(&b));
    }

    #[test]
    fn wide_bitboards_agree_with_machine_words() {
        for a in [0, 1, 1 << 63, 1 << 64, 1 << 127, u128::MAX, 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978] {
            for delta in [0, 1, -1, 7, -7, 63, -63, 64, -64, 65, -65, 127, -127] {
                check_against_machine_word(a, delta);
            }
        }
    }
}
