//! Perlin and value noise in space: the formulas, and blocks of positions.

use super::block::{InBlocks, Local};
use super::perlin::{SPACE, space_gradient};
use super::separable::{Between, Separable};
use super::value::{INSIDE, Value};
use super::{Curve, lerp};
use crate::lattice::{Key, hash, unit};
use crate::real::{Jet, each};
use crate::simd::{Isa, LANES, Lanes, Wide};

/// A basis in space, from the hashes of the lattice points around a cell: x changes fastest, then y.
pub(crate) trait Spatial: Copy {
    fn jet(hashes: [u32; 8], fractions: [f32; 3], fade: impl Curve) -> Jet<3>;
}

/// Perlin noise in space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerlinSpace;

/// Value noise in space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueSpace;

/// Interpolates a value and its three slopes between two ends of an axis.
#[inline(always)]
fn join(near: [f32; 4], far: [f32; 4], axis: usize, at: Between) -> [f32; 4] {
    let mut all = [0.0; 4];
    for n in 0..4 {
        all[n] = lerp(near[n], far[n], at.weight);
    }
    all[axis + 1] += at.slope * (far[0] - near[0]);
    all
}

// Loops and functions instead of closures: those would not always be compiled for a kernel's set.

impl Spatial for PerlinSpace {
    #[inline(always)]
    fn jet(hashes: [u32; 8], fractions: [f32; 3], fade: impl Curve) -> Jet<3> {
        let mut corners = [[0.0; 4]; 8];
        for i in 0..8 {
            let [a, b, c] = space_gradient(hashes[i], INSIDE * SPACE);
            let [x, y, z] = fractions;
            let [x, y, z] = [x - (i & 1) as f32, y - (i >> 1 & 1) as f32, z - (i >> 2) as f32];
            corners[i] = [a * x + b * y + c * z, a, b, c];
        }
        let [x, y, z] = between(fade, fractions);
        // The faces of the cell at both ends along z.
        let mut faces = [[0.0; 4]; 2];
        for k in 0..2 {
            let near = join(corners[4 * k], corners[4 * k + 2], 1, y);
            let far = join(corners[4 * k + 1], corners[4 * k + 3], 1, y);
            faces[k] = join(near, far, 0, x);
        }
        let [value, dx, dy, dz] = join(faces[0], faces[1], 2, z);
        Jet { value, gradient: [dx, dy, dz] }
    }
}

impl Spatial for ValueSpace {
    #[inline(always)]
    fn jet(hashes: [u32; 8], fractions: [f32; 3], fade: impl Curve) -> Jet<3> {
        let [x, y, z] = between(fade, fractions);
        let mut faces = [Jet::default(); 2];
        for k in 0..2 {
            let mut held = [[0.0; 2]; 4];
            for i in 0..4 {
                held[i][0] = unit(hashes[4 * k + i]) * INSIDE;
            }
            faces[k] = Value::between(held, x, y);
        }
        let [near, far]: [Jet<2>; 2] = faces;
        Jet {
            value: lerp(near.value, far.value, z.weight),
            gradient: [
                lerp(near.gradient[0], far.gradient[0], z.weight),
                lerp(near.gradient[1], far.gradient[1], z.weight),
                z.slope * (far.value - near.value),
            ],
        }
    }
}

#[inline(always)]
fn between(fade: impl Curve, [x, y, z]: [f32; 3]) -> [Between; 3] {
    [Between::new(fade, x), Between::new(fade, y), Between::new(fade, z)]
}

/// A basis in space with its fade and its random numbers.
pub(crate) struct SpaceBlock<'a, B, C> {
    pub _basis: B,
    pub fade: C,
    pub key: &'a Key,
}

impl<B: Spatial, C: Curve> InBlocks<3> for SpaceBlock<'_, B, C> {
    #[inline(always)]
    fn at<const W: usize>(&mut self, isa: impl Isa<W>, at: &[Wide; 3], slopes: bool) -> Local<3> {
        let mut fractions = [Lanes::default(); 3];
        let mut parts = [[[0; LANES]; 2]; 3];
        for lane in 0..LANES {
            for axis in 0..3 {
                let (cell, f) = isa.split(at[axis].0[lane]);
                fractions[axis].0[lane] = f;
                (parts[axis][0][lane], parts[axis][1][lane]) = self.key.pair(axis, cell);
            }
        }
        let mut hashes = [[0; LANES]; 8];
        for lane in 0..LANES {
            for i in 0..8 {
                let [x, y, z] = [parts[0][i & 1][lane], parts[1][i >> 1 & 1][lane], parts[2][i >> 2][lane]];
                hashes[i][lane] = hash(x ^ y ^ z);
            }
        }
        let mut out = Local::default();
        for lane in 0..LANES {
            let f = [fractions[0].0[lane], fractions[1].0[lane], fractions[2].0[lane]];
            out.set(lane, B::jet(each(|i| hashes[i][lane]), f, self.fade), slopes);
        }
        out
    }
}
