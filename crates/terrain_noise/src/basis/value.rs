//! Value noise: random values at lattice points, interpolated per axis.

use super::separable::{Between, Cell, Edge, Separable};
use super::{Curve, jet, lerp};
use crate::lattice::plane::scattered;
use crate::lattice::{Key, hash, split, unit};
use crate::real::{Jet, each};
use crate::simd::Isa;

/// Keeps rounding in the interpolation inside the exact range.
pub(crate) const INSIDE: f32 = 1.0 - 1.0 / 1_048_576.0;

/// The value at a lattice point, from the parts of its hash. Slightly inside [-1, 1], so that
/// rounding in the interpolation cannot leave the range.
#[inline(always)]
pub(crate) fn lattice_value(parts: u64) -> f32 {
    unit(hash(parts)) * INSIDE
}

/// Value noise on the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value;

impl Separable for Value {
    #[inline(always)]
    fn held<const W: usize>(_isa: impl Isa<W>, parts: [u32; W]) -> [[f32; W]; 2] {
        let mut values = [0.0; W];
        for lane in 0..W {
            values[lane] = unit(scattered(parts[lane])) * INSIDE;
        }
        [values, [0.0; W]]
    }
    #[inline(always)]
    fn edge(left: [f32; 2], right: [f32; 2], x: Between) -> Edge {
        [lerp(left[0], right[0], x.weight), 0.0]
    }
    #[inline(always)]
    fn edge_slope(left: [f32; 2], right: [f32; 2], x: Between) -> Edge {
        [x.slope * (right[0] - left[0]), 0.0]
    }
    #[inline(always)]
    fn cell(near: Edge, far: Edge) -> Cell {
        [near[0], 0.0, far[0] - near[0], 0.0]
    }
    #[inline(always)]
    fn value(cell: Cell, z: Between) -> f32 {
        cell[0] + z.weight * cell[2]
    }
    #[inline(always)]
    fn slope(cell: Cell, z: Between) -> f32 {
        z.slope * cell[2]
    }
}

/// On a line and in space. The plane's is [`Value`], on a lattice that is hashed otherwise.
#[inline(always)]
pub(crate) fn value<const D: usize>(key: &Key, fade: impl Curve, at: [f64; D]) -> Jet<D> {
    match *at.as_slice() {
        [x] => {
            let (cx, fx) = split(x);
            let near = lattice_value(key.axis(0, cx));
            let far = lattice_value(key.axis(0, cx.wrapping_add(1)));
            jet(lerp(near, far, fade.weight(fx)), [fade.slope(fx) * (far - near)])
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
    let (left, right) = key.pair(0, cx);
    let (near, far) = key.pair(1, cz);
    let parts = [left ^ near, right ^ near, left ^ far, right ^ far];
    let values = each(|i| [lattice_value(parts[i] ^ rest), 0.0]);
    let Jet { value, gradient } = Value::between(values, Between::new(fade, fx), Between::new(fade, fz));
    (value, gradient[0], gradient[1])
}
