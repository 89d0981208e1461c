//! Kernels, each with eight octaves.

use std::hint::black_box;

use terrain_bench::counting::count_again;
use terrain_noise::prelude::*;
use terrain_noise::{NoiseError, Single};

use crate::{SIDE, count_chunk, samplers};

/// Points that are sampled one by one.
const POINTS: i32 = 256;

fn octaves(basis: Single) -> Fractal {
    basis.fbm().octaves(8).feature_size(256.0)
}

/// What is counted over a chunk, heights and slopes: a line is a case.
fn chunks() -> Vec<(&'static str, Noise)> {
    vec![
        ("perlin", octaves(perlin()).into()),
        ("value", octaves(value()).into()),
        ("cubic", octaves(cubic_value(Cubic::CatmullRom)).into()),
        ("simplex", octaves(simplex()).into()),
        ("cellular", octaves(cellular(CellOutput::F1)).into()),
        ("ridged", perlin().ridged_multifractal().octaves(8).feature_size(256.0).into()),
        ("warped", octaves(perlin()).warp(octaves(perlin()), 40.0)),
        ("turned", octaves(perlin()).rotate(30.0)),
    ]
}

/// What is counted at single points, far apart: a line is a case.
fn points() -> Vec<(&'static str, Noise)> {
    vec![
        ("perlin", octaves(perlin()).into()),
        ("simplex", octaves(simplex()).into()),
        ("cellular", octaves(cellular(CellOutput::F1)).into()),
        ("warped", octaves(perlin()).warp(octaves(perlin()), 40.0)),
    ]
}

pub fn count_all() -> Result<(), NoiseError> {
    // A footprint of 0 fades out no octaves.
    let grid = Grid { footprint: 0.0, ..Grid::new([64, -128], 1.0, [SIDE; 2]) };
    for (name, noise) in chunks() {
        for (set, sampler) in samplers(noise, 7)? {
            count_chunk(&format!("kernel/{name}"), set, &sampler, &grid);
        }
    }
    let places: Vec<_> =
        (0..POINTS).map(|i| [f64::from(i * 733 % 4099) * 1.37, f64::from(i * 197 % 4111) * 0.93]).collect();
    for (name, noise) in points() {
        for (set, sampler) in samplers(noise, 7)? {
            count_again(&format!("kernel/{name}/points/{set}"), || {
                for &place in &places {
                    black_box(sampler.sample(black_box(place)));
                }
            });
        }
    }
    Ok(())
}
