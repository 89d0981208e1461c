//! Range mapping: curves over a single value. Written over [`Real`], like the fractals.

mod curve;
mod power;

use std::sync::Arc;

pub(crate) use curve::Curve;
pub use curve::CurveEnds;

use crate::real::Real;

/// A compiled range mapping.
#[derive(Clone, Debug)]
pub(crate) enum Mapping {
    Affine { factor: f32, offset: f32 },
    Clamp { min: f32, max: f32 },
    Abs,
    Shape { low: f32, size: f32, shape: Shape },
    Terrace { step: f32, sharpness: f32 },
    Curve(Arc<Curve>),
    Shore { level: f32, above: f32, below: f32 },
}

/// A rising curve from (0, 0) to (1, 1).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Power { exponent: f32 },
    Gain { exponent: f32 },
}

impl Shape {
    /// Perlin's bias `t^(ln b / ln ½)` is a power (Perlin and Hoffert 1989).
    pub fn bias(amount: f64) -> Self {
        Self::Power { exponent: bias_exponent(amount) }
    }

    /// Perlin's gain: `bias(1 − g)` mirrored at the middle.
    pub fn gain(amount: f64) -> Self {
        Self::Gain { exponent: bias_exponent(1.0 - amount) }
    }

    #[inline(always)]
    pub fn at(self, t: f32) -> (f32, f32) {
        match self {
            Self::Power { exponent } => power(t, exponent),
            Self::Gain { exponent } => {
                // Both halves at once, without a branch.
                let low = t < 0.5;
                let (value, slope) = power(if low { 2.0 * t } else { 2.0 - 2.0 * t }, exponent);
                (if low { 0.5 * value } else { 1.0 - 0.5 * value }, slope)
            }
        }
    }
}

fn bias_exponent(amount: f64) -> f32 {
    (libm::log(amount) / libm::log(0.5)) as f32
}

/// A power and its slope, for 0 to 1.
#[inline(always)]
fn power(t: f32, exponent: f32) -> (f32, f32) {
    let value = power::power(t, exponent);
    // The slope of a root is infinite at 0, which is of no use to a height field.
    let slope = exponent * value / if t > 1e-6 { t } else { 1e-6 };
    if exponent == 1.0 { (t, 1.0) } else { (value, slope) }
}

/// Stairs with rounded edges: flat at every multiple of `step`, steep half-way.
#[inline(always)]
pub(crate) fn terrace(value: f32, step: f32, sharpness: f32) -> (f32, f32) {
    let steps = value / step;
    // Numbers so large have no fractional bits left; infinities would even give NaN. Without a branch.
    let whole = steps.abs() >= 8_388_608.0;
    let floor = steps.floor();
    let f = steps - floor;
    let (f4, g4) = {
        let g = 1.0 - f;
        (f * f * f * f, g * g * g * g)
    };
    // f⁵/(f⁵ + (1 − f)⁵): flat at both ends, rising through (½, ½).
    let (up, down) = (f4 * f, g4 * (1.0 - f));
    let sum = up + down;
    let curve = up / sum;
    let slope = 5.0 * f4 * g4 / (sum * sum);
    let eased = f + sharpness * (curve - f);
    let (eased, slope) = ((floor + eased) * step, 1.0 + sharpness * (slope - 1.0));
    if whole { (value, 1.0) } else { (eased, slope) }
}

impl Mapping {
    #[inline(always)]
    pub fn apply<R: Real>(&self, value: R) -> R {
        match *self {
            Self::Affine { factor, offset } => value * factor + offset,
            Self::Clamp { min, max } => value.clamp(min, max),
            Self::Abs => value.abs(),
            Self::Shape { low, size, shape } => {
                let fraction = ((value - low) * (1.0 / size)).clamp(0.0, 1.0);
                fraction.map_increasing(|t| shape.at(t)) * size + low
            }
            Self::Terrace { step, sharpness } => value.map_increasing(|v| terrace(v, step, sharpness)),
            Self::Curve(ref curve) => value.map(&**curve),
            Self::Shore { level, above, below } => value.map_increasing(|v| {
                let factor = if v < level { below } else { above };
                (level + (v - level) * factor, factor)
            }),
        }
    }
}
