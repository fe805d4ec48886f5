//! A small random generator for playouts (SplitMix64): the same numbers on every machine.

/// An odd number without a pattern in its bits: what is multiplied by it is spread over the whole word.
pub(crate) const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Scrambles 64 bits so that every bit of the input reaches every bit of the result.
#[inline(always)]
pub const fn scramble(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A stream of random numbers that depends on its seed only.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream number `stream` of a seed: every game of a series has one of its own, so threads do not matter.
    pub fn new(seed: u64, stream: u64) -> Self {
        Random { state: scramble(seed ^ scramble(stream.wrapping_add(SPREAD))) }
    }

    /// A number below `bound`, which is not 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(SPREAD);
        let wide = u128::from(scramble(self.state)) * bound as u128;
        (wide >> 64) as usize
    }
}
