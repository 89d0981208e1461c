//! Cubic value noise on the plane, a block of positions at a time.

use super::scaled;
use crate::basis::block::{Around, InBlocks, Local, of_lane, split_block};
use crate::interpolation::Cubic;
use crate::lattice::{Key, unit};
use crate::real::Jet;
use crate::simd::{Isa, LANES, Wide};

/// Cubic value noise and its random numbers.
pub(crate) struct CubicBlock<'a> {
    pub key: &'a Key,
    pub cubic: Cubic,
}

impl InBlocks<2> for CubicBlock<'_> {
    #[inline(always)]
    fn at<const W: usize>(&mut self, isa: impl Isa<W>, at: &[Wide; 2], slopes: bool) -> Local<2> {
        let (cells, [fx, fz]) = split_block(isa, at);
        let (coefficients, scale) = (self.cubic.coefficients(), scaled::<2>(self.cubic));
        let mut out = Local::default();
        match Around::<4>::new(self.key, &cells) {
            Around::Shared(hashes) => {
                for lane in 0..LANES {
                    let f = [fx.0[lane], fz.0[lane]];
                    out.set(lane, interpolate(&coefficients, scale, hashes, f), slopes);
                }
            }
            Around::Own(hashes) => {
                for lane in 0..LANES {
                    let (hashes, f) = (of_lane(&hashes, lane), [fx.0[lane], fz.0[lane]]);
                    out.set(lane, interpolate(&coefficients, scale, hashes, f), slopes);
                }
            }
        }
        out
    }
}

/// The sums of [`cubic`](super::cubic), in its order.
#[inline(always)]
fn interpolate(coefficients: &[[f32; 4]; 3], scale: f32, hashes: [[u32; 4]; 4], f: [f32; 2]) -> Jet<2> {
    let [mut weights, mut along] = [[[0.0; 4]; 2]; 2];
    for axis in 0..2 {
        for i in 0..4 {
            weights[axis][i] = Cubic::weight(coefficients, i, f[axis]);
            along[axis][i] = Cubic::slope(coefficients, i, f[axis]);
        }
    }
    let mut total = Jet::<2>::default();
    for j in 0..4 {
        for i in 0..4 {
            let value = unit(hashes[j][i]);
            total.value += weights[0][i] * weights[1][j] * value;
            total.gradient[0] += along[0][i] * weights[1][j] * value;
            total.gradient[1] += along[1][j] * weights[0][i] * value;
        }
    }
    Jet { value: total.value * scale, gradient: [total.gradient[0] * scale, total.gradient[1] * scale] }
}
