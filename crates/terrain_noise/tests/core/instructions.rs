//! Every instruction set gives the same bits.
#![allow(clippy::expect_used, reason = "helpers of tests may stop too")]

use crate::common::worlds;
use terrain_noise::Instructions;
use terrain_noise::prelude::*;

/// Bits of heights and slopes over a grid, and of points.
fn bits(sampler: &Sampler) -> Vec<u32> {
    let mut all = Vec::new();
    let mut scratch = Scratch::default();
    // Wide enough for two tiles; the last one's columns lie less than a cell apart, or more. Rows
    // end in all parts of a block.
    for (spacing, footprint, size) in
        [(1.0, 0.0, [300, 5]), (37.0, 0.0, [65, 20]), (8.0, 8.0, [33, 33]), (3.0, 0.0, [22, 5]), (0.3, 0.0, [29, 5])]
    {
        let grid = Grid { footprint, ..Grid::new([-20, 1 << 33], spacing, size) };
        let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
        sampler.fill(&grid, &mut scratch, &mut heights);
        all.extend(heights.iter().map(|height| height.to_bits()));
        sampler.fill_with_gradient(&grid, &mut scratch, &mut heights, &mut dx, &mut dz);
        all.extend(heights.iter().chain(&dx).chain(&dz).map(|height| height.to_bits()));
    }
    for k in 0..200 {
        let at = [f64::from(k) * 3.7, f64::from(-k) * 91.3];
        all.push(sampler.sample(at).to_bits());
        let jet = sampler.sample_with_gradient(at, 2.0);
        all.extend([jet.value, jet.gradient[0], jet.gradient[1]].map(f32::to_bits));
    }
    all
}

#[test]
fn every_set_gives_the_same_bits() {
    for (name, noise) in worlds() {
        let sampler = noise.build(3).expect(name);
        let plain = bits(&sampler.clone().with_instructions(Instructions::Baseline));
        for set in Instructions::available() {
            let other = sampler.clone().with_instructions(set);
            assert_eq!(other.instructions(), set);
            assert!(bits(&other) == plain, "{name}, {set:?}");
        }
    }
}

#[test]
fn a_set_that_is_missing_gives_way() {
    let sampler = perlin().feature_size(9.0).build(1).expect("a plain noise");
    let widest = sampler.with_instructions(Instructions::Avx512);
    assert_eq!(widest.instructions(), Instructions::best());
}
