//! Value noise: random values at lattice points, interpolated per axis.

use super::{Curve, jet, lerp};
use crate::lattice::{Key, hash, split, unit};
use crate::real::Jet;

/// Keeps rounding in the interpolation inside the exact range.
pub(crate) const INSIDE: f32 = 1.0 - 1.0 / 1_048_576.0;

/// The value at a lattice point, from the parts of its hash. A hair inside [-1, 1], so that
/// rounding in the interpolation cannot leave the range.
#[inline(always)]
pub(crate) fn lattice_value(parts: u64) -> f32 {
    unit(hash(parts)) * INSIDE
}

/// A lattice column in one grid row: the value between its two lattice points.
#[inline(always)]
pub(crate) fn column(near: f32, far: f32, weight: f32) -> f32 {
    lerp(near, far, weight)
}

/// The derivative of [`column`] along z.
#[inline(always)]
pub(crate) fn column_slope(near: f32, far: f32, slope: f32) -> f32 {
    slope * (far - near)
}

/// Interpolates between two lattice columns.
#[inline(always)]
pub(crate) fn blend(left: f32, right: f32, weight: f32) -> f32 {
    lerp(left, right, weight)
}

/// The derivatives of [`blend`] along x and z.
#[inline(always)]
pub(crate) fn gradient(columns: [f32; 2], slopes: [f32; 2], weight: f32, slope: f32) -> [f32; 2] {
    [slope * (columns[1] - columns[0]), lerp(slopes[0], slopes[1], weight)]
}

#[inline(always)]
pub(crate) fn value<const D: usize>(key: &Key, fade: impl Curve, at: [f64; D]) -> Jet<D> {
    match *at.as_slice() {
        [x] => {
            let (cx, fx) = split(x);
            let near = lattice_value(key.axis(0, cx));
            let far = lattice_value(key.axis(0, cx.wrapping_add(1)));
            jet(lerp(near, far, fade.weight(fx)), [fade.slope(fx) * (far - near)])
        }
        [x, z] => {
            let (value, dx, dz) = plane(key, fade, x, z, 0);
            jet(value, [dx, dz])
        }
        [x, y, z] => {
            let (cz, fz) = split(z);
            let near = plane(key, fade, x, y, key.axis(2, cz));
            let far = plane(key, fade, x, y, key.axis(2, cz.wrapping_add(1)));
            let (u, du) = (fade.weight(fz), fade.slope(fz));
            jet(lerp(near.0, far.0, u), [lerp(near.1, far.1, u), lerp(near.2, far.2, u), du * (far.0 - near.0)])
        }
        _ => Jet { value: 0.0, gradient: [0.0; D] },
    }
}

/// Two axes, on top of the hash of a third.
#[inline(always)]
fn plane(key: &Key, fade: impl Curve, x: f64, z: f64, rest: u64) -> (f32, f32, f32) {
    let (cx, fx) = split(x);
    let (cz, fz) = split(z);
    let (x0, x1) = (key.axis(0, cx), key.axis(0, cx.wrapping_add(1)));
    let (z0, z1) = (key.axis(1, cz) ^ rest, key.axis(1, cz.wrapping_add(1)) ^ rest);
    let (u, du) = (fade.weight(fz), fade.slope(fz));
    let (near, far) = (lattice_value(x0 ^ z0), lattice_value(x0 ^ z1));
    let (left, left_slope) = (column(near, far, u), column_slope(near, far, du));
    let (near, far) = (lattice_value(x1 ^ z0), lattice_value(x1 ^ z1));
    let (right, right_slope) = (column(near, far, u), column_slope(near, far, du));
    let weight = fade.weight(fx);
    let [dx, dz] = gradient([left, right], [left_slope, right_slope], weight, fade.slope(fx));
    (blend(left, right, weight), dx, dz)
}
