//! The generator that the dynamic graphs are drawn with: the text "seed", hashed, drives a small fast counter.

/// Gives numbers in 0..1, always the same ones.
pub(crate) struct Random([u32; 4]);

impl Random {
    /// From the text that the public suite uses.
    pub(crate) fn new() -> Self {
        let mut hash = 2_166_136_261_u32;
        let text = b"seed";
        for byte in text {
            let mixed = u32::from(*byte).wrapping_mul(3_432_918_353).rotate_left(15);
            hash ^= mixed.wrapping_mul(461_845_907);
            hash = hash
                .rotate_left(13)
                .wrapping_mul(5)
                .wrapping_add(3_864_292_196);
        }
        hash ^= 4;
        Self(std::array::from_fn(|_| {
            hash ^= hash >> 16;
            hash = hash.wrapping_mul(2_246_822_507);
            hash ^= hash >> 13;
            hash = hash.wrapping_mul(3_266_489_909);
            hash ^= hash >> 16;
            hash
        }))
    }

    /// The next number.
    pub(crate) fn draw(&mut self) -> f64 {
        let [a, b, c, d] = self.0;
        let sum = a.wrapping_add(b).wrapping_add(d.wrapping_add(1));
        self.0 = [
            b ^ (b >> 9),
            c.wrapping_add(c << 3),
            c.rotate_left(21).wrapping_add(sum),
            d.wrapping_add(1),
        ];
        f64::from(sum) / 4_294_967_296.0
    }

    /// A number in 0..length, which is small.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "the public suite draws indices through a float, and lengths are small"
    )]
    pub(crate) fn index(&mut self, length: usize) -> usize {
        (self.draw() * length as f64) as usize
    }
}
