//! Smoothed value noise on the plane, a block of positions at a time.

use crate::basis::block::{InBlocks, Local, split_block, values, window};
use crate::basis::value::INSIDE;
use crate::interpolation::Fade;
use crate::lattice::Key;
use crate::simd::{Isa, LANES, Lanes, Wide};

/// Smoothed value noise and its random numbers.
pub(crate) struct SmoothedBlock<'a> {
    pub key: &'a Key,
    pub fade: Fade,
}

impl InBlocks<2> for SmoothedBlock<'_> {
    #[inline(always)]
    fn at<const W: usize>(&mut self, isa: impl Isa<W>, at: &[Wide; 2], slopes: bool) -> Local<2> {
        let [(x, fx), (z, fz)] = [split_block(isa, &at[0]), split_block(isa, &at[1])];
        let parts = [window::<4>(self.key, 0, &x), window::<4>(self.key, 1, &z)];
        let mut around = [[Lanes::default(); 4]; 4];
        for j in 0..4 {
            for i in 0..4 {
                around[j][i] = values(&parts[0][i], &parts[1][j]);
            }
        }
        let ends = [self.ends(&fx, slopes), self.ends(&fz, slopes)];
        let mut sum = Local::default();
        for corner in 0..4 {
            let (i, j) = (corner & 1, corner >> 1);
            let value = mean(&around, i, j);
            let ([wx, dx], [wz, dz]) = (&ends[0][i], &ends[1][j]);
            for lane in 0..LANES {
                sum.value.0[lane] += wx.0[lane] * wz.0[lane] * value.0[lane];
            }
            if slopes {
                for lane in 0..LANES {
                    // The lattice points have no slope of their own: the last term is 0, whose sign counts.
                    let flat = wx.0[lane] * wz.0[lane] * 0.0;
                    sum.slopes[0].0[lane] += dx.0[lane] * wz.0[lane] * value.0[lane] + flat;
                    sum.slopes[1].0[lane] += dz.0[lane] * wx.0[lane] * value.0[lane] + flat;
                }
            }
        }
        sum
    }
}

impl SmoothedBlock<'_> {
    /// The weights of the near and the far end, and their slopes.
    #[inline(always)]
    fn ends(&self, f: &Lanes, slopes: bool) -> [[Lanes; 2]; 2] {
        let [mut near, mut far] = [[Lanes::default(); 2]; 2];
        for lane in 0..LANES {
            far[0].0[lane] = self.fade.weight(f.0[lane]);
        }
        for lane in 0..LANES {
            near[0].0[lane] = 1.0 - far[0].0[lane];
        }
        if slopes {
            for lane in 0..LANES {
                far[1].0[lane] = self.fade.slope(f.0[lane]);
            }
            for lane in 0..LANES {
                near[1].0[lane] = -far[1].0[lane];
            }
        }
        [near, far]
    }
}

/// The mean of the nine values around a corner of the middle cell.
#[inline(always)]
fn mean(around: &[[Lanes; 4]; 4], i: usize, j: usize) -> Lanes {
    let mut sum = Lanes::default();
    for k in 0..9 {
        let step = [k % 3, k / 3];
        let weight = step.iter().fold(INSIDE, |weight, &step| weight * if step == 1 { 0.5 } else { 0.25 });
        let value = &around[j + step[1]][i + step[0]];
        for lane in 0..LANES {
            sum.0[lane] += weight * value.0[lane];
        }
    }
    sum
}
