//! The plain sums: fractional Brownian motion (Mandelbrot and Van Ness 1968) and its folded kin.

use super::{Fold, Recipe};
use crate::real::Real;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Fbm;

impl Recipe for Fbm {
    const SUM: bool = true;
    const PLAIN: bool = true;

    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, _fold: impl Fold) -> R {
        noise
    }
}

/// The sum of folded octaves: what each contributes is `scale·|n| + offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folded {
    scale: f32,
    offset: f32,
}

impl Folded {
    pub const BILLOW: Self = Self { scale: 2.0, offset: -1.0 };
    pub const RIDGED: Self = Self { scale: -1.0, offset: 1.0 };
}

impl Recipe for Folded {
    const SUM: bool = true;
    const FOLDED: bool = true;

    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, fold: impl Fold) -> R {
        fold.apply(noise) * self.scale + self.offset
    }
}
