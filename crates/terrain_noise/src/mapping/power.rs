//! Powers of numbers from 0 to 1, in lanes.
//!
//! `t^e = 2^(e · log2 t)` in 64 bits: the logarithm from the series of the inverse hyperbolic tangent, the
//! power from that of the exponential function. Neither is off by more than 1e-11, so what is rounded to
//! 32 bits is off by less than 0.51 units in the last place, and never falls where `t` rises.

/// Adding this leaves the rounded integer in the low bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// The logarithm's series, `2 / ln 2 / (2k + 1)`.
const LOGARITHM: [f64; 7] = {
    let mut series = [0.0; 7];
    let mut k = 0;
    while k < 7 {
        series[k] = 2.0 * std::f64::consts::LOG2_E / (2 * k + 1) as f64;
        k += 1;
    }
    series
};

/// The power's series, `(ln 2)^k / k!`.
const POWER: [f64; 11] = {
    let mut series = [1.0; 11];
    let mut k = 1;
    while k < 11 {
        series[k] = series[k - 1] * std::f64::consts::LN_2 / k as f64;
        k += 1;
    }
    series
};

#[inline(always)]
fn sum<const N: usize>(series: &[f64; N], x: f64) -> f64 {
    let mut sum = series[N - 1];
    for k in 1..N {
        sum = sum * x + series[N - 1 - k];
    }
    sum
}

/// `log2 t` for numbers above 0, as exact as the number itself is near 1.
#[inline(always)]
fn log2(t: f64) -> f64 {
    // Splits off the exponent so that a factor from √½ to √2 remains. Only bits are moved: most sets cannot
    // convert 64-bit integers.
    const LOW: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    const BIAS: u64 = 1024;
    let exponent = t.to_bits().wrapping_sub(LOW).wrapping_add(BIAS << 52) >> 52;
    let factor = f64::from_bits(t.to_bits().wrapping_sub(exponent.wrapping_sub(BIAS) << 52));
    const INTEGER: u64 = 4_503_599_627_370_496.0f64.to_bits();
    let exponent = f64::from_bits(exponent | INTEGER) - (4_503_599_627_370_496.0 + BIAS as f64);
    let s = (factor - 1.0) / (factor + 1.0);
    exponent + s * sum(&LOGARITHM, s * s)
}

/// `2^x` for -1000 to 1000.
#[inline(always)]
fn exp2(x: f64) -> f64 {
    let rounded = x + ROUND;
    let fraction = x - (rounded - ROUND);
    f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52) * sum(&POWER, fraction)
}

/// `t^exponent` for `t` from 0 to 1 and exponents above 0; 0 for what is not a number.
#[inline(always)]
pub(super) fn power(t: f32, exponent: f32) -> f32 {
    let x = f64::from(exponent) * log2(f64::from(t));
    let x = if x > -1000.0 { x } else { -1000.0 };
    if t > 0.0 { exp2(x) as f32 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All exponents that bias, gain and power allow, roughly.
    const EXPONENTS: [f32; 12] = [0.0145, 0.05, 0.3, 0.5, 0.99, 1.0, 1.01, 1.7, 2.0, 3.3, 6.64, 20.0];

    /// Numbers from 0 to 1, in rising order: dense near 1, and down to the smallest.
    fn numbers() -> impl Iterator<Item = f32> {
        let one = 1.0f32.to_bits();
        (0..one - 100_000).step_by(50_021).chain(one - 100_000..=one).map(f32::from_bits)
    }

    #[test]
    fn powers_are_those_of_libm() {
        let mut worst = 0.0f64;
        for exponent in EXPONENTS {
            for t in numbers() {
                let expected = libm::pow(f64::from(t), f64::from(exponent));
                let found = power(t, exponent);
                let unit = f64::from(f32::from_bits((expected as f32).to_bits() + 1) - expected as f32);
                worst = worst.max((f64::from(found) - expected).abs() / unit);
            }
        }
        assert!(worst <= 0.51, "{worst}");
    }

    #[test]
    fn powers_never_fall() {
        for exponent in EXPONENTS {
            let mut last = 0.0;
            for t in numbers() {
                let next = power(t, exponent);
                assert!(next >= last, "{t}^{exponent}: {next} after {last}");
                last = next;
            }
            assert_eq!(last, 1.0);
            for start in [0.01f32, 0.2, 0.5, 0.703, std::f32::consts::FRAC_1_SQRT_2 - 1e-3] {
                let rising = (0..40_000).map(|i| power(f32::from_bits(start.to_bits() + i), exponent));
                assert!(rising.is_sorted(), "{start}^{exponent}");
            }
        }
    }

    #[test]
    fn the_ends_are_exact() {
        for exponent in EXPONENTS {
            assert_eq!([0.0, -0.0, 1.0, f32::NAN].map(|t| power(t, exponent)), [0.0, 0.0, 1.0, 0.0]);
        }
        assert_eq!(power(f32::from_bits(1), 20.0), 0.0);
    }
}
