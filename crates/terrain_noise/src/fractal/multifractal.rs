//! Multifractals: Musgrave's product (1994), and the product as printed elsewhere.

use super::{Fold, Recipe, State};
use crate::real::Real;

/// The product of all octaves: each is a factor `a·(n + inside) + outside`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Multifractal {
    inside: f32,
    outside: f32,
}

impl Multifractal {
    /// Factors `a·n + offset`.
    pub const fn musgrave(offset: f32) -> Self {
        Self { inside: 0.0, outside: offset }
    }

    /// Factors `a·(n + offset)`.
    pub const fn printed(offset: f32) -> Self {
        Self { inside: offset, outside: 0.0 }
    }

    pub const fn offset(self) -> f32 {
        // One of them is 0.
        self.inside + self.outside
    }
}

impl Recipe for Multifractal {
    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, _fold: impl Fold) -> R {
        noise + self.inside
    }
    #[inline(always)]
    fn begin<R: Real>(&self, signal: R) -> State<R> {
        State { sum: signal + self.outside, weight: R::constant(1.0) }
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        let factor = signal * amplitude + self.outside;
        State { sum: state.sum * factor, weight: state.weight }
    }
}
