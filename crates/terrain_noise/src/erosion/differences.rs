//! Slopes by central differences, for fields whose formula already contains slopes.

use crate::basis::jet;
use crate::real::Field;

/// The slope between two values that lie `2 · step` apart.
#[inline(always)]
pub(crate) fn slope(before: f32, after: f32, step: f64) -> f32 {
    (after - before) * (0.5 / step) as f32
}

/// The four positions around a point that slopes are taken from: before and after, along x and then z.
#[inline(always)]
pub(crate) fn around([x, z]: [f64; 2], step: f64) -> [[f64; 2]; 4] {
    [[x - step, z], [x + step, z], [x, z - step], [x, z + step]]
}

/// A 2D field at a place, with its slopes if they are wanted. 0 in other dimensions.
pub(crate) fn by_differences<const D: usize, R: Field<D>>(
    place: &R::Place,
    step: f64,
    value: impl Fn([f64; 2]) -> f32,
) -> R {
    let at = R::at(place);
    if D != 2 {
        return R::constant(0.0);
    }
    let at = [at[0], at[D - 1]];
    let here = value(at);
    if !R::SLOPES {
        return R::constant(here);
    }
    let [left, right, near, far] = around(at, step).map(value);
    R::lift(jet(here, [slope(left, right, step), slope(near, far, step)]), 1.0, place)
}
