//! Settings and places at the edge of sense: what is allowed gives numbers that mean something.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use terrain_noise::{ClassicPerlin, Permutation, prelude::*};

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
