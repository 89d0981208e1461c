//! Fractals: how the octaves of a basis add up.
//!
//! Each recipe is written over [`Real`], so one formula gives heights, gradients and bounds.

mod fbm;
mod fold;
mod hybrid;
mod multifractal;
mod ridged;

pub(crate) use fbm::{Fbm, Folded};
pub(crate) use fold::{Fold, Round, Sharp};
pub(crate) use hybrid::Hybrid;
pub(crate) use multifractal::Multifractal;
pub(crate) use ridged::{PrintedRidgedMultifractal, RidgedMultifractal};
use serde::{Deserialize, Serialize};

use crate::basis::Octave;
use crate::real::Real;

/// How the octaves of a fractal are combined. `n` is an octave of the basis, `a` its amplitude
/// `persistence^k`; the first octave has amplitude 1, and nothing is renormalised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum FractalKind {
    /// `Σ a·n`: fractional Brownian motion. Rolling everywhere.
    #[default]
    Fbm,
    /// `Σ a·(2·|n| − 1)`: rounded hills with creased valleys.
    Billow,
    /// `Σ a·(1 − |n|)`: creased ridges everywhere.
    Ridged,
    /// `Π (a·n + offset)` (Musgrave 1994): detail grows with height.
    Multifractal,
    /// `Π a·(n + offset)`: the product as often printed. It collapses to 0 as octaves grow.
    PrintedMultifractal,
    /// Signal `(offset − |n|)²`, each weighted by `gain` times the signal before (Musgrave 1994):
    /// sharp ridges, smooth valleys. The mountains of most worlds.
    RidgedMultifractal,
    /// `Π a·(1 − |n + offset|)`: the product as printed. It collapses to 0 as octaves grow.
    PrintedRidgedMultifractal,
    /// Octaves `a·(n + offset)`, each weighted by `gain` times the product of those before, at
    /// most 1 (Musgrave 1994): smooth plains, rough heights.
    HybridMultifractal,
}

/// The sum so far, and the weight that the next octave gets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<R> {
    pub sum: R,
    pub weight: R,
}

/// One way to combine octaves. The provided methods make a plain sum.
pub(crate) trait Recipe: Copy {
    /// Whether it is a plain sum, to which octaves faded to a mean of 0 add nothing.
    const SUM: bool = false;
    /// Whether it is the sum of the octaves themselves.
    const PLAIN: bool = false;
    /// Whether the weight is used.
    const WEIGHTED: bool = false;
    /// Whether octaves are folded at 0 (the absolute value).
    const FOLDED: bool = false;
    /// What an octave contributes, before its amplitude.
    fn signal<R: Real>(&self, noise: R, fold: impl Fold) -> R;
    /// The first octave.
    #[inline(always)]
    fn begin<R: Real>(&self, signal: R) -> State<R> {
        State { sum: signal, weight: R::constant(1.0) }
    }
    /// A further octave.
    #[inline(always)]
    fn next<R: Real>(&self, state: State<R>, signal: R, amplitude: f32) -> State<R> {
        State { sum: state.sum + signal * amplitude, weight: state.weight }
    }
    /// Whether octaves faded to this mean change nothing.
    #[inline(always)]
    fn ends(&self, mean: f32) -> bool {
        Self::SUM && mean == 0.0
    }
    /// Further octaves, all faded to their mean.
    #[inline(always)]
    fn rest<R: Real>(&self, mut state: State<R>, mean: f32, octaves: &[Octave]) -> State<R> {
        if self.ends(mean) {
            return state;
        }
        if Self::SUM {
            // One addition, however many they are.
            let sum: f32 = octaves.iter().map(|octave| octave.amplitude * mean).sum();
            return if sum == 0.0 { state } else { State { sum: state.sum + sum, weight: state.weight } };
        }
        for octave in octaves {
            state = self.next(state, R::constant(mean), octave.amplitude);
        }
        state
    }
}
