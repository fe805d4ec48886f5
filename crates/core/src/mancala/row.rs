//! Rows: the pits of one side as one value. Boards of common sizes are packed into a machine word (SWAR).

use std::fmt::Debug;

/// The pits of one side: its houses in sowing order, then its store.
pub trait Row: Copy + Eq + Default + Debug + Send + Sync + 'static {
    /// The maximum number of pits of a row, including the store.
    const MAX_PITS: usize;
    /// The maximum number of seeds on a board of such rows.
    const MAX_SEEDS: u32;

    /// Return the seeds in a pit.
    fn get(self, pit: usize) -> u16;
    /// Return the row with a pit set to a number of seeds.
    fn with(self, pit: usize, seeds: u16) -> Self;
    /// Return the row with seeds added to a pit.
    fn add(self, pit: usize, seeds: u16) -> Self;
    /// Return the row with seeds removed from a pit.
    fn take(self, pit: usize, seeds: u16) -> Self;
    /// Return the sum of two rows, pit by pit.
    fn plus(self, added: Self) -> Self;
    /// Return the row with every pit multiplied by a factor.
    fn times(self, factor: u16) -> Self;
    /// Return the number of seeds in the first `pits` pits.
    fn sum(self, pits: usize) -> u16;
    /// Return a bit mask of the pits with seeds among the first `pits` pits, the first pit in the lowest bit.
    fn filled(self, pits: usize) -> u32;
    /// Return how many of the first `pits` pits have the same number of seeds in both rows.
    fn equal(self, other: Self, pits: usize) -> u32;
    /// Return a number for hashing.
    fn bits(self) -> u64;
}

/// SWAR: one byte per pit in a machine word, for boards of up to seven houses per side and 255 seeds.
impl Row for u64 {
    const MAX_PITS: usize = 8;
    const MAX_SEEDS: u32 = 0xff;

    #[inline(always)]
    fn get(self, pit: usize) -> u16 {
        (self >> (8 * pit) & 0xff) as u16
    }

    #[inline(always)]
    fn with(self, pit: usize, seeds: u16) -> Self {
        self & !(0xff << (8 * pit)) | u64::from(seeds) << (8 * pit)
    }

    #[inline(always)]
    fn add(self, pit: usize, seeds: u16) -> Self {
        self + (u64::from(seeds) << (8 * pit))
    }

    #[inline(always)]
    fn take(self, pit: usize, seeds: u16) -> Self {
        self - (u64::from(seeds) << (8 * pit))
    }

    #[inline(always)]
    fn plus(self, added: Self) -> Self {
        self + added
    }

    #[inline(always)]
    fn times(self, factor: u16) -> Self {
        self * u64::from(factor)
    }

    #[inline(always)]
    fn sum(self, pits: usize) -> u16 {
        // The highest byte of the product is the sum of all bytes. No byte overflows, because the total fits in one
        // byte.
        (first_bytes(self, pits).wrapping_mul(EVERY_BYTE) >> 56) as u16
    }

    #[inline(always)]
    fn filled(self, pits: usize) -> u32 {
        let row = first_bytes(self, pits);
        let low = EVERY_BYTE * 0x7f;
        // Set the highest bit of each non-zero byte, then gather these bits (a movemask by multiplication).
        let flags = (((row & low) + low) | row) & !low;
        ((flags >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    }

    #[inline(always)]
    fn equal(self, other: Self, pits: usize) -> u32 {
        pits as u32 - (self ^ other).filled(pits).count_ones()
    }

    fn bits(self) -> u64 {
        self
    }
}

/// The value 1 in every byte. The product of a word with it contains in each byte the prefix sum of the bytes up to
/// there.
pub(super) const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;

/// Return the lowest `bytes` bytes of a word, fewer than eight.
#[inline(always)]
fn first_bytes(word: u64, bytes: usize) -> u64 {
    word & !(u64::MAX << (8 * bytes))
}

/// An array of 16-bit numbers, large enough for every board that the rules allow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct WideRow([u16; 32]);

impl Row for WideRow {
    const MAX_PITS: usize = 32;
    const MAX_SEEDS: u32 = u16::MAX as u32;

    fn get(self, pit: usize) -> u16 {
        self.0[pit]
    }

    fn with(mut self, pit: usize, seeds: u16) -> Self {
        self.0[pit] = seeds;
        self
    }

    fn add(mut self, pit: usize, seeds: u16) -> Self {
        self.0[pit] += seeds;
        self
    }

    fn take(mut self, pit: usize, seeds: u16) -> Self {
        self.0[pit] -= seeds;
        self
    }

    fn plus(mut self, added: Self) -> Self {
        self.0.iter_mut().zip(added.0).for_each(|(pit, seeds)| *pit += seeds);
        self
    }

    fn times(mut self, factor: u16) -> Self {
        self.0.iter_mut().for_each(|pit| *pit *= factor);
        self
    }

    fn sum(self, pits: usize) -> u16 {
        self.0[..pits].iter().sum()
    }

    fn filled(self, pits: usize) -> u32 {
        self.0[..pits].iter().rev().fold(0, |filled, seeds| filled << 1 | u32::from(*seeds > 0))
    }

    fn equal(self, other: Self, pits: usize) -> u32 {
        self.0[..pits].iter().zip(other.0).filter(|(seeds, wanted)| **seeds == *wanted).count() as u32
    }

    fn bits(self) -> u64 {
        self.0.chunks(4).fold(0, |hash, four| {
            crate::random::scramble(four.iter().fold(hash, |bits, pit| bits.rotate_left(16) ^ u64::from(*pit)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Row, WideRow};
    use crate::random::Random;

    /// Yield random rows of seven houses and a store, in both representations.
    fn rows() -> impl Iterator<Item = ([u16; 8], u64, WideRow)> {
        let mut random = Random::new(1, 2);
        std::iter::repeat_with(move || {
            let seeds: [u16; 8] = std::array::from_fn(|_| [0, 1, random.below(32) as u16][random.below(3)]);
            (seeds, make(&seeds), make(&seeds))
        })
        .take(2000)
    }

    fn make<R: Row>(seeds: &[u16]) -> R {
        seeds.iter().enumerate().fold(R::default(), |row, (pit, seeds)| row.with(pit, *seeds))
    }

    #[test]
    fn packed_and_wide_rows_have_the_same_seeds() {
        for (seeds, packed, wide) in rows() {
            for pits in 0..8 {
                assert_eq!([packed.get(pits), wide.get(pits)], [seeds[pits]; 2]);
                assert_eq!([packed.sum(pits), wide.sum(pits)], [seeds[..pits].iter().sum(); 2]);
                let filled = (0..pits).filter(|pit| seeds[*pit] > 0).map(|pit| 1 << pit).sum::<u32>();
                assert_eq!([packed.filled(pits), wide.filled(pits)], [filled; 2]);
            }
            for pits in 0..8 {
                let equal = seeds[..pits].iter().filter(|seeds| **seeds == 1).count() as u32;
                let ones = [1; 8];
                assert_eq!([packed.equal(make(&ones), pits), wide.equal(make(&ones), pits)], [equal; 2]);
            }
            let mut changed = seeds;
            changed[3] = 9;
            assert_eq!((packed.with(3, 9), wide.with(3, 9)), (make(&changed), make(&changed)));
            assert_eq!((packed.with(3, 4).add(3, 5), wide.with(3, 4).add(3, 5)), (make(&changed), make(&changed)));
            assert_eq!((packed.with(3, 9).take(3, 9), wide.take(3, seeds[3])), (packed.with(3, 0), wide.with(3, 0)));
            let doubled = seeds.map(|seeds| 2 * seeds);
            assert_eq!((packed.times(2), wide.times(2)), (make(&doubled), make(&doubled)));
        }
    }

    #[test]
    fn rows_are_added_pit_by_pit() {
        for ((seeds, packed, wide), (added, more, wider)) in rows().zip(rows().skip(1)) {
            let sum: Vec<u16> = seeds.iter().zip(added).map(|(a, b)| a + b).collect();
            assert_eq!((packed.plus(more), wide.plus(wider)), (make(&sum), make(&sum)));
        }
    }
}
