//! Perlin noise: random slopes at lattice points, interpolated per axis.
//!
//! On the plane there are sixteen directions, which one instruction looks up. On other lattices and in space
//! they are continuous: two parabolas approximate the sine and cosine of a hashed angle. Their length varies
//! between 1 and 1.06, but the mean square slope is the same along every direction, so the spectrum has no axis
//! bias.

use super::directions::Directions;
use super::separable::{Between, Cell, Edge, Separable};
use super::space::{PerlinSpace, Spatial};
use super::value::INSIDE;
use super::{Curve, jet, lerp};
use crate::lattice::{Key, hash, split, unit};
use crate::real::{Jet, each};
use crate::simd::Isa;

/// 1 / the largest sum in the middle of a cell of space, √(1.5² + 1) / 2.
pub(crate) const SPACE: f32 = 1.109_400_4;

/// Approximate sine and cosine of `half_turns`·π for `half_turns` in -1 ..= 1, times `scale`.
#[inline(always)]
pub(crate) fn direction(half_turns: f32, scale: f32) -> [f32; 2] {
    let scale = 4.0 * scale;
    let turned = 0.5 - half_turns.abs();
    [half_turns * (scale - scale * half_turns.abs()), turned * (scale - scale * turned.abs())]
}

/// The slopes at lattice points of the plane. Over a cell the four lattice points add up to at most 0.696 95
/// before scaling: near the middle, with a linear fade; a little less with others.
pub(super) static DIRECTIONS: Directions = Directions::new(1.434_823_3 * INSIDE);

/// Perlin noise on the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Perlin;

impl Separable for Perlin {
    #[inline(always)]
    fn held<const W: usize>(isa: impl Isa<W>, parts: [u32; W]) -> [[f32; W]; 2] {
        isa.directions(&DIRECTIONS, parts)
    }
    #[inline(always)]
    fn edge(left: [f32; 2], right: [f32; 2], x: Between) -> Edge {
        [lerp(left[0] * x.f, right[0] * (x.f - 1.0), x.weight), lerp(left[1], right[1], x.weight)]
    }
    #[inline(always)]
    fn edge_slope(left: [f32; 2], right: [f32; 2], x: Between) -> Edge {
        let (l, r) = (left[0] * x.f, right[0] * (x.f - 1.0));
        [lerp(left[0], right[0], x.weight) + x.slope * (r - l), x.slope * (right[1] - left[1])]
    }
    #[inline(always)]
    fn cell(near: Edge, far: Edge) -> Cell {
        // The far row is seen from fz − 1.
        [near[0], near[1], (far[0] - near[0]) - far[1], far[1] - near[1]]
    }
    #[inline(always)]
    fn value(cell: Cell, z: Between) -> f32 {
        let [a, b, c, d] = cell;
        (a + b * z.f) + z.weight * (c + d * z.f)
    }
    #[inline(always)]
    fn slope(cell: Cell, z: Between) -> f32 {
        let [_, b, c, d] = cell;
        (b + z.weight * d) + z.slope * (c + d * z.f)
    }
}

/// On a line and in space. The plane's is [`Perlin`], on a lattice that is hashed otherwise.
#[inline(always)]
pub(crate) fn perlin<const D: usize>(key: &Key, fade: impl Curve, at: [f64; D]) -> Jet<D> {
    match *at.as_slice() {
        [x] => line(key, fade, x),
        [x, y, z] => space(key, fade, x, y, z),
        _ => Jet { value: 0.0, gradient: [0.0; D] },
    }
}

#[inline(always)]
fn line<const D: usize>(key: &Key, fade: impl Curve, x: f64) -> Jet<D> {
    let (cell, f) = split(x);
    let slope = |cell| unit(hash(key.axis(0, cell))) * (2.0 * INSIDE);
    let (near, far) = (slope(cell), slope(cell.wrapping_add(1)));
    let (l, r) = (near * f, far * (f - 1.0));
    let u = fade.weight(f);
    jet(lerp(l, r, u), [lerp(near, far, u) + fade.slope(f) * (r - l)])
}

/// The slope at a lattice point of space: a ring of the plane's directions around a hashed height.
/// The largest sum in the middle of a cell is √(1.5² + 1) / 2 before scaling.
#[inline(always)]
pub(crate) fn space_gradient(bits: u32, scale: f32) -> [f32; 3] {
    let height = unit(bits << 16);
    let [a, b] = direction(unit(bits & 0xFFFF_0000), (1.0 - height * height).sqrt() * scale);
    [a, b, height * scale]
}

#[inline(always)]
fn space<const D: usize>(key: &Key, fade: impl Curve, x: f64, y: f64, z: f64) -> Jet<D> {
    let [(x, fx), (y, fy), (z, fz)] = [split(x), split(y), split(z)];
    let parts = [key.pair(0, x), key.pair(1, y), key.pair(2, z)];
    let part = |axis: usize, far: usize| if far == 1 { parts[axis].1 } else { parts[axis].0 };
    let hashes = each(|i| hash(part(0, i & 1) ^ part(1, i >> 1 & 1) ^ part(2, i >> 2)));
    let Jet { value, gradient } = PerlinSpace::jet(hashes, [fx, fy, fz], fade);
    jet(value, gradient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpolation::Fade;

    fn most2(x: f64, z: f64) -> f64 {
        let (x, z) = (x.abs(), z.abs());
        let a = if x + z > 0.0 { x / (2.0 * (x + z)) } else { 0.0 };
        x * 4.0 * a * (1.0 - a) + z * (1.0 - 4.0 * a * a)
    }

    #[test]
    fn directions_lie_on_the_curve() {
        for i in -1000..=1000 {
            let [x, z] = direction(i as f32 / 1000.0, 1.0);
            let length = (x * x + z * z).sqrt();
            assert!((0.999_999..1.060_67).contains(&length), "{i} {length}");
        }
    }

    #[test]
    fn range_is_exact() {
        // The worst slopes at every point of a cell: the middle must be the maximum, and reach 1.
        let mut reached = 0.0f64;
        for fade in [Fade::Linear, Fade::Cosine, Fade::Smoothstep, Fade::Quintic] {
            let weight = |t: f64| f64::from(fade.weight(t as f32));
            let n = 100;
            let (mut plane, mut space) = (0.0f64, 0.0f64);
            for i in 0..=n {
                for j in 0..=n {
                    let [x, y] = [i, j].map(|i| f64::from(i) / f64::from(n));
                    let ends = |t: f64| [(1.0 - weight(t), t), (weight(t), t - 1.0)];
                    let mut sum = 0.0;
                    for (u, x) in ends(x) {
                        for (v, y) in ends(y) {
                            sum += u * v * DIRECTIONS.most([x, y]);
                        }
                    }
                    plane = plane.max(sum);
                    for k in (0..=n).step_by(5) {
                        let z = f64::from(k) / f64::from(n);
                        let mut sum = 0.0;
                        for (u, x) in ends(x) {
                            for (v, y) in ends(y) {
                                for (w, z) in ends(z) {
                                    sum += u * v * w * (most2(x, y).powi(2) + z * z).sqrt();
                                }
                            }
                        }
                        space = space.max(sum);
                    }
                }
            }
            assert!(plane <= 1.0 - 4e-7 && plane > 0.997, "{fade:?} {plane}");
            reached = reached.max(plane);
            assert!((space * f64::from(SPACE) - 1.0).abs() < 1e-5, "{fade:?} {space}");
        }
        assert!(reached > 0.9999, "{reached}");
    }
}
