//! Simplex noise after Gustavson, "Simplex noise demystified" (2005).
//!
//! Written from the formulas, with the kernel radius² ½ in space too (Gustavson's 0.6 is
//! discontinuous there). Skewed coordinates are split into cell and fraction before they are
//! unskewed: unskewing is linear, so the fraction alone will do and stays exact far out.

use super::directions::Directions;
use super::jet;
use super::perlin::space_gradient;
use super::value::INSIDE;
use crate::lattice::{Key, hash, split, unit};
use crate::real::Jet;

/// (√3 − 1) / 2 and (3 − √3) / 6: the plane's skew and its inverse.
pub(crate) const SKEW2: f64 = 0.366_025_403_784_438_6;
const UNSKEW2: f32 = 0.211_324_87;

/// 1 / the largest sum over the triangle, 0.010 058 746, found numerically (see the test): near the middle of
/// an edge that runs along a direction.
const SCALE2: f32 = 99.415_96;

/// The slopes at lattice points of the plane.
pub(super) static DIRECTIONS: Directions = Directions::new(SCALE2 * INSIDE);

/// Simplex noise on the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangles;

const SKEW3: f64 = 1.0 / 3.0;
const UNSKEW3: f32 = 1.0 / 6.0;
/// 1 / the largest sum over the six tetrahedra of a cell, 0.009 755 45, found numerically (see the
/// test); slightly less, for rounding.
const SCALE3: f32 = 102.506_86 * (1.0 - 1.0 / 1_048_576.0);

/// On a line and in space. The plane's is [`triangle`], on a lattice that is hashed otherwise.
#[inline(always)]
pub(crate) fn simplex<const D: usize>(key: &Key, at: [f64; D]) -> Jet<D> {
    match *at.as_slice() {
        [x] => line(x, |cell| hash(key.axis(0, cell))),
        [x, y, z] => space(key, x, y, z),
        _ => Jet { value: 0.0, gradient: [0.0; D] },
    }
}

/// One lattice point's contribution: `(½ − r²)⁴ · slope·offset`, and its derivatives.
#[inline(always)]
pub(super) fn share<const N: usize>(offset: [f32; N], slope: [f32; N]) -> [f32; 4] {
    let mut squared = 0.0;
    let mut dot = 0.0;
    for axis in 0..N {
        squared += offset[axis] * offset[axis];
        dot += slope[axis] * offset[axis];
    }
    let t = (0.5 - squared).max(0.0);
    let t2 = t * t;
    let (t3, t4) = (t2 * t, t2 * t2);
    let mut all = [t4 * dot, 0.0, 0.0, 0.0];
    for axis in 0..N {
        all[axis + 1] = t4 * slope[axis] - 8.0 * t3 * dot * offset[axis];
    }
    all
}

#[inline(always)]
pub(super) fn sum<const N: usize>(shares: [[f32; 4]; N], scale: f32) -> [f32; 4] {
    std::array::from_fn(|n| {
        let mut total = 0.0;
        for share in shares {
            total += share[n];
        }
        total * scale
    })
}

/// On a line a simplex is an interval: the sum of its two ends. Their kernels end half a cell past
/// the middle, so radius² 1 is used: `(1 − f²)⁴`.
#[inline(always)]
pub(super) fn line<const D: usize>(x: f64, bits: impl Fn(i64) -> u32) -> Jet<D> {
    // 1 / (2 · 0.75⁴ · 0.5): both ends push the same way in the middle.
    const SCALE: f32 = 3.160_493_8 * (1.0 - 1.0 / 1_048_576.0);
    let (cell, f) = split(x);
    let end = |cell: i64, f: f32| {
        let slope = unit(bits(cell));
        let t = 1.0 - f * f;
        let t2 = t * t;
        [t2 * t2 * slope * f, t2 * t2 * slope - 8.0 * t2 * t * slope * f * f]
    };
    let (near, far) = (end(cell, f), end(cell.wrapping_add(1), f - 1.0));
    jet((near[0] + far[0]) * SCALE, [(near[1] + far[1]) * SCALE])
}

/// Value and slopes in a triangle of the plane, from the slopes at its near, middle and far lattice point and the
/// place's fractions along the skewed axes. The middle one is a step along the axis with the larger fraction.
#[inline(always)]
pub(crate) fn triangle([near, middle, far]: [[f32; 2]; 3], [fx, fz]: [f32; 2]) -> Jet<2> {
    let unskew = (fx + fz) * UNSKEW2;
    let (x, z) = (fx - unskew, fz - unskew);
    let (i, j) = if fz > fx { (UNSKEW2, UNSKEW2 - 1.0) } else { (UNSKEW2 - 1.0, UNSKEW2) };
    let last = 2.0 * UNSKEW2 - 1.0;
    let [a, b, c] = [share([x, z], near), share([x + i, z + j], middle), share([x + last, z + last], far)];
    Jet { value: a[0] + b[0] + c[0], gradient: [a[1] + b[1] + c[1], a[2] + b[2] + c[2]] }
}

#[inline(always)]
fn space<const D: usize>(key: &Key, x: f64, y: f64, z: f64) -> Jet<D> {
    let skew = (x + y + z) * SKEW3;
    let (cells, f): ([i64; 3], [f32; 3]) = {
        let [x, y, z] = [split(x + skew), split(y + skew), split(z + skew)];
        ([x.0, y.0, z.0], [x.1, y.1, z.1])
    };
    let unskew = (f[0] + f[1] + f[2]) * UNSKEW3;
    // Rank of each axis: the largest fraction is stepped first. Ties go to the earlier axis.
    let rank = [
        u8::from(f[0] >= f[1]) + u8::from(f[0] >= f[2]),
        u8::from(f[1] > f[0]) + u8::from(f[1] >= f[2]),
        u8::from(f[2] > f[0]) + u8::from(f[2] > f[1]),
    ];
    let corner = |steps: u8| {
        let step: [bool; 3] = std::array::from_fn(|axis| rank[axis] + steps >= 3);
        let mut parts = 0;
        let mut offset = [0.0; 3];
        for axis in 0..3 {
            parts ^= key.axis(axis, cells[axis].wrapping_add(i64::from(step[axis])));
            let corner = f32::from(u8::from(step[axis])) - f32::from(steps) * UNSKEW3;
            offset[axis] = f[axis] - unskew - corner;
        }
        share(offset, space_gradient(hash(parts), 1.0))
    };
    let [value, dx, dy, dz] = sum([corner(0), corner(1), corner(2), corner(3)], SCALE3);
    jet(value, [dx, dy, dz])
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The largest `slope·offset` over the slopes that [`direction`] gives.
    pub fn most2(x: f64, z: f64) -> f64 {
        let (x, z) = (x.abs(), z.abs());
        let a = if x + z > 0.0 { x / (2.0 * (x + z)) } else { 0.0 };
        x * 4.0 * a * (1.0 - a) + z * (1.0 - 4.0 * a * a)
    }

    #[test]
    fn plane_range_is_exact() {
        // The worst slopes at every point of a cell; none may leave the range, some must reach it.
        let mut most = 0.0f64;
        let n = 1500;
        for i in 0..=n {
            for j in 0..=n {
                let (fx, fz) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                let g = f64::from(UNSKEW2);
                let t = (fx + fz) * g;
                let (x, z) = (fx - t, fz - t);
                let (a, b) = if fz > fx { (0.0, 1.0) } else { (1.0, 0.0) };
                let share = |x: f64, z: f64| {
                    let reach = (0.5 - x * x - z * z).max(0.0);
                    if reach > 0.0 { reach.powi(4) * DIRECTIONS.most([x, z]) } else { 0.0 }
                };
                let last = 2.0 * g - 1.0;
                most = most.max(share(x, z) + share(x - a + g, z - b + g) + share(x + last, z + last));
            }
        }
        assert!(most <= 1.0 - 4e-7 && most > 0.9999, "{most}");
    }

    #[test]
    fn space_range_is_exact() {
        let mut most = 0.0f64;
        let n = 90;
        for which in 0..(n + 1) * (n + 1) * (n + 1) {
            let f = [which % (n + 1), which / (n + 1) % (n + 1), which / (n + 1) / (n + 1)]
                .map(|i| f64::from(i) / f64::from(n));
            let mut order = [0, 1, 2];
            order.sort_by(|&a, &b| f[b].total_cmp(&f[a]));
            let mut step = [0.0; 3];
            let mut sum = 0.0;
            for corner in 0..4u8 {
                if corner > 0 {
                    step[order[usize::from(corner) - 1]] = 1.0;
                }
                let unskew = (f[0] + f[1] + f[2] - f64::from(corner)) / 6.0;
                let d: [f64; 3] = std::array::from_fn(|axis| f[axis] - step[axis] - unskew);
                let squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                let along = (most2(d[0], d[1]).powi(2) + d[2] * d[2]).sqrt();
                sum += (0.5 - squared).max(0.0).powi(4) * along;
            }
            most = most.max(sum);
        }
        let reach = most * f64::from(SCALE3);
        assert!(reach <= 1.0 && reach > 0.999, "{reach}");
    }
}
