//! Ridged multifractals: Musgrave's (Texturing & Modeling, 1994), and the product as printed.

use super::{Fold, Recipe, State};
use crate::real::Real;

#[derive(Clone, Copy, Debug)]
pub(crate) struct RidgedMultifractal {
    pub offset: f32,
    pub gain: f32,
}

impl RidgedMultifractal {
    #[inline(always)]
    fn weight<R: Real>(&self, signal: R) -> R {
        (signal * self.gain).clamp(0.0, 1.0)
    }
}

impl Recipe for RidgedMultifractal {
    const WEIGHTED: bool = true;
    const FOLDED: bool = true;

    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, fold: impl Fold) -> R {
        (fold.apply(noise) * -1.0 + self.offset).squared()
    }
    #[inline(always)]
    fn begin<R: Real>(&self, signal: R) -> State<R> {
        State { sum: signal, weight: self.weight(signal) }
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        let weighted = signal * state.weight;
        State { sum: state.sum + weighted * amplitude, weight: self.weight(weighted) }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintedRidgedMultifractal {
    pub offset: f32,
}

impl Recipe for PrintedRidgedMultifractal {
    const FOLDED: bool = true;

    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, fold: impl Fold) -> R {
        fold.apply(noise + self.offset) * -1.0 + 1.0
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        State { sum: state.sum * (signal * amplitude), weight: state.weight }
    }
}
