//! A grid gives the bits that points give, whatever the tree.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use crate::common::worlds;
use terrain_noise::prelude::*;

#[test]
fn grid_equals_points() {
    let mut scratch = Scratch::default();
    for (name, noise) in worlds() {
        let sampler = noise.build(42).expect(name);
        for (start, spacing, size, footprint) in [
            ([-30, -7], 1.0, [65, 65], 1.0),
            ([1_000_000_000, -1_000_000_000], 1.0, [33, 5], 0.0),
            ([0, 0], 40.0, [70, 9], 40.0),
            ([-5, 3], 37.3, [31, 9], 0.0),
            ([3, 3], 0.125, [1, 300], 0.125),
        ] {
            let grid = Grid { start, spacing, size, footprint };
            let [mut heights, mut again, mut dx, mut dz] = std::array::from_fn(|_| vec![f32::NAN; grid.len()]);
            let bounds = sampler.fill(&grid, &mut scratch, &mut heights);
            let same = sampler.fill_with_gradient(&grid, &mut scratch, &mut again, &mut dx, &mut dz);
            assert_eq!(bounds, same, "{name}");
            let mut seen = Bounds::EMPTY;
            for j in 0..size[1] {
                for i in 0..size[0] {
                    let at = [grid.x(i), grid.z(j)];
                    let n = j * size[0] + i;
                    assert_eq!(heights[n].to_bits(), sampler.sample_filtered(at, footprint).to_bits(), "{name} {at:?}");
                    let jet = sampler.sample_with_gradient(at, footprint);
                    assert_eq!(jet.value.to_bits(), heights[n].to_bits(), "{name} {at:?}");
                    assert_eq!(again[n].to_bits(), heights[n].to_bits(), "{name} {at:?}");
                    assert_eq!(jet.gradient, [dx[n], dz[n]], "{name} {at:?}");
                    assert!(sampler.bounds().contains(heights[n]), "{name} {at:?} {}", heights[n]);
                    seen = seen.union(Bounds { min: heights[n], max: heights[n] });
                }
            }
            assert_eq!(bounds, seen, "{name}");
        }
    }
}

fn slopes_are_derivatives<const D: usize>(name: &str, noise: &Noise) {
    let sampler = noise.build(42).expect(name);
    let size = f64::from(sampler.bounds().max - sampler.bounds().min);
    let (mut bad, mut all) = (0, 0);
    for k in 0..600 {
        let at: [f64; D] = std::array::from_fn(|axis| f64::from(k * [1, 7, 31][axis] % 997) * 0.73 - 300.0);
        let jet = sampler.sample_jet(at, 0.0);
        for axis in 0..D {
            let h = 0.004;
            let ends = [-h, h].map(|h| {
                let mut at = at;
                at[axis] += h;
                f64::from(sampler.sample_jet(at, 0.0).value)
            });
            let slope = (ends[1] - ends[0]) / (2.0 * h);
            let error = (slope - f64::from(jet.gradient[axis])).abs();
            // Creases (ridges, clamps, minima) have no slope: a few points may lie on one.
            all += 1;
            bad += i32::from(error > 0.05 * slope.abs() + 1e-3 * size.max(1.0));
        }
    }
    assert!(bad * 40 < all, "{name} in {D}D: {bad} of {all} slopes are off");
}

#[test]
fn gradient_is_the_derivative() {
    for (name, noise) in worlds() {
        slopes_are_derivatives::<1>(name, &noise);
        slopes_are_derivatives::<2>(name, &noise);
        slopes_are_derivatives::<3>(name, &noise);
    }
}
