//! Cubic value noise on the plane, a block of positions at a time.

use super::scaled;
use crate::basis::block::{InBlocks, Local, split_block, window};
use crate::interpolation::Cubic;
use crate::lattice::Key;
use crate::simd::{Isa, LANES, Lanes, Wide};

/// Cubic value noise and its random numbers.
pub(crate) struct CubicBlock<'a> {
    pub key: &'a Key,
    pub cubic: Cubic,
}

impl InBlocks<2> for CubicBlock<'_> {
    #[inline(always)]
    fn at<const W: usize>(&mut self, isa: impl Isa<W>, at: &[Wide; 2], slopes: bool) -> Local<2> {
        let [(x, fx), (z, fz)] = [split_block(isa, &at[0]), split_block(isa, &at[1])];
        let parts = [window::<4>(self.key, 0, &x), window::<4>(self.key, 1, &z)];
        let (weights, along) = ([self.weights(&fx), self.weights(&fz)], [self.slopes(&fx), self.slopes(&fz)]);
        let mut sum = Local::default();
        for which in 0..16 {
            let (i, j) = (which % 4, which / 4);
            let values = crate::basis::block::values(&parts[0][i], &parts[1][j]);
            let (wx, wz) = (&weights[0][i], &weights[1][j]);
            for lane in 0..LANES {
                sum.value.0[lane] += wx.0[lane] * wz.0[lane] * values.0[lane];
            }
            if slopes {
                for lane in 0..LANES {
                    sum.slopes[0].0[lane] += along[0][i].0[lane] * wz.0[lane] * values.0[lane];
                    sum.slopes[1].0[lane] += along[1][j].0[lane] * wx.0[lane] * values.0[lane];
                }
            }
        }
        let scale = scaled::<2>(self.cubic);
        for lane in 0..LANES {
            sum.value.0[lane] *= scale;
            sum.slopes[0].0[lane] *= scale;
            sum.slopes[1].0[lane] *= scale;
        }
        sum
    }
}

impl CubicBlock<'_> {
    #[inline(always)]
    fn weights(&self, f: &Lanes) -> [Lanes; 4] {
        let coefficients = self.cubic.coefficients();
        let mut weights = [Lanes::default(); 4];
        for i in 0..4 {
            for lane in 0..LANES {
                weights[i].0[lane] = Cubic::weight(&coefficients, i, f.0[lane]);
            }
        }
        weights
    }

    #[inline(always)]
    fn slopes(&self, f: &Lanes) -> [Lanes; 4] {
        let coefficients = self.cubic.coefficients();
        let mut slopes = [Lanes::default(); 4];
        for i in 0..4 {
            for lane in 0..LANES {
                slopes[i].0[lane] = Cubic::slope(&coefficients, i, f.0[lane]);
            }
        }
        slopes
    }
}
