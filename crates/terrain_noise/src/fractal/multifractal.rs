//! Multifractals: Musgrave's product (1994), and the product as printed elsewhere.

use super::{Fold, Recipe, State};
use crate::real::Real;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Multifractal {
    pub offset: f32,
}

impl Recipe for Multifractal {
    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, _fold: impl Fold) -> R {
        noise
    }
    #[inline(always)]
    fn begin<R: Real>(&self, signal: R) -> State<R> {
        State { sum: signal + self.offset, weight: R::constant(1.0) }
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        let factor = signal * amplitude + self.offset;
        State { sum: state.sum * factor, weight: state.weight }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintedMultifractal {
    pub offset: f32,
}

impl Recipe for PrintedMultifractal {
    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, _fold: impl Fold) -> R {
        noise + self.offset
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        State { sum: state.sum * (signal * amplitude), weight: state.weight }
    }
}
