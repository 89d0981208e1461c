//! Perlin and value noise on the plane with a period, a block of positions at a time.

use super::block::corners;
use crate::basis::Curve;
use crate::basis::block::{InBlocks, Local};
use crate::basis::perlin::direction;
use crate::basis::value::INSIDE;
use crate::lattice::{Repeating, hash, unit};
use crate::simd::{Isa, LANES, Lanes, Wide};

/// Perlin noise, if its lattice points hold slopes, or value noise, on a lattice that repeats along x, z or both.
pub(crate) struct Periodic<'a, C, const SLOPES: bool> {
    pub lattice: Repeating<'a>,
    pub fade: C,
}

impl<C: Curve, const SLOPES: bool> InBlocks<2> for Periodic<'_, C, SLOPES> {
    #[inline(always)]
    fn at<const W: usize>(&mut self, isa: impl Isa<W>, at: &[Wide; 2], slopes: bool) -> Local<2> {
        let mut fractions = [Lanes::default(); 2];
        let mut parts = [[[0; LANES]; 2]; 2];
        for lane in 0..LANES {
            for axis in 0..2 {
                let (ends, f) = self.lattice.ends(isa, axis, at[axis].0[lane]);
                (parts[axis][0][lane], parts[axis][1][lane]) = ends;
                fractions[axis].0[lane] = f;
            }
        }
        let mut hashes = [[0; LANES]; 4];
        for lane in 0..LANES {
            for corner in 0..4 {
                hashes[corner][lane] = hash(parts[0][corner & 1][lane] ^ parts[1][corner >> 1][lane]);
            }
        }
        let mut out = Local::default();
        for lane in 0..LANES {
            let f = [fractions[0].0[lane], fractions[1].0[lane]];
            let mut held = [[0.0; 3]; 4];
            for corner in 0..4 {
                let value = unit(hashes[corner][lane]);
                held[corner] = if SLOPES {
                    let [x, z] = direction(value, INSIDE / 0.75);
                    let ends = [f[0] - (corner & 1) as f32, f[1] - (corner >> 1) as f32];
                    [x * ends[0] + z * ends[1], x, z]
                } else {
                    [value * INSIDE, 0.0, 0.0]
                };
            }
            out.set(lane, corners(self.fade, held, f), slopes);
        }
        out
    }
}
