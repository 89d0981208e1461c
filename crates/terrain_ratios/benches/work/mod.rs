//! The same work for all crates: 8 octaves, wavelength 256 samples, lacunarity 2, persistence ½.
//!
//! Every function fills a grid of `f32` from samples one metre apart. Otherwise the noises of other crates are built
//! as their documentation shows, with their own normalisation.

#![allow(dead_code, reason = "each bench uses its part")]
#![allow(clippy::panic, reason = "a bench may stop at a mistake of its own")]

use bevy_math::Vec2;
use libnoise::Generator as _;
use noise::NoiseFn as _;
use noise_functions::Noise as _;
use noiz::layering::{FractalLayers, LayeredNoise, Normed, Octave, Persistence};
use noiz::prelude::{Sampleable as _, ScalableNoise as _, SeedableNoise as _, common_noise};
use terrain_noise::Sampler;
use terrain_noise::prelude::{Compose as _, Fractal, Grid, Noise, perlin, simplex};

pub const OCTAVES: u32 = 8;
pub const WAVELENGTH: f64 = 256.0;
pub const FREQUENCY: f64 = 1.0 / WAVELENGTH;
/// How far the warp moves a point.
pub const WARP: f64 = 40.0;

/// A square of samples: where it starts and its size.
#[derive(Clone, Copy)]
pub struct Square {
    pub start: [i64; 2],
    pub side: usize,
}

impl Square {
    pub fn grid(self) -> Grid {
        // A footprint of 0 fades out no octaves, as the other crates compute all.
        Grid { footprint: 0.0, ..Grid::new(self.start, 1.0, [self.side; 2]) }
    }
    fn points(self) -> impl Iterator<Item = [f64; 2]> {
        let at = move |i: usize, axis: usize| (self.start[axis] + i as i64) as f64;
        (0..self.side).flat_map(move |j| (0..self.side).map(move |i| [at(i, 0), at(j, 1)]))
    }
    /// Fills a grid point by point.
    #[inline(always)]
    fn each(self, out: &mut [f32], noise: impl Fn([f64; 2]) -> f32) {
        for (out, at) in out.iter_mut().zip(self.points()) {
            *out = noise(at);
        }
    }
}

fn fractal() -> Fractal {
    perlin().fbm().octaves(OCTAVES).feature_size(WAVELENGTH)
}

fn built(noise: impl Into<Noise>) -> Sampler {
    noise.into().build(7).unwrap_or_else(|error| panic!("{error}"))
}

pub fn fbm() -> Sampler {
    built(fractal())
}

pub fn ridged() -> Sampler {
    built(perlin().ridged_multifractal().octaves(OCTAVES).feature_size(WAVELENGTH))
}

pub fn hybrid() -> Sampler {
    built(perlin().hybrid_multifractal().octaves(OCTAVES).feature_size(WAVELENGTH))
}

pub fn warped() -> Sampler {
    built(fractal().warp(fractal(), WARP))
}

/// Rotated against the lattice, without a warp: measures only the general code path.
pub fn turned() -> Sampler {
    built(fractal().rotate(30.0))
}

pub fn simplex_fbm() -> Sampler {
    built(simplex().fbm().octaves(OCTAVES).feature_size(WAVELENGTH))
}

type NoizFbm<T> = noiz::Noise<LayeredNoise<Normed<f32>, Persistence, FractalLayers<Octave<T>>>>;

fn noiz_fbm(seed: u32) -> NoizFbm<common_noise::Perlin> {
    noiz_fbm_of(seed)
}

fn noiz_fbm_of<T: Default>(seed: u32) -> NoizFbm<T> {
    let mut noise = NoizFbm::<T>::from(LayeredNoise::new(
        Normed::default(),
        Persistence(0.5),
        FractalLayers { layer: Default::default(), lacunarity: 2.0, amount: OCTAVES },
    ));
    noise.set_seed(seed);
    noise.set_frequency(FREQUENCY as f32);
    noise
}

pub fn noiz_simplex(square: Square, out: &mut [f32]) {
    let noise = noiz_fbm_of::<common_noise::Simplex>(1);
    square.each(out, |at| noise.sample_for(vector(at)));
}

fn vector(at: [f64; 2]) -> Vec2 {
    Vec2::new(at[0] as f32, at[1] as f32)
}

pub fn noiz(square: Square, out: &mut [f32]) {
    square.each(out, noiz_point());
}

pub fn noiz_point() -> impl Fn([f64; 2]) -> f32 {
    let noise = noiz_fbm(1);
    move |at| noise.sample_for(vector(at))
}

pub fn noiz_warped(square: Square, out: &mut [f32]) {
    let (noise, x, z) = (noiz_fbm(1), noiz_fbm(2), noiz_fbm(3));
    square.each(out, |at| {
        let at = vector(at);
        let by = Vec2::new(x.sample_for(at), z.sample_for(at));
        noise.sample_for(at + by * WARP as f32)
    });
}

pub fn noise_functions_point() -> impl Fn([f64; 2]) -> f32 {
    let noise = noise_functions::Perlin.fbm(OCTAVES, 0.5, 2.0).seed(1).frequency(FREQUENCY as f32);
    move |at| noise.sample2([at[0] as f32, at[1] as f32])
}

pub fn noise_functions(square: Square, out: &mut [f32]) {
    square.each(out, noise_functions_point());
}

pub fn fastnoise_lite(square: Square, out: &mut [f32]) {
    use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};
    let mut noise = FastNoiseLite::with_seed(1);
    noise.set_noise_type(Some(NoiseType::Perlin));
    noise.set_fractal_type(Some(FractalType::FBm));
    noise.set_fractal_octaves(Some(OCTAVES as i32));
    noise.set_fractal_gain(Some(0.5));
    noise.set_frequency(Some(FREQUENCY as f32));
    square.each(out, |at| noise.get_noise_2d(at[0] as f32, at[1] as f32));
}

fn set<T: noise::MultiFractal>(noise: T) -> T {
    let noise = noise.set_octaves(OCTAVES as usize).set_frequency(FREQUENCY);
    noise.set_lacunarity(2.0).set_persistence(0.5)
}

pub fn noise_rs(square: Square, out: &mut [f32]) {
    let noise = set(noise::Fbm::<noise::Perlin>::new(1));
    square.each(out, |at| noise.get(at) as f32);
}

pub fn noise_rs_ridged(square: Square, out: &mut [f32]) {
    let noise = set(noise::RidgedMulti::<noise::Perlin>::new(1));
    square.each(out, |at| noise.get(at) as f32);
}

pub fn noise_rs_hybrid(square: Square, out: &mut [f32]) {
    let noise = set(noise::HybridMulti::<noise::Perlin>::new(1));
    square.each(out, |at| noise.get(at) as f32);
}

pub fn libnoise(square: Square, out: &mut [f32]) {
    let noise = libnoise::Source::perlin(1).fbm(OCTAVES, FREQUENCY, 2.0, 0.5);
    square.each(out, |at| noise.sample(at) as f32);
}

/// It has only simplex noise, and allocates its grid itself. It also returns the smallest and largest value.
pub fn simdnoise(square: Square, out: &mut [f32]) {
    let [x, z] = square.start.map(|start| start as f32);
    let (heights, ..) = simdnoise::NoiseBuilder::fbm_2d_offset(x, square.side, z, square.side)
        .with_seed(1)
        .with_freq(FREQUENCY as f32)
        .with_octaves(OCTAVES as u8)
        .with_gain(0.5)
        .with_lacunarity(2.0)
        .generate();
    out.copy_from_slice(&heights);
}

/// It has neither a warp nor an interface for lists of points: three of its grids are the work of a warped one.
pub fn simdnoise_three_times(square: Square, out: &mut [f32]) {
    (0..3).for_each(|_| simdnoise(square, out));
}
