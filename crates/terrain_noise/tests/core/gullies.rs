//! Gullies see their land through a lattice: nothing of it may show.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use terrain_noise::Instructions;
use terrain_noise::prelude::*;

const FEATURE: f64 = 400.0;
/// The spacing of the lattice: 0.57 of a fifth of a feature.
const SPACING: f64 = 0.57 * 0.2 * FEATURE;

fn land() -> Sampler {
    let hills = perlin().fbm().octaves(3).feature_size(2600.0).scale(500.0);
    Noise::from(hills.gullies(60.0, FEATURE).octaves(3).low(-400.0).high(400.0)).build(5).unwrap()
}

fn heights(land: &Sampler, grid: &Grid) -> Vec<f32> {
    let mut heights = vec![0.0; grid.len()];
    land.fill(grid, &mut Scratch::default(), &mut heights);
    heights
}

/// The mean change of the curvature along x where the line `x = at` is crossed.
fn kink(land: &Sampler, at: f64) -> f64 {
    let step = 0.5;
    let slope = |x: f64, z: f64| f64::from(land.sample_with_gradient([x, z], 0.0).gradient[0]);
    let kinks = (0..400).map(|i| {
        let z = f64::from(i) * 17.3;
        let (before, after) = (slope(at, z) - slope(at - step, z), slope(at + step, z) - slope(at, z));
        ((after - before) / step).abs()
    });
    kinks.sum::<f64>() / 400.0
}

#[test]
fn lattice_lines_are_no_creases() {
    let land = land();
    let (mut on, mut between) = (0.0, 0.0);
    for line in 3..23 {
        on += kink(&land, f64::from(line) * SPACING);
        between += kink(&land, (f64::from(line) + 0.37) * SPACING);
    }
    assert!(on < 1.25 * between, "on lines {on}, between them {between}");
}

#[test]
fn grids_that_overlap_agree_wherever_they_start() {
    let land = land();
    for spacing in [0.5, 1.0, 7.3, 64.0, 333.0] {
        for origin in [[0, 0], [-1_000_003, 77], [1 << 40, -(1 << 40)]] {
            let all = Grid { start: origin, spacing, size: [90, 40], footprint: spacing };
            let whole = heights(&land, &all);
            for (by, size) in [([0, 0], [65, 33]), ([25, 7], [65, 33]), ([31, 39], [1, 1]), ([64, 3], [17, 30])] {
                let start = [origin[0] + by[0], origin[1] + by[1]];
                let part = heights(&land, &Grid { start, size, ..all });
                for (i, height) in part.iter().enumerate() {
                    let (x, z) = (i % size[0] + by[0] as usize, i / size[0] + by[1] as usize);
                    let there = whole[z * 90 + x];
                    assert_eq!(height.to_bits(), there.to_bits(), "{spacing} m, {origin:?}, {by:?}, {i}");
                }
            }
        }
    }
}

#[test]
fn grids_without_measure_take_neither_memory_nor_sense() {
    let land = land();
    for spacing in [1e4, 1e12, 1e300, f64::NAN, f64::INFINITY, -3.0, 0.0, 1e-300] {
        for footprint in [0.0, 1e-9, 1e12, f64::NAN, f64::INFINITY, -1.0] {
            let grid = Grid { start: [-9, 1 << 50], spacing, size: [20, 3], footprint };
            let found = heights(&land, &grid);
            for (i, height) in found.iter().enumerate() {
                let at = [grid.x(i % 20), grid.z(i / 20)];
                assert!(land.bounds().contains(*height), "{spacing}, {footprint}: {height}");
                let point = land.sample_filtered(at, footprint);
                assert_eq!(point.to_bits(), height.to_bits(), "{spacing}, {footprint}: {at:?}");
            }
        }
    }
}

#[test]
fn slopes_are_those_of_the_heights_down_to_the_finest_gully() {
    let land = land();
    let (mut wrong, mut all) = (0.0, 0.0);
    for i in 0..2000 {
        let at = [f64::from(i % 50) * 61.7, f64::from(i / 50) * 59.3];
        let found = land.sample_with_gradient(at, 0.0);
        for axis in 0..2 {
            let height = |by: f64| {
                let mut at = at;
                at[axis] += by;
                f64::from(land.sample(at))
            };
            let slope = (height(0.2) - height(-0.2)) / 0.4;
            wrong += (slope - f64::from(found.gradient[axis])).abs();
            all += slope.abs();
        }
    }
    assert!(wrong < 0.01 * all, "{wrong} of {all}");
}

/// On a thread that was asked for nothing before.
fn afresh<T: Send>(ask: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(ask).join().unwrap())
}

#[test]
fn what_was_asked_before_changes_no_height() {
    // Tiles of the lattice that share a place in memory are 128 cells apart. Lands of other seeds have them elsewhere,
    // and some at the same place; land below land has a lattice of its own.
    let far = 128.0 * SPACING;
    let hills = || perlin().fbm().octaves(3).feature_size(2600.0).scale(500.0);
    let carved = |seed| Noise::from(hills().gullies(60.0, FEATURE).octaves(2)).build(seed).unwrap();
    let mut lands: Vec<Sampler> = (0..70).map(carved).collect();
    lands.push(Noise::from(hills().gullies(90.0, FEATURE).gullies(30.0, 0.5 * FEATURE)).build(3).unwrap());
    let places: Vec<[f64; 2]> = (0..48)
        .map(|i| {
            let around = [f64::from(i * 7 % 11) * 13.0, f64::from(i * 5 % 13) * 19.0];
            let jump = [f64::from(i % 3) * far, f64::from(i / 3 % 3 - 1) * 2.0 * far];
            // On whole metres, where grids have points.
            [around[0] + jump[0] - 40.0, around[1] + jump[1] - 9e5].map(f64::round)
        })
        .collect();
    let footprints = [0.0, 0.7 * 0.2 * FEATURE, 0.9 * 0.2 * FEATURE, 300.0];
    let list = |land: &Sampler, places: &[[f64; 2]], footprint| {
        let mut heights = vec![0.0; places.len()];
        land.fill_points(places, footprint, &mut Scratch::default(), &mut heights);
        heights
    };
    for round in 0..3 {
        for (which, land) in lands.iter().enumerate() {
            let footprint = footprints[(which + round) % footprints.len()];
            let expected: Vec<f32> = afresh(|| list(land, &places, footprint));
            assert_eq!(list(land, &places, footprint), expected, "{which}, {footprint}");
            let few: Vec<f32> = places.chunks(5).flat_map(|places| list(land, places, footprint)).collect();
            assert_eq!(few, expected, "{which}, {footprint}");
            for set in Instructions::available() {
                let land = land.clone().with_instructions(set);
                assert_eq!(list(&land, &places, footprint), expected, "{which}, {footprint}, {set:?}");
            }
            for (&at, &height) in places.iter().zip(&expected) {
                assert_eq!(land.sample_filtered(at, footprint), height, "{which}, {footprint}: {at:?}");
                assert_eq!(land.sample_with_gradient(at, footprint).value, height, "{which}, {footprint}: {at:?}");
                let grid = Grid { footprint, ..Grid::new(at.map(|metres| metres as i64), 1.0, [1, 1]) };
                assert_eq!(heights(land, &grid), [height], "{which}, {footprint}: {at:?}");
            }
        }
    }
}
