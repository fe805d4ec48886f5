//! The pseudo-random number generator SplitMix64. Its numbers are the same on every machine.

/// The increment of SplitMix64: an odd constant close to 2^64 divided by the golden ratio.
///
/// Multiplication by it spreads the bits of a word (Fibonacci hashing).
pub(crate) const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mix 64 bits with the finaliser of SplitMix64: every input bit affects every output bit.
#[inline(always)]
pub const fn scramble(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Return the stream with the number `stream` of a seed. Each random game has its own stream, so the games do not
    /// depend on the number of threads.
    pub fn new(seed: u64, stream: u64) -> Self {
        Random { state: scramble(seed ^ scramble(stream.wrapping_add(SPREAD))) }
    }

    /// Return the next number in `0..bound`; `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(SPREAD);
        let wide = u128::from(scramble(self.state)) * bound as u128;
        (wide >> 64) as usize
    }
}
