//! Implicit noise for height fields, exact to the bit. Independent of any engine.
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
//!
//! # The ideas, in order
//!
//! ## 1. Lattice and interpolation
//!
//! A random number for every whole coordinate, always the same one: [`Lattice`]. The
//! default hashes 64-bit coordinates, so nothing repeats, however far out. Between the lattice points
//! a [`Fade`] leads from one number to the next, or a [`Cubic`] through four of them.
//!
#![doc = include_str!("../pictures/guide/lattice.md")]
//!
//! ## 2. Basis
//!
//! Both together make one octave, hills of one size between -1 and 1: a [`Basis`], made by [`value`],
//! [`perlin`], [`simplex`], [`cellular`] and their kin. Every basis has exact bounds and an analytic
//! slope, in one, two and three dimensions, and can repeat after a whole number of cells.
//!
#![doc = include_str!("../pictures/guide/basis.md")]
//!
//! ```
//! use terrain_noise::prelude::*;
//! let hills = simplex().feature_size(40.0).period(8, 8).build(1)?;
//! assert_eq!(hills.sample([3.0, 5.0]), hills.sample([3.0 + 8.0 * 40.0, 5.0]));
//! # Ok::<(), NoiseError>(())
//! ```
//!
//! ## 3. Fractal
//!
//! Octaves of ever smaller hills, added or multiplied, make land: [`Fractal`], by methods such as
//! [`fbm`](Single::fbm), [`billow`](Single::billow),
//! [`ridged_multifractal`](Single::ridged_multifractal) and
//! [`hybrid_multifractal`](Single::hybrid_multifractal).
//!
#![doc = include_str!("../pictures/guide/fractal.md")]
//!
//! ## 4. Mapping
//!
//! The methods of [`Compose`] move, rotate and warp the ground under a noise, scale its heights, bend them
//! and cut them into terraces, and make one noise of several, by a mask if need be.
//!
#![doc = include_str!("../pictures/guide/mapping.md")]
//!
//! ## 5. Erosion and dunes
//!
//! What water and wind leave behind follows the slope. [`gullies`](Compose::gullies) carve any land down
//! its own slopes, each octave down the sides of the one before, so that they branch as a drainage does;
//! [`damped`](Single::damped) octaves fade where the sum so far is steep; [`strata`](Compose::strata) step
//! a land in layers of hard and soft rock; [`dunes`] have a gentle back and a slip face;
//! [`add_above`](Compose::add_above) puts one land on top of another where that is high. All of it is a
//! function of the position alone, like everything here: no simulation, no neighbours. Every parameter has a
//! setter of its name on the node.
//!
//! Sharp crests turn a mesh that runs askew to them into a saw: [`rounded`](Compose::rounded) makes creases as
//! wide as the distance between samples, whatever the level of detail.
//!
#![doc = include_str!("../pictures/guide/erosion.md")]
//!
//! ```
//! use terrain_noise::prelude::*;
//! // Ranges with valley floors, and what water makes of them.
//! let range = perlin().ridged().octaves(3).persistence(0.4).feature_size(9000.0);
//! let range = range.curve([[0.7, 300.0], [1.0, 400.0], [1.3, 1700.0], [1.6, 3200.0]]);
//! let alps = range.warp(perlin().fbm().octaves(2).feature_size(7000.0), 1500.0).gullies(280.0, 1800.0).octaves(6);
//! assert!(alps.build(1)?.bounds().max > 3000.0);
//! # Ok::<(), NoiseError>(())
//! ```
//!
//! ## 6. Tree
//!
//! The result is one value, a [`Noise`]: it can be compared, edited
//! ([`edit_params`](Noise::edit_params), [`kinds`](Noise::kinds)), written to a file and read from one
//! (`from_ron`). Errors name
//! the path to the field.
//!
//! ```
//! use terrain_noise::prelude::*;
//! let error = perlin().fbm().lacunarity(0.5).scale(300.0).build(1).unwrap_err();
//! assert_eq!(error.to_string(), "source.lacunarity: found 0.5, allowed is 1.01 to 16");
//! ```
//!
//! ## 7. Sampling
//!
//! [`build`](Noise::build) compiles it to a [`Sampler`], which knows its
//! [`bounds`](Sampler::bounds) and gives the value at a point or, many times faster, over a
//! [`Grid`]. Samples far apart cannot show fine octaves: a grid fades these out towards their mean.
//!
//! ## 8. Noise over time
//!
//! [`signal`] shakes cameras, flickers lights, and takes noise in space to a place and a time, for gusts and clouds.
//!
//! ## 9. Noise in shaders
//!
//! [`shader`] makes words of a noise, from which a shader computes the same values.
//!
//! ## 10. Other methods
//!
//! The explicit methods make a whole tile at once: [`DiamondSquare`] (with patches of an endless
//! plane that meet exactly) and `fourier_tile`; and [`texture`] holds noise as clouds, marble, wood
//! and planets. `cargo run --release --example gallery` paints all of it.
//!
#![doc = include_str!("../pictures/guide/explicit.md")]
//!
//! # Promises
//!
//! - **The same bits everywhere.** A tree and a seed give the same `f32` on every machine and
//!   thread, at a point and in a grid of any shape, with and without gradient. Golden hashes in the
//!   tests hold it. (`fourier_tile` is the exception: its FFT takes sines from the platform.)
//! - **No far lands.** A billion metres out a grid of one metre is as smooth as at the origin.
//! - **Bounds before sampling**, and no value ever leaves them.
//! - **Bad settings are refused by name**: nothing panics, hangs or overflows the stack.
//!
//! # Features
//!
//! `file` (default): RON files. `rayon`: grids on several threads. `fourier`: Fourier synthesis.
//! `bevy_reflect`: every node as a reflected struct, each parameter with its [`ParamInfo`] as an
//! attribute.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests compare, they make no worlds"))]
#![allow(clippy::needless_range_loop, reason = "an axis indexes several arrays at once")]

mod basis;
mod bounds;
mod combine;
mod compose;
mod erosion;
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
pub mod shader;
pub mod signal;
mod simd;
pub mod texture;

pub use basis::Basis;
pub use basis::cellular::CellOutput;
pub use basis::classic::ClassicPerlin;
pub use bounds::Bounds;
pub use compose::{
    Compose, cellular, classic_perlin, constant, cubic_value, dunes, perlin, simplex, smoothed_value, value,
};
pub use error::NoiseError;
pub use explicit::diamond_square::DiamondSquare;
#[cfg(feature = "fourier")]
pub use explicit::fourier::fourier_tile;
#[cfg(feature = "file")]
pub use file::{FileError, NoiseFile, from_ron, read_ron, to_ron, write_ron, write_ron_line};
pub use fractal::FractalKind;
pub use grid::{Grid, Scratch};
pub use interpolation::{Cubic, Fade};
pub use lattice::{Lattice, ParkMiller, Permutation, int_noise, int_noise_2d, seed_from_str};
pub use mapping::CurveEnds;
pub use noise::*;
pub use params::{Choice, ParamInfo, ParamMut};
pub use real::Jet;
pub use sampler::Sampler;
pub use simd::Instructions;

/// What most users need.
pub mod prelude {
    pub use crate::{
        Basis, Bounds, CellOutput, Compose, Cubic, Fade, Fractal, FractalKind, Grid, Lattice, Noise, NoiseError,
        Sampler, Scratch, cellular, classic_perlin, constant, cubic_value, dunes, perlin, seed_from_str, simplex,
        smoothed_value, value,
    };
    #[cfg(feature = "file")]
    pub use crate::{FileError, from_ron, to_ron};
}
