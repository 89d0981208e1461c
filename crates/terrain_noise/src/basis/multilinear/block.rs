//! Smoothed value noise on the plane, a block of positions at a time.

use crate::basis::Curve;
use crate::basis::block::{Around, InBlocks, Local, of_lane, split_block};
use crate::basis::value::INSIDE;
use crate::lattice::{Key, unit};
use crate::real::Jet;
use crate::simd::{Isa, LANES, Wide};

/// Smoothed value noise and its random numbers.
pub(crate) struct SmoothedBlock<'a, C> {
    pub key: &'a Key,
    pub fade: C,
}

impl<C: Curve> InBlocks<2> for SmoothedBlock<'_, C> {
    #[inline(always)]
    fn at<const W: usize>(&mut self, isa: impl Isa<W>, at: &[Wide; 2], slopes: bool) -> Local<2> {
        let (cells, [fx, fz]) = split_block(isa, at);
        let mut out = Local::default();
        match Around::<4>::new(self.key, &cells) {
            Around::Shared(hashes) => {
                let held = means(hashes);
                for lane in 0..LANES {
                    out.set(lane, corners(self.fade, held, [fx.0[lane], fz.0[lane]]), slopes);
                }
            }
            Around::Own(hashes) => {
                for lane in 0..LANES {
                    let held = means(of_lane(&hashes, lane));
                    out.set(lane, corners(self.fade, held, [fx.0[lane], fz.0[lane]]), slopes);
                }
            }
        }
        out
    }
}

/// The shares of a point and of its neighbours on both sides.
const SHARES: [f32; 3] = [0.25, 0.5, 0.25];

/// The corners of the middle cell, without slopes of their own.
#[inline(always)]
fn means(hashes: [[u32; 4]; 4]) -> [[f32; 3]; 4] {
    let mut held = [[0.0; 3]; 4];
    for corner in 0..4 {
        held[corner][0] = mean(&hashes, corner & 1, corner >> 1);
    }
    held
}

/// The mean of the nine values around a corner of the middle cell.
#[inline(always)]
fn mean(hashes: &[[u32; 4]; 4], i: usize, j: usize) -> f32 {
    let mut sum = 0.0;
    for z in 0..3 {
        for x in 0..3 {
            sum += INSIDE * SHARES[x] * SHARES[z] * unit(hashes[j + z][i + x]);
        }
    }
    sum
}

/// Interpolates between the corners of a cell, each with a value and slopes along x and z: the sums of
/// [`value`](super::value) and its kin, in their order. x changes fastest.
#[inline(always)]
pub(super) fn corners(fade: impl Curve, held: [[f32; 3]; 4], f: [f32; 2]) -> Jet<2> {
    let [mut weights, mut slopes] = [[[0.0; 2]; 2]; 2];
    for axis in 0..2 {
        let (weight, slope) = (fade.weight(f[axis]), fade.slope(f[axis]));
        weights[axis] = [1.0 - weight, weight];
        slopes[axis] = [-slope, slope];
    }
    let mut total = Jet::<2>::default();
    for corner in 0..4 {
        let (i, j) = (corner & 1, corner >> 1);
        let [value, x, z] = held[corner];
        let product = weights[0][i] * weights[1][j];
        total.value += product * value;
        total.gradient[0] += slopes[0][i] * weights[1][j] * value + product * x;
        total.gradient[1] += slopes[1][j] * weights[0][i] * value + product * z;
    }
    total
}
