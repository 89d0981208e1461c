//! Simplex noise after Gustavson, "Simplex noise demystified" (2005).
//!
//! Written from the formulas, with the kernel radius² ½ in space too (Gustavson's 0.6 is
//! discontinuous there). Skewed coordinates are split into cell and fraction before they are
//! unskewed: unskewing is linear, so the fraction alone will do and stays exact far out.

use super::jet;
use super::perlin::{direction, space_gradient};
use crate::lattice::{Key, hash, split, unit};
use crate::real::Jet;

/// (√3 − 1) / 2 and (3 − √3) / 6: the plane's skew and its inverse.
const SKEW2: f64 = 0.366_025_403_784_438_6;
const UNSKEW2: f32 = 0.211_324_87;

/// 1 / the sum of two lattice points in the middle of their edge, 54·√3, which is the maximum over
/// the triangle; slightly less, for rounding.
const SCALE2: f32 = 93.530_74 * (1.0 - 1.0 / 1_048_576.0);

const SKEW3: f64 = 1.0 / 3.0;
const UNSKEW3: f32 = 1.0 / 6.0;
/// 1 / the largest sum over the six tetrahedra of a cell, 0.009 755 45, found numerically (see the
/// test); slightly less, for rounding.
const SCALE3: f32 = 102.506_86 * (1.0 - 1.0 / 1_048_576.0);

#[inline(always)]
pub(crate) fn simplex<const D: usize>(key: &Key, at: [f64; D]) -> Jet<D> {
    match *at.as_slice() {
        [x] => line(x, |cell| hash(key.axis(0, cell))),
        [x, z] => plane(key, x, z),
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

#[inline(always)]
fn plane<const D: usize>(key: &Key, x: f64, z: f64) -> Jet<D> {
    let skew = (x + z) * SKEW2;
    let (cx, fx) = split(x + skew);
    let (cz, fz) = split(z + skew);
    let unskew = (fx + fz) * UNSKEW2;
    let (x0, z0) = (fx - unskew, fz - unskew);
    let steep = fz > fx;
    let (i, j) = if steep { (0.0, 1.0) } else { (1.0, 0.0) };
    let (a0, a1) = (key.axis(0, cx), key.axis(0, cx.wrapping_add(1)));
    let (b0, b1) = (key.axis(1, cz), key.axis(1, cz.wrapping_add(1)));
    let slope = |parts| direction(unit(hash(parts)), 1.0);
    let [value, dx, dz, _] = sum(
        [
            share([x0, z0], slope(a0 ^ b0)),
            share([x0 - i + UNSKEW2, z0 - j + UNSKEW2], slope(if steep { a0 ^ b1 } else { a1 ^ b0 })),
            share([x0 - 1.0 + 2.0 * UNSKEW2, z0 - 1.0 + 2.0 * UNSKEW2], slope(a1 ^ b1)),
        ],
        SCALE2,
    );
    jet(value, [dx, dz])
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
        for i in 0..=500 {
            for j in 0..=500 {
                let (fx, fz) = (f64::from(i) / 500.0, f64::from(j) / 500.0);
                let g = f64::from(UNSKEW2);
                let t = (fx + fz) * g;
                let (x, z) = (fx - t, fz - t);
                let (a, b) = if fz > fx { (0.0, 1.0) } else { (1.0, 0.0) };
                let share = |x: f64, z: f64| (0.5 - x * x - z * z).max(0.0).powi(4) * most2(x, z);
                most =
                    most.max(share(x, z) + share(x - a + g, z - b + g) + share(x - 1.0 + 2.0 * g, z - 1.0 + 2.0 * g));
            }
        }
        let reach = most * f64::from(SCALE2);
        assert!(reach <= 1.0 && reach > 0.9999, "{reach}");
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
