//! The fuzz's own randomness: a xorshift, so that a seed means the same for ever.
//!
//! Takes: a seed. Leaves: numbers below a bound. Never: asks the machine.

/// A xorshift of 64 bits.
#[derive(Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    /// Numbers that look unlike those of the next seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..5 {
            rng.next();
        }
        rng
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).expect("a bound fits 64 bits");
        usize::try_from(self.next() % bound).expect("it is below the bound")
    }

    /// A number below `bound`, as a key.
    pub(crate) fn key(&mut self, bound: u32) -> u32 {
        u32::try_from(self.below(bound as usize)).expect("it is below the bound")
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
