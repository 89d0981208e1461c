//! Implicit noise for height fields. Knows no engine.
//!
//! A [`Noise`] is one value: a tree of bases, fractals, mappings and combinations that is written
//! by hand, by an editor or in a file. [`Noise::build`] checks and compiles it to a [`Sampler`],
//! which gives the value at a point or, much faster, over a [`Grid`].
//!
//! ```
//! use terrain_noise::prelude::*;
//!
//! let land = perlin()
//!     .ridged_multifractal()
//!     .octaves(9)
//!     .feature_size(1800.0)
//!     .scale(600.0)
//!     .warp(perlin().feature_size(900.0), 120.0);
//! let land = land.build(seed_from_str("terrain"))?;
//!
//! let grid = Grid::new([0, 0], 1.0, [64, 64]);
//! let mut heights = vec![0.0; grid.len()];
//! let bounds = land.fill(&grid, &mut Scratch::default(), &mut heights);
//! assert_eq!(heights[0], land.sample_filtered([0.0, 0.0], 1.0));
//! assert!(bounds.min >= land.bounds().min && bounds.max <= land.bounds().max);
//! # Ok::<(), NoiseError>(())
//! ```

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests compare, they make no worlds"
    )
)]
#![allow(
    clippy::needless_range_loop,
    reason = "an axis indexes several arrays at once"
)]

mod basis;
mod bounds;
mod combine;
mod compose;
mod error;
mod explicit;
#[cfg(feature = "file")]
mod file;
mod fractal;
mod grid;
mod interpolation;
mod lattice;
mod mapping;
mod noise;
mod params;
mod real;
mod sampler;
mod simd;
pub mod texture;

pub use basis::Basis;
pub use basis::cellular::CellOutput;
pub use basis::classic::ClassicPerlin;
pub use bounds::Bounds;
pub use compose::{
    Compose, cellular, classic_perlin, constant, cubic_value, perlin, simplex, smoothed_value,
    value,
};
pub use error::NoiseError;
pub use explicit::diamond_square::DiamondSquare;
#[cfg(feature = "fourier")]
pub use explicit::fourier::fourier_tile;
#[cfg(feature = "file")]
pub use file::{FileError, NoiseFile, from_ron, to_ron};
pub use fractal::FractalKind;
pub use grid::{Grid, Scratch};
pub use interpolation::{Cubic, Fade};
pub use lattice::{Lattice, ParkMiller, Permutation, int_noise, int_noise_2d, seed_from_str};
pub use noise::{
    Abs, Add, Affine, Bias, Blend, Clamp, Constant, Curve, Fractal, Gain, MAX_DEPTH, MAX_NODES,
    MAX_OCTAVES, Max, Min, Mul, Noise, Power, Range, Shore, Single, SmoothMax, SmoothMin, Swirl,
    Terrace, Transform, Warp,
};
pub use params::{Choice, ParamInfo, ParamMut};
pub use real::Jet;
pub use sampler::Sampler;
pub use simd::Instructions;

/// What most users need.
pub mod prelude {
    pub use crate::{
        Basis, Bounds, CellOutput, Compose, Cubic, Fade, Fractal, FractalKind, Grid, Lattice,
        Noise, NoiseError, Sampler, Scratch, Single, cellular, classic_perlin, constant,
        cubic_value, perlin, seed_from_str, simplex, smoothed_value, value,
    };
    #[cfg(feature = "file")]
    pub use crate::{FileError, from_ron, to_ron};
}
