//! The plain sums: fractional Brownian motion (Mandelbrot and Van Ness 1968) and its folded kin.

use super::{Recipe, State};
use crate::real::Real;

#[inline(always)]
fn begin<R: Real>(signal: R) -> State<R> {
    State { sum: signal, weight: R::constant(1.0) }
}

#[inline(always)]
fn add<R: Real>(state: State<R>, signal: R, amplitude: f32) -> State<R> {
    State { sum: state.sum.plus(signal.scaled(amplitude)), weight: state.weight }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Fbm;

impl Recipe for Fbm {
    #[inline(always)]
    fn signal<R: Real>(&self, noise: R) -> R {
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
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Billow;

impl Recipe for Billow {
    #[inline(always)]
    fn signal<R: Real>(&self, noise: R) -> R {
        noise.absolute().scaled(2.0).raised(-1.0)
    }
    #[inline(always)]
    fn begin<R: Real>(&self, signal: R) -> State<R> {
        begin(signal)
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        add(state, signal, amplitude)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Ridged;

impl Recipe for Ridged {
    #[inline(always)]
    fn signal<R: Real>(&self, noise: R) -> R {
        noise.absolute().scaled(-1.0).raised(1.0)
    }
    #[inline(always)]
    fn begin<R: Real>(&self, signal: R) -> State<R> {
        begin(signal)
    }
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        add(state, signal, amplitude)
    }
}
