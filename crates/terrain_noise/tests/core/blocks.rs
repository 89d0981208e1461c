//! Bases that are evaluated in blocks give the bits of single points, wherever the lanes' cells lie.
#![allow(clippy::expect_used, reason = "helpers of tests may stop too")]

use terrain_noise::prelude::*;
use terrain_noise::{Instructions, Single};

fn bases() -> Vec<(String, Single)> {
    let mut all = Vec::new();
    for output in [CellOutput::F1, CellOutput::F2, CellOutput::F2MinusF1, CellOutput::CellValue] {
        for jitter in [0.0, 1e-7, 0.4, 0.85, 1.0] {
            let mut noise = cellular(output);
            noise.basis = Basis::Cellular { output, jitter };
            all.push((format!("{output:?}, jitter {jitter}"), noise));
        }
    }
    for cubic in [Cubic::Lagrange, Cubic::Elias, Cubic::CatmullRom] {
        all.push((format!("{cubic:?}"), cubic_value(cubic)));
    }
    for fade in [Fade::Linear, Fade::Cosine, Fade::Smoothstep, Fade::Quintic] {
        all.push((format!("smoothed, {fade:?}"), smoothed_value().fade(fade)));
    }
    for (x, z) in [(3, 4), (1, 0), (0, 7)] {
        all.push((format!("perlin, {x} {z}"), perlin().period(x, z)));
        all.push((format!("value, {x} {z}"), value().fade(Fade::Smoothstep).period(x, z)));
    }
    all
}

/// Compares a grid with its points: heights and slopes.
fn compare(name: &str, sampler: &Sampler, grid: &Grid) {
    let [mut heights, mut again, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
    let mut scratch = Scratch::default();
    sampler.fill(grid, &mut scratch, &mut heights);
    sampler.fill_with_gradient(grid, &mut scratch, &mut again, &mut dx, &mut dz);
    for i in 0..grid.len() {
        let at = [grid.x(i % grid.size[0]), grid.z(i / grid.size[0])];
        let jet = sampler.sample_with_gradient(at, grid.footprint);
        let expected = [sampler.sample_filtered(at, grid.footprint), jet.value, jet.gradient[0], jet.gradient[1]];
        let found = [heights[i], again[i], dx[i], dz[i]];
        // Slopes of zero may differ in sign.
        let bits = |all: [f32; 4]| all.map(|number| (number + 0.0).to_bits());
        assert_eq!(bits(found), bits(expected), "{name}, {grid:?} {at:?}: {found:?} {expected:?}");
    }
}

#[test]
fn grids_have_the_bits_of_their_points() {
    for (name, noise) in bases() {
        let plain = Noise::from(noise.feature_size(20.0));
        for (name, noise) in [(name.clone(), plain.clone()), (format!("{name}, turned"), plain.rotate(30.0))] {
            let sampler = noise.build(3).expect(&name);
            for set in Instructions::available() {
                let sampler = sampler.clone().with_instructions(set);
                // From many lanes in a cell to many cells between lanes, and lanes on the cells' edges.
                for spacing in [0.1, 1.0, 5.0, 10.0, 31.0, 1e6] {
                    for start in [[-20, -3], [1 << 33, -(1 << 33)]] {
                        compare(&name, &sampler, &Grid { footprint: 0.0, ..Grid::new(start, spacing, [37, 5]) });
                    }
                }
            }
        }
    }
}

#[test]
fn the_outer_ring_is_searched() {
    // In one block some lanes find their points at once and others look further.
    for output in [CellOutput::F1, CellOutput::F2, CellOutput::F2MinusF1, CellOutput::CellValue] {
        let sampler = cellular(output).feature_size(10.0).build(11).expect("a plain noise");
        compare("large", &sampler, &Grid { footprint: 0.0, ..Grid::new([-4000, 900], 0.7, [500, 40]) });
    }
}

/// The same with octaves, and beyond the window of the lattice around the origin along the axis that does not repeat.
#[test]
fn periods_of_any_length_have_the_bits_of_their_points() {
    for (x, z) in [(1, 1), (4, 4), (5, 0), (0, 1), (1 << 19, 3), (1_000_000, 1_000_000)] {
        let noise = perlin().feature_size(20.0).period(x, z).fbm().octaves(5);
        let sampler = noise.build(3).expect("a noise");
        for set in Instructions::available() {
            let sampler = sampler.clone().with_instructions(set);
            for spacing in [0.1, 1.0, 5.0, 31.0] {
                for start in [[-20, -3], [1 << 33, -(1 << 33)]] {
                    compare(
                        &format!("{x} {z}"),
                        &sampler,
                        &Grid { footprint: 0.0, ..Grid::new(start, spacing, [37, 40]) },
                    );
                }
            }
        }
    }
}
