//! What gullies take from the land and leave of it.
#![allow(clippy::unwrap_used, reason = "helpers of tests may stop too")]

use terrain_noise::{Gullies, prelude::*};

/// The side of a hill a thousand kilometres wide: for a few kilometres as good as a plane.
fn ramp(slope: f64) -> Noise {
    let size = 1e6;
    perlin().feature_size(size).scale(size * slope)
}

fn carved(source: Noise, change: impl FnOnce(&mut Gullies)) -> (Sampler, Sampler) {
    let mut noise = source.clone().gullies(40.0, 200.0);
    change(&mut noise);
    (source.build(3).unwrap(), noise.build(3).unwrap())
}

/// The mean and the mean square of what is added over a stretch of land.
fn added((land, carved): &(Sampler, Sampler), footprint: f64) -> (f64, f64) {
    let side = 120;
    let grid = Grid { start: [40, 90], spacing: 37.0, size: [side, side], footprint };
    let [mut before, mut after] = std::array::from_fn(|_| vec![0.0; grid.len()]);
    let mut scratch = Scratch::default();
    land.fill(&grid, &mut scratch, &mut before);
    carved.fill(&grid, &mut scratch, &mut after);
    let added: Vec<f64> = before.iter().zip(&after).map(|(a, b)| f64::from(b - a)).collect();
    let count = added.len() as f64;
    (added.iter().sum::<f64>() / count, added.iter().map(|a| a * a).sum::<f64>() / count)
}

#[test]
fn flat_ground_has_none_and_lies_at_its_level() {
    for (height, level) in [(-50.0, -1.0), (500.0, 0.0), (2000.0, 1.0)] {
        let worlds = carved(constant(height), |_| {});
        let (mean, square) = added(&worlds, 0.0);
        assert!((square - mean * mean).abs() < 1e-2, "{height}: {square} {mean}");
        // The half depths of five octaves.
        assert!((38.75 * level - mean).abs() < 1e-3, "{height}: {mean}");
    }
}

#[test]
fn steep_ground_is_carved_and_its_mean_stays() {
    for sharpness in [-0.8, 0.0, 0.8] {
        let worlds = carved(ramp(1.0), |node| {
            (node.low, node.high, node.sharpness) = (-1e9, 1e9, sharpness);
        });
        let (mean, square) = added(&worlds, 0.0);
        assert!(mean.abs() < 1.5 && square > 60.0, "{sharpness}: {mean} {square}");
    }
}

#[test]
fn what_is_too_fine_to_be_seen_keeps_its_mean() {
    let hills = perlin().fbm().octaves(2).feature_size(2500.0).scale(700.0);
    for rounding in [0.0, 2.0] {
        let worlds = carved(hills.clone(), |node| (node.low, node.high, node.rounding) = (-300.0, 300.0, rounding));
        let (near, rough) = added(&worlds, 0.0);
        let mut before = rough;
        for footprint in [20.0, 40.0, 80.0, 150.0] {
            let (mean, square) = added(&worlds, footprint);
            assert!((mean - near).abs() < 1.2, "{rounding}, {footprint}: {mean}, near {near}");
            assert!(square < before * 1.01, "{rounding}, {footprint}: {square} {before}");
            before = square;
        }
        assert!(before < 0.8 * rough, "{rounding}: {before} {rough}");
    }
}

#[test]
fn gullies_run_down_the_slope() {
    // Along the slope heights change less than across it.
    let (land, carved) = carved(ramp(1.0), |node| (node.octaves, node.low, node.high) = (1, -1e9, 1e9));
    let (mut along, mut across) = (0.0, 0.0);
    for i in 0..900 {
        let at = [f64::from(i % 30) * 170.0 + 9e4, f64::from(i / 30) * 170.0 + 4e4];
        let slope = land.sample_with_gradient(at, 0.0).gradient;
        let carved = carved.sample_with_gradient(at, 0.0).gradient;
        let own = [carved[0] - slope[0], carved[1] - slope[1]];
        let length = (slope[0] * slope[0] + slope[1] * slope[1]).sqrt();
        along += ((own[0] * slope[0] + own[1] * slope[1]) / length).abs();
        across += ((own[0] * slope[1] - own[1] * slope[0]) / length).abs();
    }
    assert!(across > 3.0 * along, "{across} {along}");
}
