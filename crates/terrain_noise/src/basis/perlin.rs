//! Perlin noise: random slopes at lattice points, interpolated per axis.
//!
//! The directions are continuous, not a handful from a table: two parabolas approximate the sine and
//! cosine of a hashed angle. Their length varies between 1 and 1.06, but the mean square slope is
//! the same along every direction, so the spectrum has no axis bias.

use super::separable::{self, Between, Cell, Edge, Separable};
use super::space::{PerlinSpace, Spatial};
use super::value::INSIDE;
use super::{Curve, jet, lerp};
use crate::lattice::{Key, hash, split, unit};
use crate::real::{Jet, each};

/// 1 / the largest sum in the middle of a cell of space, √(1.5² + 1) / 2.
pub(crate) const SPACE: f32 = 1.109_400_4;

/// Approximate sine and cosine of `half_turns`·π for `half_turns` in -1 ..= 1, times `scale`.
#[inline(always)]
pub(crate) fn direction(half_turns: f32, scale: f32) -> [f32; 2] {
    let scale = 4.0 * scale;
    let turned = 0.5 - half_turns.abs();
    [half_turns * (scale - scale * half_turns.abs()), turned * (scale - scale * turned.abs())]
}

/// The slope at a lattice point of the plane. In the middle of a cell the four lattice points add
/// up to at most 0.75 before scaling, which is the maximum over the cell for every fade.
#[inline(always)]
pub(crate) fn lattice_gradient(hash: u32) -> [f32; 2] {
    // `direction(unit(hash), INSIDE / 0.75)`, to the bit: the whole number is not scaled first, as
    // scaling by powers of two changes nothing and can be left to the constants.
    const UNIT: f32 = 1.0 / 2_147_483_648.0;
    const ONCE: f32 = 4.0 * (INSIDE / 0.75) * UNIT;
    const TWICE: f32 = ONCE * UNIT;
    let half_turns = hash as i32 as f32;
    let turned = 0.5 / UNIT - half_turns.abs();
    [half_turns * (ONCE - TWICE * half_turns.abs()), turned * (ONCE - TWICE * turned.abs())]
}

/// Perlin noise on the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Perlin;

impl Separable for Perlin {
    #[inline(always)]
    fn corner(hash: u32) -> [f32; 2] {
        lattice_gradient(hash)
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

#[inline(always)]
pub(crate) fn perlin<const D: usize>(key: &Key, fade: impl Curve, at: [f64; D]) -> Jet<D> {
    match *at.as_slice() {
        [x] => line(key, fade, x),
        [x, z] => {
            let Jet { value, gradient } = separable::plane::<Perlin>(key, fade, x, z);
            jet(value, gradient)
        }
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
    use crate::lattice::Source;

    fn most2(x: f64, z: f64) -> f64 {
        let (x, z) = (x.abs(), z.abs());
        let a = if x + z > 0.0 { x / (2.0 * (x + z)) } else { 0.0 };
        x * 4.0 * a * (1.0 - a) + z * (1.0 - 4.0 * a * a)
    }

    #[test]
    fn slopes_are_directions_to_the_bit() {
        for i in 0..100_000u64 {
            let hash = crate::lattice::mix(i) as u32;
            for hash in [hash, hash >> 20, !(hash >> 20), 1 << 31, 1 << 30] {
                let expected = direction(unit(hash), INSIDE / 0.75).map(f32::to_bits);
                assert_eq!(lattice_gradient(hash).map(f32::to_bits), expected, "{hash}");
            }
        }
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
                            sum += u * v * most2(x, y);
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
            assert!((plane / 0.75 - 1.0).abs() < 1e-5, "{fade:?} {plane}");
            assert!((space * f64::from(SPACE) - 1.0).abs() < 1e-5, "{fade:?} {space}");
        }
    }

    /// The plane's formula in 64 bits, from a cell and a fraction that are exact.
    fn precise(key: &Key, cells: [i64; 2], fraction: [f64; 2]) -> f64 {
        let weight = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
        let mut sum = 0.0;
        for corner in 0..4 {
            let [i, j] = [corner & 1, corner >> 1];
            let [gx, gz] = lattice_gradient(key.hash([cells[0] + i, cells[1] + j]));
            let end = |t: f64, far: i64| {
                if far == 1 { (weight(t), t - 1.0) } else { (1.0 - weight(t), t) }
            };
            let ((u, x), (v, z)) = (end(fraction[0], i), end(fraction[1], j));
            sum += u * v * (f64::from(gx) * x + f64::from(gz) * z);
        }
        sum
    }

    #[test]
    fn far_out_it_agrees_with_exact_arithmetic() {
        let key = Key::new(5);
        let octave = crate::basis::Octave::new(crate::Basis::default(), 5, 1.0 / 1800.0, 1.0, [0; 3]);
        for origin in [0, 1_000_000_000i64, -1_000_000_000, 1_000_000_000_000] {
            let mut worst = 0.0f64;
            for i in 0..2000 {
                // Whole metres over 1800: cell and fraction are exact in whole numbers.
                let metres = [origin + i * 7, origin - i * 3];
                let cells = metres.map(|metres| metres.div_euclid(1800));
                let fraction = metres.map(|metres| metres.rem_euclid(1800) as f64 / 1800.0);
                let expected = precise(&key, cells, fraction);
                let found = octave.at(crate::Basis::default(), metres.map(|metres| metres as f64)).value;
                worst = worst.max((f64::from(found) - expected).abs());
            }
            // A dozen roundings, as at the origin.
            assert!(worst < 3e-6, "{origin}: {worst}");
        }
    }
}
