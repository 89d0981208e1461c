//! Combinations of two or three noises, written over [`Real`].

use crate::mapping::terrace;
use crate::real::Real;

/// A compiled combination of two noises.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Combination {
    Add,
    Mul,
    Min,
    Max,
    SmoothMin { radius: f32 },
    SmoothMax { radius: f32 },
    Strata { step: f32, sharpness: f32, variety: f32, seed: u32 },
    AddAbove { low: f32, range: f32 },
}

/// Adding this to a number below 2²² leaves the integer in the low bits of the sum.
const ROUND: f32 = 12_582_912.0;

impl Combination {
    #[inline(always)]
    pub fn apply<R: Real>(self, a: R, b: R) -> R {
        match self {
            Self::Add => a + b,
            Self::Mul => a * b,
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::SmoothMin { radius } => a.min(b) - rounding(a, b, radius),
            Self::SmoothMax { radius } => a.max(b) + rounding(a, b, radius),
            Self::Strata { step, sharpness, variety, seed } => {
                (a + b).map_increasing(|v| layer(v, step, sharpness, variety, seed)) - b
            }
            Self::AddAbove { low, range } => {
                let part = ((a - low) * (1.0 / range)).clamp(0.0, 1.0);
                a + b * part.map_increasing(|t| (t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t)))
            }
        }
    }
}

/// By how much the crease is rounded: `h²·radius/4` with `h = max(radius − |a − b|, 0) / radius`
/// (Quilez, "smooth minimum").
#[inline(always)]
fn rounding<R: Real>(a: R, b: R, radius: f32) -> R {
    let h = ((a - b).abs() * (-1.0 / radius) + 1.0).max(R::constant(0.0));
    h.squared() * (0.25 * radius)
}

/// A terrace whose steps differ: what is flat in one layer is a slope in another.
#[inline(always)]
fn layer(value: f32, step: f32, sharpness: f32, variety: f32, seed: u32) -> (f32, f32) {
    // Heights beyond a million layers share the last one's hardness.
    let layer = (value / step).floor();
    // Not `clamp` and `as`, which let NaN through: tests for it keep the loop over lanes from being vectorised.
    let layer = if layer > -1e6 { layer } else { -1e6 };
    let layer = if layer < 1e6 { layer } else { 1e6 };
    // Exact, and the integer is in the low bits of the sum.
    let layer = (layer + ROUND).to_bits().wrapping_sub(ROUND.to_bits()) as i32;
    let mixed = (layer as u32 ^ seed).wrapping_mul(0x9E37_79B1);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA77);
    let softness = (mixed >> 8) as i32 as f32 * (1.0 / 16_777_216.0);
    terrace(value, step, sharpness * (1.0 - variety * softness))
}

/// `a` where the mask is 0, `b` where it is 1.
#[inline(always)]
pub(crate) fn blend<R: Real>(a: R, b: R, mask: R) -> R {
    a.lerp(b, mask.clamp(0.0, 1.0))
}
