//! The plain sums: fractional Brownian motion (Mandelbrot and Van Ness 1968) and its folded kin.

use super::{Fold, Recipe, State};
use crate::basis::Octave;
use crate::real::Real;

#[inline(always)]
fn begin<R: Real>(signal: R) -> State<R> {
    State { sum: signal, weight: R::constant(1.0) }
}

#[inline(always)]
fn add<R: Real>(state: State<R>, signal: R, amplitude: f32) -> State<R> {
    State { sum: state.sum.plus(signal.scaled(amplitude)), weight: state.weight }
}

/// One addition, however many octaves are left out.
#[inline(always)]
fn rest<R: Real>(state: State<R>, mean: f32, octaves: &[Octave]) -> State<R> {
    let sum: f32 = octaves.iter().map(|octave| octave.amplitude * mean).sum();
    if sum == 0.0 {
        return state;
    }
    State { sum: state.sum.raised(sum), weight: state.weight }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Fbm;

impl Recipe for Fbm {
    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, _fold: impl Fold) -> R {
        noise
    }
    #[inline(always)]
    fn begin<R: Real>(&self, signal: R) -> State<R> {
        begin(signal)
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        add(state, signal, amplitude)
    }
    #[inline(always)]
    fn ends(&self, mean: f32) -> bool {
        mean == 0.0
    }
    #[inline(always)]
    fn rest<R: Real>(&self, state: State<R>, mean: f32, octaves: &[Octave]) -> State<R> {
        rest(state, mean, octaves)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Billow;

impl Recipe for Billow {
    const FOLDED: bool = true;

    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, fold: impl Fold) -> R {
        fold.apply(noise).scaled(2.0).raised(-1.0)
    }
    #[inline(always)]
    fn begin<R: Real>(&self, signal: R) -> State<R> {
        begin(signal)
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        add(state, signal, amplitude)
    }
    #[inline(always)]
    fn ends(&self, mean: f32) -> bool {
        mean == 0.0
    }
    #[inline(always)]
    fn rest<R: Real>(&self, state: State<R>, mean: f32, octaves: &[Octave]) -> State<R> {
        rest(state, mean, octaves)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Ridged;

impl Recipe for Ridged {
    const FOLDED: bool = true;

    #[inline(always)]
    fn signal<R: Real>(&self, noise: R, fold: impl Fold) -> R {
        fold.apply(noise).scaled(-1.0).raised(1.0)
    }
    #[inline(always)]
    fn begin<R: Real>(&self, signal: R) -> State<R> {
        begin(signal)
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        add(state, signal, amplitude)
    }
    #[inline(always)]
    fn ends(&self, mean: f32) -> bool {
        mean == 0.0
    }
    #[inline(always)]
    fn rest<R: Real>(&self, state: State<R>, mean: f32, octaves: &[Octave]) -> State<R> {
        rest(state, mean, octaves)
    }
}
