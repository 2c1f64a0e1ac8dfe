//! Exact sums of floats: whatever is added and taken out, in whatever order, the result is that of real numbers,
//! rounded once.
//!
//! Takes: floats. Leaves: their sum. Never: rounds before it is asked.
//!
//! Floats are integers times a power of two, so their sum is one long integer in fixed point. It lies in digits of 32
//! bits, each in 64, so that carries wait: the *small superaccumulator* of Radford M. Neal, "Fast exact summation using
//! small and large superaccumulators" (2015), after Kulisch's long accumulator.

/// How many bits a digit has.
const DIGIT_BITS: u32 = 32;
/// Digits for all bits of an `f64`, from 2⁻¹⁰⁷⁴ to 2¹⁰²³, and for carries beyond.
const DIGIT_COUNT: usize = 68;
/// How many numbers may be added before carries must go on: each adds less than 2³² to a digit.
const WAITING_MAX: u32 = 1 << 30;

/// The exact sum of any number of floats, each of which can be taken out again.
///
/// Order doesn't matter and nothing drifts: a number that is added and taken out leaves no trace, be it ever so large.
/// Infinities and NaN are counted, so they leave no trace either; as long as one is in, the sum is what IEEE says.
/// It does not tell `-0.0` from `0.0`: an empty sum, or one that cancels, is `0.0`.
///
/// # Cost
///
/// 576 bytes. Some sixty instructions to add or take out; some hundreds to ask for the sum.
///
/// # Examples
///
/// ```
/// let mut sum = cog_arena::ExactSum::default();
/// for value in [1e300, 1.0, -1e300, 0.5] {
///     sum.add(value);
/// }
/// assert_eq!(sum.value(), 1.5);
/// sum.remove(1.0);
/// assert_eq!(sum.value(), 0.5);
/// ```
#[derive(Clone, Debug)]
pub struct ExactSum {
    digits: [i64; DIGIT_COUNT],
    /// How many numbers were added since carries went on.
    waiting: u32,
    nan_count: i64,
    /// How many more of +∞, and of −∞, were added than taken out.
    infinity_counts: [i64; 2],
}

impl Default for ExactSum {
    fn default() -> Self {
        Self {
            digits: [0; DIGIT_COUNT],
            waiting: 0,
            nan_count: 0,
            infinity_counts: [0; 2],
        }
    }
}

impl ExactSum {
    /// Adds a number.
    ///
    /// # Examples
    ///
    /// See [`ExactSum`].
    pub fn add(&mut self, value: f64) {
        self.change(value, 1);
    }

    /// Takes a number out that was added.
    ///
    /// # Examples
    ///
    /// See [`ExactSum`].
    pub fn remove(&mut self, value: f64) {
        self.change(value, -1);
    }

    fn change(&mut self, value: f64, times: i64) {
        if !value.is_finite() {
            if value.is_nan() {
                self.nan_count += times;
            } else {
                self.infinity_counts[usize::from(value < 0.0)] += times;
            }
            return;
        }
        let bits = value.to_bits();
        let exponent = bits >> 52 & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);
        // In units of 2⁻¹⁰⁷⁴: a subnormal's exponent counts as one, and it lacks the leading bit.
        let mantissa = fraction | u64::from(exponent != 0) << 52;
        let shift = exponent.max(1) - 1;
        let wide = u128::from(mantissa) << (shift % u64::from(DIGIT_BITS));
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        let at = (shift / u64::from(DIGIT_BITS)) as usize;
        let sign = if value.is_sign_negative() {
            -times
        } else {
            times
        };
        for (digit, part) in self.digits[at..at + 3].iter_mut().zip(0..) {
            let part = (wide >> (DIGIT_BITS * part)) & u128::from(u32::MAX);
            #[expect(clippy::cast_possible_truncation, reason = "masked")]
            let part = part as i64;
            *digit += sign * part;
        }
        self.waiting += 1;
        if self.waiting == WAITING_MAX {
            carry(&mut self.digits);
            self.waiting = 0;
        }
    }

    /// The sum, rounded to the nearest `f64`, ties to even. Infinite if it is too large for one.
    ///
    /// # Examples
    ///
    /// See [`ExactSum`].
    #[must_use]
    pub fn value(&self) -> f64 {
        let [up, down] = self.infinity_counts;
        if self.nan_count != 0 || up != 0 && down != 0 {
            return f64::NAN;
        }
        if up != 0 || down != 0 {
            return if up != 0 {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            };
        }
        let mut digits = self.digits;
        carry(&mut digits);
        let negative = digits[DIGIT_COUNT - 1] < 0;
        if negative {
            digits.iter_mut().for_each(|digit| *digit = -*digit);
            carry(&mut digits);
        }
        let size = round(&digits);
        if negative { -size } else { size }
    }
}

/// Passes carries on, so that each digit but the last lies in 0..2³².
fn carry(digits: &mut [i64; DIGIT_COUNT]) {
    for at in 0..DIGIT_COUNT - 1 {
        let high = digits[at] >> DIGIT_BITS;
        digits[at] -= high << DIGIT_BITS;
        digits[at + 1] += high;
    }
}

/// The nearest `f64` of what isn't negative and has its carries passed on.
fn round(digits: &[i64; DIGIT_COUNT]) -> f64 {
    let Some(top) = digits.iter().rposition(|&digit| digit != 0) else {
        return 0.0;
    };
    let low = top.saturating_sub(2);
    // Three digits hold more bits than an `f64` and one more; whether anything lies below decides a tie.
    let mut leading = 0_u128;
    for &digit in digits[low..=top].iter().rev() {
        leading = leading << DIGIT_BITS | u128::from(digit.unsigned_abs());
    }
    leading |= u128::from(digits[..low].iter().any(|&digit| digit != 0));
    #[expect(
        clippy::cast_precision_loss,
        reason = "this is where it is rounded, to nearest and ties to even"
    )]
    let mut value = leading as f64;
    let mut exponent = low as u64 * u64::from(DIGIT_BITS);
    // Powers of two are exact; in steps, since 2^exponent times 2⁻¹⁰⁷⁴ may be more than an `f64` holds.
    value *= f64::from_bits(1);
    while exponent != 0 {
        let step = exponent.min(1000);
        value *= f64::from_bits((1023 + step) << 52);
        exponent -= step;
    }
    value
}

#[cfg(test)]
mod tests {
    use crate::recipes::exact::ExactSum;

    fn sum(values: &[f64]) -> f64 {
        let mut sum = ExactSum::default();
        values.iter().for_each(|&value| sum.add(value));
        sum.value()
    }

    #[test]
    fn one_number_is_itself() {
        let least = f64::from_bits(1);
        for value in [
            1.0,
            -1.5,
            1e-310,
            least,
            -least,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            0.1,
            3e200,
        ] {
            assert_eq!(sum(&[value]).to_bits(), value.to_bits(), "{value:e}");
        }
        assert_eq!(sum(&[]), 0.0);
    }

    #[test]
    fn a_tie_goes_to_even_and_a_trace_below_decides() {
        let half = f64::EPSILON / 2.0;
        assert_eq!(sum(&[1.0, half]), 1.0);
        assert_eq!(sum(&[1.0, half, 1e-300]), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[1.0 + f64::EPSILON, half]), 1.0 + 2.0 * f64::EPSILON);
        assert_eq!(sum(&[-1.0, -half, -1e-300]), -1.0 - f64::EPSILON);
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(sum(&[f64::MAX, f64::MAX, f64::MIN]), f64::MAX);
    }

    #[test]
    fn what_is_taken_out_leaves_no_trace() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut values = Vec::new();
        let mut sum = ExactSum::default();
        let mut exact = 0_i128;
        for _ in 0..2000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            // Whole numbers that an `f64` holds: an `i128` sums them exactly.
            let scaled = (seed >> 1).cast_signed() - (1 << 62);
            let scaled = (scaled >> (seed & 31)) >> 9;
            let value = scaled as f64;
            exact += i128::from(scaled);
            values.push(value);
            sum.add(value);
            assert_eq!(sum.value(), exact as f64);
            sum.add(f64::NAN);
            sum.add(f64::NEG_INFINITY);
            assert!(sum.value().is_nan());
            sum.remove(f64::NAN);
            assert_eq!(sum.value(), f64::NEG_INFINITY);
            sum.remove(f64::NEG_INFINITY);
        }
        values.iter().for_each(|&value| sum.remove(value));
        assert_eq!(sum.value().to_bits(), 0.0_f64.to_bits());
    }
}
