//! Combinations of two or three noises, written over [`Real`].

use crate::real::Real;

/// A compiled combination of two noises.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Combination {
    Add,
    Mul,
    Min,
    Max,
    SmoothMin { radius: f32 },
    SmoothMax { radius: f32 },
}

impl Combination {
    #[inline(always)]
    pub fn apply<R: Real>(self, a: R, b: R) -> R {
        match self {
            Self::Add => a.plus(b),
            Self::Mul => a.times(b),
            Self::Min => a.lesser(b),
            Self::Max => a.greater(b),
            Self::SmoothMin { radius } => a.lesser(b).minus(rounding(a, b, radius)),
            Self::SmoothMax { radius } => a.greater(b).plus(rounding(a, b, radius)),
        }
    }
}

/// How far the crease is rounded: `h²·radius/4` with `h = max(radius − |a − b|, 0) / radius`
/// (Quilez, "smooth minimum").
#[inline(always)]
fn rounding<R: Real>(a: R, b: R, radius: f32) -> R {
    let apart = a.minus(b).absolute();
    let h = apart.scaled(-1.0 / radius).raised(1.0).greater(R::constant(0.0));
    h.squared().scaled(0.25 * radius)
}

/// `a` where the mask is 0, `b` where it is 1.
#[inline(always)]
pub(crate) fn blend<R: Real>(a: R, b: R, mask: R) -> R {
    a.towards(b, mask.within(0.0, 1.0))
}
