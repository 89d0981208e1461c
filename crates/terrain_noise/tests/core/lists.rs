//! A list of positions gives the bits that single points give, whatever the tree.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use crate::common::worlds;
use terrain_noise::Instructions;
use terrain_noise::prelude::*;

/// Positions around an origin, in no order.
fn around(origin: [f64; 2], reach: f64, count: usize) -> Vec<[f64; 2]> {
    let part = |i: usize, by: usize| (i * by % 4099) as f64 / 4099.0 - 0.5;
    (0..count).map(|i| [origin[0] + part(i, 733) * reach, origin[1] + part(i, 197) * reach]).collect()
}

/// Lists of several lengths: near, far out, wide apart, and across borders of the lattice's windows.
fn lists() -> Vec<Vec<[f64; 2]>> {
    let border = f64::from(1 << 23) * 20.0;
    let odd = [f64::NAN, f64::INFINITY, -1e300, 1e18, 0.0, -0.0, f64::MIN_POSITIVE];
    vec![
        Vec::new(),
        vec![[12.5, -7.25]],
        around([0.0, 0.0], 300.0, 1100),
        around([1e9, -1e9], 300.0, 77),
        around([1e12, 3e11], 3e4, 17),
        around([0.0, 0.0], 1e13, 50),
        around([border, 0.0], 100.0, 40),
        around([-border, border], 100.0, 33),
        odd.iter().flat_map(|&x| odd.map(|z| [x, z])).collect(),
    ]
}

#[test]
fn a_list_equals_points() {
    let mut scratch = Scratch::default();
    for (name, noise) in worlds() {
        let best = noise.build(42).expect(name);
        for sampler in Instructions::available().map(|set| best.clone().with_instructions(set)) {
            for (list, footprint) in lists().into_iter().zip([0.0, 3.0].into_iter().cycle()) {
                let [mut heights, mut again, mut dx, mut dz] = std::array::from_fn(|_| vec![f32::NAN; list.len()]);
                let bounds = sampler.fill_points(&list, footprint, &mut scratch, &mut heights);
                let same =
                    sampler.fill_points_with_gradient(&list, footprint, &mut scratch, &mut again, &mut dx, &mut dz);
                assert_eq!(bounds, same, "{name}");
                let mut seen = Bounds::EMPTY;
                for (i, &at) in list.iter().enumerate() {
                    let jet = sampler.sample_with_gradient(at, footprint);
                    let point = sampler.sample_filtered(at, footprint);
                    assert_eq!(heights[i].to_bits(), point.to_bits(), "{name} {at:?}");
                    assert_eq!(again[i].to_bits(), jet.value.to_bits(), "{name} {at:?}");
                    assert_eq!([dx[i], dz[i]], jet.gradient, "{name} {at:?}");
                    seen = seen.union(Bounds { min: point, max: point });
                }
                assert_eq!(bounds, seen, "{name}");
            }
        }
    }
}

#[test]
fn grids_across_borders_of_windows_equal_points() {
    // Octaves of 20, 10, 5 and 2.5 m: their windows end at ±2²³ cells.
    let mut scratch = Scratch::default();
    for noise in [perlin(), value(), simplex()] {
        for spacing in [1.0, 0.3, 7.0] {
            let land = noise.clone().fbm().octaves(4).feature_size(20.0).build(5).unwrap();
            for cells in [20.0, 10.0, 5.0, 2.5, -20.0, -5.0] {
                let start = (f64::from(1 << 23) * cells / spacing) as i64 - 9;
                let grid = Grid { footprint: 0.0, ..Grid::new([start, 18 - start], spacing, [37, 21]) };
                let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
                land.fill_with_gradient(&grid, &mut scratch, &mut heights, &mut dx, &mut dz);
                for i in 0..grid.len() {
                    let jet = land.sample_with_gradient([grid.x(i % 37), grid.z(i / 37)], 0.0);
                    assert_eq!(heights[i].to_bits(), jet.value.to_bits(), "{spacing} {cells} {i}");
                    assert_eq!([dx[i], dz[i]], jet.gradient, "{spacing} {cells} {i}");
                }
                // No seam: neighbours across the border differ as little as elsewhere.
                if spacing < 0.5 {
                    let steps = heights.chunks(37).flat_map(|row| row.windows(2)).map(|pair| (pair[1] - pair[0]).abs());
                    assert!(steps.fold(0.0, f32::max) < 0.9, "{cells}");
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "one place a position")]
fn slices_of_another_length_are_refused() {
    let land = perlin().feature_size(9.0).build(1).unwrap();
    land.fill_points(&[[0.0; 2]; 3], 0.0, &mut Scratch::default(), &mut [0.0; 2]);
}
