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

#[derive(Clone, Copy, Debug)]
pub(crate) struct Billow;

impl Recipe for Billow {
    const SUM: bool = true;
    const FOLDED: bool = true;

    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, fold: impl Fold) -> R {
        fold.apply(noise) * 2.0 - 1.0
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Ridged;

impl Recipe for Ridged {
    const SUM: bool = true;
    const FOLDED: bool = true;

    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, fold: impl Fold) -> R {
        fold.apply(noise) * -1.0 + 1.0
    }
}
