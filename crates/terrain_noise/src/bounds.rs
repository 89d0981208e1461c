//! Bounds of a field from its own expression, before anything is sampled.

use std::ops::{Add, Mul, Sub};

use crate::real::{Function, Real};

/// The lowest and the highest value of a field or of a grid of heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lowest value, in the unit of the field (metres for terrain).
    pub min: f32,
    /// The highest value.
    pub max: f32,
}

impl Bounds {
    /// The bounds of no values at all.
    pub const EMPTY: Self = Self { min: f32::INFINITY, max: f32::NEG_INFINITY };

    /// The smallest bounds that contain both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether the value lies inside, the ends included.
    #[must_use]
    pub fn contains(&self, value: f32) -> bool {
        self.min <= value && value <= self.max
    }
}

/// An interval that contains every result of the same formula in `f32`, rounding included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// Makes room for the rounding of one `f32` operation.
    fn rounded(self) -> Self {
        let slack = 2.0 * f64::from(f32::EPSILON);
        Self {
            low: self.low - self.low.abs() * slack - f64::from(f32::MIN_POSITIVE),
            high: self.high + self.high.abs() * slack + f64::from(f32::MIN_POSITIVE),
        }
    }

    /// Sums round relative to their terms, not to their result.
    fn rounded_by(self, terms: f64) -> Self {
        let slack = 2.0 * f64::from(f32::EPSILON) * terms;
        Self { low: self.low - slack, high: self.high + slack }.rounded()
    }

    fn largest(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    pub fn is_finite(self) -> bool {
        let most = f64::from(f32::MAX) / 16.0;
        self.low >= -most && self.high <= most
    }

    pub fn bounds(self) -> Bounds {
        Bounds { min: self.low as f32, max: self.high as f32 }
    }

    pub fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }.rounded_by(self.largest() + other.largest())
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { low: self.low - other.high, high: self.high - other.low }.rounded_by(self.largest() + other.largest())
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let products = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        Self {
            low: products.into_iter().fold(f64::INFINITY, f64::min),
            high: products.into_iter().fold(f64::NEG_INFINITY, f64::max),
        }
        .rounded()
    }
}

impl Add<f32> for Interval {
    type Output = Self;
    fn add(self, offset: f32) -> Self {
        self + Self::constant(offset)
    }
}

impl Sub<f32> for Interval {
    type Output = Self;
    fn sub(self, offset: f32) -> Self {
        self - Self::constant(offset)
    }
}

impl Mul<f32> for Interval {
    type Output = Self;
    fn mul(self, factor: f32) -> Self {
        self * Self::constant(factor)
    }
}

impl Real for Interval {
    fn constant(value: f32) -> Self {
        Self { low: value.into(), high: value.into() }
    }
    fn squared(self) -> Self {
        let size = self.abs();
        Self { low: size.low * size.low, high: size.high * size.high }.rounded()
    }
    fn abs(self) -> Self {
        let low = if self.low > 0.0 {
            self.low
        } else if self.high < 0.0 {
            -self.high
        } else {
            0.0
        };
        Self { low, high: self.largest() }
    }
    fn min(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.min(other.high) }
    }
    fn max(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.max(other.high) }
    }
    fn map_increasing(self, function: impl Fn(f32) -> (f32, f32)) -> Self {
        let (low, high) = (f64::from(function(self.low as f32).0), f64::from(function(self.high as f32).0));
        Self { low, high }.rounded_by(low.abs() + high.abs())
    }
    fn map(self, function: &impl Function) -> Self {
        let (low, high) = function.range(self.low as f32, self.high as f32);
        let interval = Self { low: low.into(), high: high.into() };
        interval.rounded_by(8.0 * interval.largest().max(function.magnitude().into()))
    }
    /// A blend lies between the two, which is less than the interval of the formula itself.
    fn lerp(self, other: Self, weight: Self) -> Self {
        if weight.low >= -1e-5 && weight.high <= 1.0 + 1e-5 {
            let reach = self.largest() + other.largest();
            self.union(other).rounded_by(reach * 200.0)
        } else {
            self + (other - self) * weight
        }
    }
}
