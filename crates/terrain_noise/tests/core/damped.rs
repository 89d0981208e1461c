//! Damped octaves: in every dimension, with slopes that are those of the heights.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use terrain_noise::{Damped, prelude::*};

fn kinds(octaves: u32) -> [(&'static str, Damped); 5] {
    let plain = || Damped { octaves, rotation: 37.0, ..perlin().feature_size(1000.0).damped() };
    [
        ("rolling", plain()),
        ("along the grid", Damped { rotation: 0.0, ..plain() }),
        ("ridged", Damped { ridges: 0.8, ..plain() }),
        ("warped", Damped { warp: 0.08, ridges: 0.4, ..plain() }),
        ("simplex, steeply damped", Damped { damping: 1.0, basis: Basis::Simplex, ..plain() }),
    ]
}

#[test]
fn damped_octaves_are_there_on_lines_and_in_space() {
    for (name, noise) in kinds(9) {
        let land = Noise::from(noise).build(1).unwrap();
        let at = |i: i32| f64::from(i) * 37.7;
        let spread = |heights: Vec<f32>| {
            assert!(heights.iter().all(|&height| land.bounds().contains(height)), "{name}");
            let (low, high) = heights.iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)));
            high - low
        };
        let line = spread((0..2000).map(|i| land.sample_1d(at(i))).collect());
        let space = spread((0..2000).map(|i| land.sample_3d([at(i), -0.3 * at(i), 7.0])).collect());
        assert!(line > 0.7 && space > 0.7, "{name}: {line} on a line, {space} in space");
    }
}

/// The mean difference of slopes from central differences of the heights `step` apart, as a part of the mean
/// slope, and how many slopes could be judged: over a crease there is no difference.
fn off<const D: usize>(land: &Sampler, step: f64) -> (f64, usize) {
    let mut judged = Vec::new();
    for i in 0..400 {
        let at: [f64; D] = std::array::from_fn(|axis| f64::from(i) * [37.31, -11.9, 23.1][axis] + 0.123);
        let jet = land.sample_jet(at, 0.0);
        for axis in 0..D {
            let height = |by: f64| {
                let mut at = at;
                at[axis] += by;
                f64::from(land.sample_jet(at, 0.0).value)
            };
            // Of the fourth order: the step may be long enough for what 32 bits round.
            let near = (height(step) - height(-step)) / (2.0 * step);
            let far = (height(2.0 * step) - height(-2.0 * step)) / (4.0 * step);
            judged.push(((4.0 * near - far) / 3.0, (near - far).abs(), f64::from(jet.gradient[axis])));
        }
    }
    let mean = judged.iter().map(|(slope, ..)| slope.abs()).sum::<f64>() / judged.len() as f64;
    judged.retain(|&(_, doubt, _)| doubt < 0.1 * mean);
    let wrong = judged.iter().map(|(slope, _, found)| (slope - found).abs()).sum::<f64>() / judged.len() as f64;
    (wrong / mean, judged.len() * 100 / (400 * D))
}

#[test]
fn damped_slopes_are_the_derivative_however_many_octaves() {
    for octaves in [1, 4, 9, 12] {
        // A 24th of the finest wavelength.
        let step = 1000.0 / f64::from(1 << (octaves - 1)) / 24.0;
        for (name, noise) in kinds(octaves) {
            let land = Noise::from(noise).build(1).unwrap();
            let off = [off::<1>(&land, step), off::<2>(&land, step), off::<3>(&land, step)];
            println!("{octaves} octaves, {name}: {off:.4?}");
            assert!(off.iter().all(|&(off, judged)| off < 0.035 && judged > 60), "{octaves} octaves, {name}: {off:?}");
        }
    }
}

#[test]
fn damped_slopes_are_the_same_on_grids_and_at_points() {
    for (name, noise) in kinds(7) {
        let stretched = Noise::from(noise).rounded(1.0).stretch(1.5, 0.7);
        let warped = stretched.clone().warp(perlin().feature_size(400.0), 50.0);
        for (noise, footprint) in [(&stretched, 0.0), (&stretched, 4.0), (&warped, 0.0), (&warped, 4.0)] {
            let land = noise.build(1).unwrap();
            let grid = Grid { footprint, ..Grid::new([-70, 11], 3.3, [37, 5]) };
            let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
            land.fill_with_gradient(&grid, &mut Scratch::default(), &mut heights, &mut dx, &mut dz);
            for i in 0..grid.len() {
                let point = land.sample_with_gradient([grid.x(i % 37), grid.z(i / 37)], footprint);
                assert_eq!((point.value, point.gradient), (heights[i], [dx[i], dz[i]]), "{name}");
            }
        }
    }
}
