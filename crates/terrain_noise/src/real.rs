//! The numbers that formulas are generic over: a plain value, a value with its gradient, or an interval.
//!
//! Every formula of this crate is written once, over [`Real`]. The value half of a [`Jet`] goes
//! through the very operations the plain value goes through, so both give the same bits; and the
//! bounds of a field come from its own expression.

use std::ops::{Add, Mul, Sub};

/// What fractals, range mappings and combinations need of a number.
pub(crate) trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Add<f32, Output = Self>
    + Sub<f32, Output = Self>
    + Mul<f32, Output = Self>
{
    fn constant(value: f32) -> Self;
    fn squared(self) -> Self;
    fn abs(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// Applies a function that never falls; it returns the new value and the slope there.
    fn map_increasing(self, function: impl Fn(f32) -> (f32, f32)) -> Self;
    /// Applies a function that may rise and fall.
    fn map(self, function: &impl Function) -> Self;

    #[inline(always)]
    fn clamp(self, low: f32, high: f32) -> Self {
        self.max(Self::constant(low)).min(Self::constant(high))
    }
    #[inline(always)]
    fn lerp(self, other: Self, weight: Self) -> Self {
        self + (other - self) * weight
    }
}

/// A function of one number that may rise and fall.
pub(crate) trait Function {
    /// The value and the slope at `x`.
    fn at(&self, x: f32) -> (f32, f32);
    /// The lowest and the highest value between two `x`.
    fn range(&self, low: f32, high: f32) -> (f32, f32);
    /// The largest magnitude that goes into a value: rounding errors are relative to it.
    fn magnitude(&self) -> f32;
}

impl Real for f32 {
    #[inline(always)]
    fn constant(value: f32) -> Self {
        value
    }
    #[inline(always)]
    fn squared(self) -> Self {
        self * self
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self::abs(self)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn map_increasing(self, function: impl Fn(f32) -> (f32, f32)) -> Self {
        function(self).0
    }
    fn map(self, function: &impl Function) -> Self {
        function.at(self).0
    }
}

/// An array from its indices. `std::array::from_fn` is not always inlined into the kernel that calls it,
/// and then is not compiled for the kernel's instructions.
#[inline(always)]
pub(crate) fn each<T: Copy + Default, const N: usize>(f: impl Fn(usize) -> T) -> [T; N] {
    let mut all = [T::default(); N];
    for (i, one) in all.iter_mut().enumerate() {
        *one = f(i);
    }
    all
}

/// As [`each`], with two indices.
#[inline(always)]
fn square<const N: usize>(f: impl Fn(usize, usize) -> f32) -> [[f32; N]; N] {
    let mut all = [[0.0; N]; N];
    for (i, row) in all.iter_mut().enumerate() {
        for (j, one) in row.iter_mut().enumerate() {
            *one = f(i, j);
        }
    }
    all
}

/// A value and its partial derivatives along `D` axes. The operators follow the rules of derivatives:
/// `a * b` has the slopes of the product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<const D: usize> {
    /// The value.
    pub value: f32,
    /// Its partial derivatives, per metre.
    pub gradient: [f32; D],
}

impl<const D: usize> Default for Jet<D> {
    fn default() -> Self {
        Self::constant(0.0)
    }
}

impl<const D: usize> Jet<D> {
    #[inline(always)]
    fn join(self, other: Self, value: f32, f: impl Fn(f32, f32) -> f32) -> Self {
        Self { value, gradient: each(|axis| f(self.gradient[axis], other.gradient[axis])) }
    }
    #[inline(always)]
    fn chain(self, value: f32, slope: f32) -> Self {
        Self { value, gradient: each(|axis| self.gradient[axis] * slope) }
    }
}

impl<const D: usize> Add for Jet<D> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.join(other, self.value + other.value, |a, b| a + b)
    }
}

impl<const D: usize> Sub for Jet<D> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.join(other, self.value - other.value, |a, b| a - b)
    }
}

impl<const D: usize> Mul for Jet<D> {
    type Output = Self;
    #[inline(always)]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the product rule")]
    fn mul(self, other: Self) -> Self {
        self.join(other, self.value * other.value, |a, b| a * other.value + b * self.value)
    }
}

impl<const D: usize> Add<f32> for Jet<D> {
    type Output = Self;
    #[inline(always)]
    fn add(self, offset: f32) -> Self {
        Self { value: self.value + offset, ..self }
    }
}

impl<const D: usize> Sub<f32> for Jet<D> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, offset: f32) -> Self {
        Self { value: self.value - offset, ..self }
    }
}

impl<const D: usize> Mul<f32> for Jet<D> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f32) -> Self {
        self.chain(self.value * factor, factor)
    }
}

impl<const D: usize> Real for Jet<D> {
    #[inline(always)]
    fn constant(value: f32) -> Self {
        Self { value, gradient: [0.0; D] }
    }
    #[inline(always)]
    fn squared(self) -> Self {
        self.chain(self.value * self.value, 2.0 * self.value)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.chain(self.value.abs(), if self.value < 0.0 { -1.0 } else { 1.0 })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self.value < other.value { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self.value > other.value { self } else { other }
    }
    #[inline(always)]
    fn map_increasing(self, function: impl Fn(f32) -> (f32, f32)) -> Self {
        let (value, slope) = function(self.value);
        self.chain(value, slope)
    }
    fn map(self, function: &impl Function) -> Self {
        let (value, slope) = function.at(self.value);
        self.chain(value, slope)
    }
}

/// The furthest coordinate, in metres; anything beyond counts as this. Multiplied by any scale it stays
/// finite, where infinity times the 0 of an unused axis would be NaN.
const FURTHEST: f64 = 1e100;

/// The position, limited to coordinates that every part of a tree can compute with.
#[inline(always)]
#[expect(clippy::manual_clamp, reason = "`clamp` keeps NaN")]
pub(crate) fn reachable<const D: usize>(at: [f64; D]) -> [f64; D] {
    // `max` and `min` in this order also turn NaN into a number.
    at.map(|x| x.max(-FURTHEST).min(FURTHEST))
}

/// A position in `D` dimensions, as seen by a number that depends on it.
pub(crate) trait Field<const D: usize>: Real {
    /// Coordinates in metres and, for gradients, their derivatives by the original position.
    type Place: Copy;
    /// Whether slopes are computed.
    const SLOPES: bool;
    fn place(at: [f64; D]) -> Self::Place;
    fn at(place: &Self::Place) -> [f64; D];
    /// A basis' value with its derivatives, converted from per cell to per metre at this place.
    fn lift(local: Jet<D>, frequency: f64, place: &Self::Place) -> Self;
    /// A number from its value and its slopes per metre at the place itself.
    fn local(jet: Jet<D>) -> Self;
    /// As [`lift`](Self::lift), of a number whose slopes are per cell.
    fn carried(self, frequency: f64, place: &Self::Place) -> Self;
    /// Applies a function that may rise and fall; it returns the new value and the slope there.
    fn map_smooth(self, function: impl Fn(f32) -> (f32, f32)) -> Self;
    /// Applies a function of two numbers; it returns the new value and its slope by each of them.
    fn map_pair(self, other: Self, function: impl Fn(f32, f32) -> (f32, [f32; 2])) -> Self;
    fn divided_by(self, divisor: Self) -> Self;
    /// `matrix · place + offset`.
    fn moved(place: &Self::Place, matrix: &[[f64; D]; D], offset: &[f64; D]) -> Self::Place;
    /// `place + by`, in metres.
    fn displaced(place: &Self::Place, by: [Self; D]) -> Self::Place;
    /// `place` rotated about the vertical through the origin, by an angle in radians.
    fn swirled(place: &Self::Place, angle: Self) -> Self::Place;
}

#[inline(always)]
fn transform<const D: usize>(at: &[f64; D], matrix: &[[f64; D]; D], offset: &[f64; D]) -> [f64; D] {
    each(|row| {
        let mut sum = matrix[row][0] * at[0];
        for column in 1..D {
            sum += matrix[row][column] * at[column];
        }
        sum + offset[row]
    })
}

/// Rotates the first and the last axis. The cosine and sine come from `libm`: the same everywhere.
#[inline]
fn swirl<const D: usize>(at: &[f64; D], angle: f32) -> ([f64; D], f64, f64) {
    let (c, s) = (libm::cos(f64::from(angle)), libm::sin(f64::from(angle)));
    let mut turned = *at;
    if D > 1 {
        turned[0] = c * at[0] + s * at[D - 1];
        turned[D - 1] = c * at[D - 1] - s * at[0];
    }
    (turned, c, s)
}

impl<const D: usize> Field<D> for f32 {
    const SLOPES: bool = false;
    type Place = [f64; D];
    #[inline(always)]
    fn place(at: [f64; D]) -> Self::Place {
        at
    }
    #[inline(always)]
    fn at(place: &Self::Place) -> [f64; D] {
        *place
    }
    #[inline(always)]
    fn lift(local: Jet<D>, _frequency: f64, _place: &Self::Place) -> Self {
        local.value
    }
    #[inline(always)]
    fn local(jet: Jet<D>) -> Self {
        jet.value
    }
    #[inline(always)]
    fn carried(self, _frequency: f64, _place: &Self::Place) -> Self {
        self
    }
    #[inline(always)]
    fn map_smooth(self, function: impl Fn(f32) -> (f32, f32)) -> Self {
        function(self).0
    }
    #[inline(always)]
    fn map_pair(self, other: Self, function: impl Fn(f32, f32) -> (f32, [f32; 2])) -> Self {
        function(self, other).0
    }
    #[inline(always)]
    fn divided_by(self, divisor: Self) -> Self {
        self / divisor
    }
    #[inline(always)]
    fn moved(place: &Self::Place, matrix: &[[f64; D]; D], offset: &[f64; D]) -> Self::Place {
        transform(place, matrix, offset)
    }
    #[inline(always)]
    fn displaced(place: &Self::Place, by: [Self; D]) -> Self::Place {
        each(|axis| place[axis] + f64::from(by[axis]))
    }
    fn swirled(place: &Self::Place, angle: Self) -> Self::Place {
        swirl(place, angle).0
    }
}

/// A position and its derivatives by the original position: `jacobian[i][j] = ∂place_i/∂p_j`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moving<const D: usize> {
    pub at: [f64; D],
    pub jacobian: [[f32; D]; D],
}

impl<const D: usize> Default for Moving<D> {
    fn default() -> Self {
        Jet::place([0.0; D])
    }
}

impl Moving<2> {
    /// A place on a grid that is stretched along its axes.
    #[inline(always)]
    pub fn stretched(at: [f64; 2], scale: [f32; 2]) -> Self {
        Self { at, jacobian: [[scale[0], 0.0], [0.0, scale[1]]] }
    }
}

impl<const D: usize> Field<D> for Jet<D> {
    const SLOPES: bool = true;
    type Place = Moving<D>;
    #[inline(always)]
    fn place(at: [f64; D]) -> Self::Place {
        let jacobian = square(|i, j| if i == j { 1.0 } else { 0.0 });
        Moving { at, jacobian }
    }
    #[inline(always)]
    fn at(place: &Self::Place) -> [f64; D] {
        place.at
    }
    #[inline(always)]
    fn lift(local: Jet<D>, frequency: f64, place: &Self::Place) -> Self {
        let frequency = frequency as f32;
        let gradient = each(|j| {
            let mut sum = local.gradient[0] * (frequency * place.jacobian[0][j]);
            for i in 1..D {
                sum += local.gradient[i] * (frequency * place.jacobian[i][j]);
            }
            sum
        });
        Self { value: local.value, gradient }
    }
    #[inline(always)]
    fn local(jet: Jet<D>) -> Self {
        jet
    }
    #[inline(always)]
    fn carried(self, frequency: f64, place: &Self::Place) -> Self {
        Self::lift(self, frequency, place)
    }
    #[inline(always)]
    fn map_smooth(self, function: impl Fn(f32) -> (f32, f32)) -> Self {
        let (value, slope) = function(self.value);
        self.chain(value, slope)
    }
    #[inline(always)]
    fn map_pair(self, other: Self, function: impl Fn(f32, f32) -> (f32, [f32; 2])) -> Self {
        let (value, [by_self, by_other]) = function(self.value, other.value);
        self.join(other, value, |a, b| a * by_self + b * by_other)
    }
    #[inline(always)]
    fn divided_by(self, divisor: Self) -> Self {
        let (value, inverse) = (self.value / divisor.value, 1.0 / divisor.value);
        self.join(divisor, value, |a, b| (a - value * b) * inverse)
    }
    #[inline(always)]
    fn moved(place: &Self::Place, matrix: &[[f64; D]; D], offset: &[f64; D]) -> Self::Place {
        let jacobian = square(|i, j| {
            let mut sum = matrix[i][0] as f32 * place.jacobian[0][j];
            for k in 1..D {
                sum += matrix[i][k] as f32 * place.jacobian[k][j];
            }
            sum
        });
        Moving { at: transform(&place.at, matrix, offset), jacobian }
    }
    #[inline(always)]
    fn displaced(place: &Self::Place, by: [Self; D]) -> Self::Place {
        Moving {
            at: each(|i| place.at[i] + f64::from(by[i].value)),
            jacobian: square(|i, j| place.jacobian[i][j] + by[i].gradient[j]),
        }
    }
    fn swirled(place: &Self::Place, angle: Self) -> Self::Place {
        let (at, c, s) = swirl(&place.at, angle.value);
        let mut jacobian = place.jacobian;
        if D > 1 {
            let (first, last) = (place.jacobian[0], place.jacobian[D - 1]);
            for j in 0..D {
                // The rotated change of the position, plus its movement along the circle as the angle changes.
                let turn = angle.gradient[j];
                jacobian[0][j] = c as f32 * first[j] + s as f32 * last[j] + at[D - 1] as f32 * turn;
                jacobian[D - 1][j] = c as f32 * last[j] - s as f32 * first[j] - at[0] as f32 * turn;
            }
        }
        Moving { at, jacobian }
    }
}
