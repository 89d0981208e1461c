//! Settings and places at the edge of sense: what is allowed gives numbers that mean something.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use crate::common::worlds;
use terrain_noise::{ClassicPerlin, Damped, Permutation, prelude::*};

/// Trees of one height everywhere.
fn flats() -> [(&'static str, Noise); 4] {
    [
        ("constant", constant(5.0)),
        ("scaled to nothing", perlin().scale(0.0)),
        ("raised", constant(5.0).offset(0.1).scale(3.0)),
        ("clamped", perlin().scale(9.0).clamp(20.0, 20.5).clamp(30.0, 31.0)),
    ]
}

#[test]
fn a_range_over_a_constant_is_its_middle() {
    for (name, flat) in flats() {
        let land = flat.range(-10.0, 30.0).build(1).unwrap();
        let height = land.sample([3.0, 4.0]);
        assert!((height - 10.0).abs() < 1e-3, "{name}: {height}");
        assert!(land.bounds().contains(height) && land.bounds().max - land.bounds().min < 1.0, "{name}");
        assert_eq!(land.sample_with_gradient([3.0, 4.0], 0.0).gradient, [0.0; 2], "{name}");
    }
}

#[test]
fn a_range_holds_what_it_says_of_faint_and_of_high_sources() {
    for (name, noise) in [
        ("faint", perlin().feature_size(9.0).scale(1e-9).scale(1e-9)),
        ("high", perlin().feature_size(9.0).offset(1e3)),
    ] {
        let land = noise.range(-10.0, 30.0).build(1).unwrap();
        let heights = (0..500).map(|i| land.sample([f64::from(i) * 1.3, 0.5]));
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), h| (low.min(h), high.max(h)));
        assert!(low >= -10.01 && high <= 30.01 && high - low > 15.0, "{name}: {low} to {high}");
    }
}

#[test]
fn a_curve_over_huge_heights_is_a_number() {
    let huge = || perlin().feature_size(9.0).scale(1e9).scale(1e9).scale(1e9);
    let points = [[-1.0, -20.0], [0.0, 5.0], [1.0, 20.0]];
    for (name, noise) in [("level", huge().scale(1e9).curve(points)), ("straight", huge().through(points))] {
        let land = noise.build(1).unwrap();
        let grid = Grid::new([-40, 3], 1.7, [50, 3]);
        let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
        land.fill_with_gradient(&grid, &mut Scratch::default(), &mut heights, &mut dx, &mut dz);
        for (i, height) in heights.iter().enumerate() {
            assert!(land.bounds().contains(*height) && dx[i].is_finite() && dz[i].is_finite(), "{name}: {height}");
            let point = land.sample_filtered([grid.x(i % 50), grid.z(i / 50)], 1.7);
            assert_eq!(point.to_bits(), height.to_bits(), "{name}");
        }
    }
}

#[test]
fn dimensions_that_do_not_exist_give_0() {
    for (name, noise) in worlds() {
        let land = noise.build(1).unwrap();
        assert_eq!(land.sample_jet([1.5; 4], 0.0).value, 0.0, "{name}");
        assert_eq!(land.sample_jet([1.5; 7], 0.0).gradient, [0.0; 7], "{name}");
        assert_eq!(land.sample_jet([], 0.0).value, 0.0, "{name}");
    }
}

#[test]
fn classic_perlin_gives_a_number_for_any_arguments() {
    let noise = ClassicPerlin::new(Permutation::classic(123_456));
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1e300] {
        for value in [noise.sample([x]), noise.sample([x, 0.5]), noise.sample([0.5, x, x])] {
            assert!((-0.5..=1.5).contains(&value), "{x}: {value}");
        }
        assert!(noise.octaves([0.3, x], 4, 0.5).is_finite(), "{x}");
    }
    assert_eq!(noise.octaves([3.25], 0, 0.5), 0.5);
    for (octaves, persistence) in
        [(u32::MAX, 0.5), (9, f64::NAN), (9, f64::INFINITY), (9, -1.0), (2, -1.0), (40, 1e300)]
    {
        let value = noise.octaves([3.3, 7.7], octaves, persistence);
        assert!((-0.5..=1.5).contains(&value), "{octaves} octaves, persistence {persistence}: {value}");
    }
    assert_eq!((noise.sample([0.5; 5]), noise.sample([])), (0.5, 0.5));
}

/// Valid trees whose slopes leave what 32 bits hold somewhere on the way.
fn steep() -> Vec<(&'static str, Noise)> {
    let fine = || perlin().fbm().octaves(32).lacunarity(16.0).persistence(1.0).feature_size(0.001);
    let high = || perlin().feature_size(0.001).scale(1e9).scale(1e9).scale(1e9).scale(1e9);
    let hills = || perlin().feature_size(300.0).scale(40.0);
    vec![
        ("fine", fine().into()),
        ("fine, scaled and times 0", fine().scale(1e9).scale(100.0).mul(0.0)),
        ("high and times 0, and hills", high().mul(0.0).add(hills())),
        ("high, clamped", high().clamp(-5.0, 5.0)),
        ("warped by what is fine", hills().warp(fine(), 1e-3)),
        ("damped", Damped { octaves: 24, lacunarity: 16.0, ..perlin().feature_size(0.001).damped() }.into()),
    ]
}

#[test]
fn slopes_of_valid_settings_are_numbers() {
    for (name, noise) in steep() {
        let land = noise.build(1).unwrap();
        let grid = Grid { footprint: 0.0, ..Grid::new([-9, 3], 0.37, [40, 3]) };
        let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
        land.fill_with_gradient(&grid, &mut Scratch::default(), &mut heights, &mut dx, &mut dz);
        for i in 0..grid.len() {
            let at = [grid.x(i % 40), grid.z(i / 40)];
            let point = land.sample_with_gradient(at, 0.0);
            assert!(dx[i].is_finite() && dz[i].is_finite(), "{name}, grid: {} {}", dx[i], dz[i]);
            assert_eq!(point.gradient, [dx[i], dz[i]], "{name}");
            let others = (land.sample_jet([at[0]], 0.0).gradient, land.sample_jet([at[0], 0.3, at[1]], 0.0).gradient);
            assert!(others.0.iter().chain(&others.1).all(|slope| slope.is_finite()), "{name}: {others:?}");
        }
    }
}

#[test]
fn what_is_steep_beside_them_does_not_hide_the_slopes_of_hills() {
    let hills = perlin().feature_size(300.0).scale(40.0).build(1).unwrap();
    let beside = steep().swap_remove(2).1.build(1).unwrap();
    // The second operand of a sum has another seed: compare with its own differences.
    for i in 0..50 {
        let at = [f64::from(i) * 17.3, 40.7];
        let slope = |sampler: &Sampler| {
            f64::from(sampler.sample([at[0] + 1.0, at[1]]) - sampler.sample([at[0] - 1.0, at[1]])) / 2.0
        };
        let found = f64::from(beside.sample_with_gradient(at, 0.0).gradient[0]);
        assert!((found - slope(&beside)).abs() < 0.02, "{found} {}", slope(&beside));
        assert!((f64::from(hills.sample_with_gradient(at, 0.0).gradient[0]) - slope(&hills)).abs() < 0.01);
    }
}

#[test]
fn infinitely_far_grids_and_points_agree() {
    let further = [
        ("moved", perlin().fbm().feature_size(300.0).translate(5.0, 6.0).stretch(2.0, 3.0)),
        ("enlarged", value().fbm().feature_size(300.0).enlarge(1e6).enlarge(1e6)),
        ("shrunk and turned", simplex().fbm().feature_size(300.0).enlarge(1e-6).rotate(30.0)),
        ("gullies", perlin().feature_size(900.0).scale(90.0).stretch(2.0, 1.0).gullies(20.0, 90.0).into()),
    ];
    for (name, noise) in worlds().into_iter().chain(further) {
        let land = noise.build(4).unwrap();
        for spacing in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, 1e300] {
            for (start, footprint) in [([-2, 5], 0.0), ([0, 0], 3.0), ([1 << 40, -3], 0.0)] {
                let grid = Grid { start, spacing, size: [19, 3], footprint };
                let [mut heights, mut again, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
                let mut scratch = Scratch::default();
                land.fill(&grid, &mut scratch, &mut heights);
                land.fill_with_gradient(&grid, &mut scratch, &mut again, &mut dx, &mut dz);
                for i in 0..grid.len() {
                    let at = [grid.x(i % 19), grid.z(i / 19)];
                    let point = land.sample_with_gradient(at, footprint);
                    let plain = land.sample_filtered(at, footprint);
                    let found = [heights[i], again[i], dx[i], dz[i]];
                    let expected = [plain, point.value, point.gradient[0], point.gradient[1]];
                    assert_eq!(found, expected, "{name} {at:?}");
                    assert!(found.iter().all(|x| x.is_finite()), "{name} {at:?}: {found:?}");
                }
            }
        }
    }
}
