//! Where samples lie many to a cell, lattice points are hashed once for all of them: bits are those of single points
//! however many cells there are, and wherever they lie.
#![allow(clippy::expect_used, reason = "helpers of tests may stop too")]

use terrain_noise::Instructions;
use terrain_noise::prelude::*;

fn check(name: &str, noise: Noise, start: [i64; 2], scratch: &mut Scratch) {
    let best = noise.build(9).expect(name);
    let grid = Grid { footprint: 0.0, ..Grid::new(start, 1.0, [65, 33]) };
    let points: Vec<_> = (0..grid.len()).map(|i| [grid.x(i % 65), grid.z(i / 65)]).collect();
    let jets: Vec<_> = points.iter().map(|&at| best.sample_with_gradient(at, 0.0)).collect();
    let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
    for set in Instructions::available() {
        let land = best.clone().with_instructions(set);
        land.fill(&grid, scratch, &mut heights);
        for (jet, height) in jets.iter().zip(&heights) {
            assert_eq!(jet.value.to_bits(), height.to_bits(), "{name}, {set:?}, {start:?}");
        }
        land.fill_points(&points, 0.0, scratch, &mut heights);
        for (jet, height) in jets.iter().zip(&heights) {
            assert_eq!(jet.value.to_bits(), height.to_bits(), "{name}, a list, {set:?}, {start:?}");
        }
        land.fill_with_gradient(&grid, scratch, &mut heights, &mut dx, &mut dz);
        for (i, jet) in jets.iter().enumerate() {
            assert_eq!([jet.value, jet.gradient[0], jet.gradient[1]], [heights[i], dx[i], dz[i]], "{name}, {set:?}");
        }
    }
}

#[test]
fn bits_are_those_of_points() {
    let mut scratch = Scratch::default();
    // From thousands of samples a cell to less than one.
    for step in 0..24 {
        let feature = 3000.0 * libm::pow(0.7, f64::from(step));
        for start in [[-30, -7], [1_000_000_000, -999_999_999], [1 << 40, 3]] {
            for (name, basis) in [("perlin", perlin()), ("simplex", simplex()), ("value", value())] {
                let octaves = basis.fbm().octaves(3).feature_size(feature);
                let name = format!("{name}, {feature} m");
                check(&name, octaves.clone().rotate(30.0), start, &mut scratch);
                check(&name, octaves.clone().warp(perlin().feature_size(90.0), 25.0), start, &mut scratch);
            }
        }
    }
}
