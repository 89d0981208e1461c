//! Hybrid multifractal (Musgrave 1994): additive where low, multiplicative where high.

use super::{Fold, Recipe, State};
use crate::real::Real;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Hybrid {
    pub offset: f32,
    pub gain: f32,
}

impl Recipe for Hybrid {
    const WEIGHTED: bool = true;

    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, _fold: impl Fold) -> R {
        noise + self.offset
    }
    #[inline(always)]
    fn begin<R: Real>(&self, signal: R) -> State<R> {
        State { sum: signal, weight: signal }
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        let octave = signal * amplitude;
        let weight = state.weight.min(R::constant(1.0));
        State { sum: state.sum + weight * octave, weight: weight * (octave * self.gain) }
    }
}
