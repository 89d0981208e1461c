//! Fractional Brownian motion whose octaves fade where the sum so far is steep (Quilez 2008), with
//! ridged octaves and a warp down the slope if wanted (de Carpentier's "Swiss turbulence", 2011).

use crate::basis::Octave;
use crate::bounds::Interval;
use crate::fractal::{Fold, Round};
use crate::noise;
use crate::real::{Jet, each};

/// Squares of slopes are limited to this, where octaves have long faded out.
const STEEPEST: f32 = 1e30;

/// A compiled recipe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Damped {
    damping: f32,
    ridges: f32,
    /// Wavelengths per unit of slope.
    warp: f32,
    /// The feature size: makes slopes dimensionless.
    size: f32,
    /// The mean absolute value of an octave.
    mean: f32,
}

/// The sum so far, and its slope times the feature size; or the derivatives of both along an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<const D: usize> {
    pub sum: f32,
    pub slope: [f32; D],
}

impl<const D: usize> Default for State<D> {
    fn default() -> Self {
        Self { sum: 0.0, slope: [0.0; D] }
    }
}

/// An octave at a sampling distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampledOctave {
    pub frequency: f64,
    pub amplitude: f32,
    pub fold: Round,
    pub share: f32,
}

impl SampledOctave {
    /// Metres to a neighbouring position, close enough to measure the octave's curvature.
    pub fn step(&self) -> f64 {
        1.0 / (self.frequency * 1024.0)
    }
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

    /// Adds an octave. Its slopes are per metre.
    #[inline(always)]
    pub fn next<const D: usize>(&self, state: State<D>, noise: Jet<D>, octave: &SampledOctave) -> State<D> {
        let n = noise.value;
        let folded = 2.0 * (self.mean - octave.fold.apply(n));
        let signal = n + self.ridges * (folded - n);
        let scale = octave.amplitude * octave.share;
        let damp = 1.0 / (1.0 + self.damping * square(&state.slope));
        let scaled = self.steep(n) * (scale * self.size);
        State {
            sum: state.sum + scale * damp * signal,
            slope: each(|axis| state.slope[axis] + scaled * noise.gradient[axis]),
        }
    }

    /// The slope of a fold jumps at its crease; that of the square is close to it and does not.
    #[inline(always)]
    fn steep(&self, n: f32) -> f32 {
        1.0 + self.ridges * (-4.0 * n - 1.0)
    }

    /// The derivatives of [`next`](Self::next) along each axis; `changes` are those of the state before.
    /// `beside` is the noise a [`step`](SampledOctave::step) along each axis, whose slopes give the curvature:
    /// differences of heights would be lost in the rounding of 32 bits.
    #[inline(always)]
    pub fn changes<const D: usize>(
        &self,
        state: State<D>,
        changes: [State<D>; D],
        noise: Jet<D>,
        beside: [Jet<D>; D],
        octave: &SampledOctave,
    ) -> [State<D>; D] {
        let scale = octave.amplitude * octave.share;
        let (metres, per_step) = (self.metres(octave.frequency), (1.0 / octave.step()) as f32);
        let square = square(&state.slope);
        let damp = 1.0 / (1.0 + self.damping * square);
        let steep = self.steep(noise.value);
        let mut after = [State::default(); D];
        for axis in 0..D {
            let change = changes[axis];
            // How the sampled position moves.
            let place: [f32; D] = each(|i| if i == axis { 1.0 } else { 0.0 } + metres * change.slope[i]);
            let (mut rise, mut steeper) = (0.0, 0.0);
            let mut bend = [0.0; D];
            for i in 0..D {
                rise += noise.gradient[i] * place[i];
                steeper += 2.0 * state.slope[i] * change.slope[i];
                for j in 0..D {
                    bend[j] += (beside[i].gradient[j] - noise.gradient[j]) * per_step * place[i];
                }
            }
            let n = Jet { value: noise.value, gradient: [rise] };
            let folded = octave.fold.apply(n) * -2.0 + 2.0 * self.mean;
            let signal = n + (folded - n) * self.ridges;
            let steeper = if square < STEEPEST { steeper } else { 0.0 };
            let fades = -damp * damp * self.damping * steeper;
            let jumps = -4.0 * self.ridges * rise;
            after[axis] = State {
                sum: change.sum + scale * (fades * signal.value + damp * signal.gradient[0]),
                slope: each(|i| change.slope[i] + scale * self.size * (jumps * noise.gradient[i] + steep * bend[i])),
            };
        }
        after
    }

    /// Metres of displacement per unit of the slope so far, for an octave of `frequency` cells per metre. Less
    /// for finer octaves, which add as much slope as coarse ones and would otherwise be torn apart.
    #[inline(always)]
    fn metres(&self, frequency: f64) -> f32 {
        -self.warp * (1.0 / frequency) as f32
    }

    /// Whether octaves lie where they lie, whatever the slope.
    pub fn stays(&self) -> bool {
        self.warp == 0.0
    }

    /// By how much the slope so far displaces the sampled position.
    #[inline(always)]
    pub fn moved<const D: usize>(&self, state: State<D>, frequency: f64) -> [f32; D] {
        // Not 0 times a slope that may be infinite.
        if self.stays() {
            return [0.0; D];
        }
        let metres = self.metres(frequency);
        each(|axis| metres * state.slope[axis])
    }

    pub fn interval(&self, octaves: &[Octave]) -> Interval {
        let all: f64 = octaves.iter().map(|octave| f64::from(octave.amplitude).abs()).sum();
        // |2·(mean − |n|)| is at most 2, and so is any mix of it with n.
        let most = all * (1.0 + f64::from(self.ridges)) * 1.001;
        Interval::new(-most, most)
    }
}

/// The squared length of a slope.
#[inline(always)]
fn square<const D: usize>(slope: &[f32; D]) -> f32 {
    let mut square = slope[0] * slope[0];
    for axis in 1..D {
        square += slope[axis] * slope[axis];
    }
    // With growing octaves the square may overflow, and infinity times a damping of 0 is NaN.
    if square < STEEPEST { square } else { STEEPEST }
}
