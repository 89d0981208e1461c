//! Fractional Brownian motion whose octaves fade where the sum so far is steep (Quilez 2008), with
//! ridged octaves and a warp down the slope if wanted (de Carpentier's "Swiss turbulence", 2011).

use crate::bounds::Interval;
use crate::fractal::{Fold, Round};
use crate::noise;
use crate::real::Jet;
use crate::sampler::Leaf;

/// Squares of slopes beyond this are all alike: an octave there is gone.
const STEEPEST: f32 = 1e30;

/// A compiled recipe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Damped {
    damping: f32,
    ridges: f32,
    /// Wavelengths per unit of slope.
    warp: f32,
    /// Makes slopes numbers without a unit.
    size: f32,
    /// The mean of an octave's absolute value.
    mean: f32,
}

/// The sum so far, and its slope times the feature size.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct State {
    pub sum: f32,
    pub slope: [f32; 2],
}

impl Damped {
    pub fn new(node: &noise::Damped, mean: f32) -> Self {
        Self {
            damping: node.damping as f32,
            ridges: node.ridges as f32,
            warp: node.warp as f32,
            size: node.feature_size as f32,
            mean,
        }
    }

    /// An octave more. Its slopes are per metre.
    #[inline(always)]
    pub fn next(&self, state: State, noise: Jet<2>, fold: Round, amplitude: f32, share: f32) -> State {
        let n = noise.value;
        let folded = 2.0 * (self.mean - fold.apply(n));
        let signal = n + self.ridges * (folded - n);
        // A fold has no slope on its crease; that of the square is near it and does not jump.
        let steep = 1.0 + self.ridges * (-4.0 * n - 1.0);
        let scale = amplitude * share;
        let [x, z] = state.slope;
        let square = x * x + z * z;
        // Octaves that only grow leave what can be squared: no damping of infinity is no number.
        let square = if square < STEEPEST { square } else { STEEPEST };
        let damp = 1.0 / (1.0 + self.damping * square);
        let scaled = steep * (scale * self.size);
        State {
            sum: state.sum + scale * damp * signal,
            slope: [x + scaled * noise.gradient[0], z + scaled * noise.gradient[1]],
        }
    }

    /// How far the slope so far moves a place for an octave of `frequency` a metre. Ever less, as ever finer
    /// octaves add as much slope: otherwise they would be torn to shreds.
    #[inline(always)]
    pub fn moved(&self, state: State, frequency: f64) -> [f32; 2] {
        let metres = -self.warp * (1.0 / frequency) as f32;
        let [x, z] = state.slope;
        [metres * x, metres * z]
    }

    pub fn interval(&self, leaf: &Leaf) -> Interval {
        let all: f64 = leaf.octaves.iter().map(|octave| f64::from(octave.amplitude).abs()).sum();
        // |2·(mean − |n|)| is at most 2, and so is any mix of it with n.
        let most = all * (1.0 + f64::from(self.ridges)) * 1.001;
        Interval::new(-most, most)
    }

    /// A step that is small against all that is visible.
    pub fn step(&self, leaf: &Leaf, footprint: f64) -> f64 {
        let finest = leaf.visible(footprint).saturating_sub(1);
        leaf.octaves.get(finest).map_or(1.0, |octave| 1.0 / octave.frequency) / 2048.0
    }
}
