//! What the crate promises beyond its formulas.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]
#![allow(clippy::disallowed_methods, reason = "pictures and tests make no worlds")]

use crate::common::worlds;
use terrain_noise::prelude::*;

/// Heights along x at a distance from the origin.
fn profile(sampler: &Sampler, from: f64) -> Vec<f32> {
    (0..4000).map(|i| sampler.sample([from + f64::from(i), -from])).collect()
}

/// The mean and the largest step between neighbours.
fn steps(heights: &[f32]) -> (f64, f64) {
    let steps = heights.windows(2).map(|pair| f64::from((pair[1] - pair[0]).abs()));
    (steps.clone().sum::<f64>() / (heights.len() - 1) as f64, steps.fold(0.0, f64::max))
}

#[test]
fn far_lands_are_as_smooth_as_the_origin() {
    for noise in [perlin().fbm(), value().fbm(), simplex().fbm(), cellular(CellOutput::F1).fbm()] {
        let sampler = noise.feature_size(600.0).octaves(6).build(1).unwrap();
        let (mean, most) = steps(&profile(&sampler, 0.0));
        for from in [1e6, 1e9, -1e9, 1e12] {
            let (far_mean, far_most) = steps(&profile(&sampler, from));
            assert!((0.5..2.0).contains(&(far_mean / mean)) && far_most < 2.0 * most, "{from}: {far_mean} {mean}");
        }
    }
}

#[test]
fn a_finer_step_far_out_changes_less() {
    // Where precision is lost, heights move in jumps: a tenth of the step still gives the jump.
    let sampler = perlin().fbm().feature_size(600.0).octaves(8).build(1).unwrap();
    for from in [0.0, 1e9] {
        let size = |step: f64| {
            let heights: Vec<_> = (0..2000).map(|i| sampler.sample([from + f64::from(i) * step, from])).collect();
            steps(&heights).1
        };
        assert!(size(0.1) < 0.2 * size(1.0), "{from}");
    }
}

#[test]
fn nothing_repeats() {
    let sampler = value().feature_size(1.0).build(1).unwrap();
    let row = |from: f64| -> Vec<_> { (0..64).map(|i| sampler.sample([from + f64::from(i), 0.5])).collect() };
    let here = row(0.5);
    for period in [256.0, 65_536.0, 4_294_967_296.0, 1_099_511_627_776.0] {
        assert_ne!(row(0.5 + period), here, "{period}");
    }
}

#[test]
fn coarse_grids_hit_the_points_of_fine_ones() {
    for (name, noise) in worlds() {
        let sampler = noise.build(4).expect(name);
        let fine = Grid { start: [-34, 6], spacing: 1.5, size: [33, 33], footprint: 0.0 };
        let coarse = Grid { start: [-17, 3], spacing: 3.0, size: [17, 17], footprint: 0.0 };
        let [mut a, mut b] = [vec![0.0; fine.len()], vec![0.0; coarse.len()]];
        let mut scratch = Scratch::default();
        sampler.fill(&fine, &mut scratch, &mut a);
        sampler.fill(&coarse, &mut scratch, &mut b);
        for j in 0..17 {
            for i in 0..17 {
                assert_eq!(b[j * 17 + i].to_bits(), a[2 * j * 33 + 2 * i].to_bits(), "{name} {i} {j}");
            }
        }
    }
}

#[test]
fn tiles_repeat_exactly() {
    for single in [
        value(),
        smoothed_value(),
        cubic_value(Cubic::CatmullRom),
        perlin(),
        perlin().lattice(Lattice::Permutation),
        cellular(CellOutput::F2),
        simplex(),
    ] {
        let fractal = single.clone().feature_size(8.0).period_3d([3, 2, 5]).fbm().octaves(4).build(9).unwrap();
        let free = single.feature_size(8.0).fbm().octaves(4).build(9).unwrap();
        let mut differs = false;
        for k in 0..300 {
            // Quarters are exact, so that the shift by a period is too.
            let at: [f64; 3] = std::array::from_fn(|axis| f64::from(k * [1, 5, 11][axis] % 371) * 0.25 - 40.0);
            let there = [at[0] + 24.0, at[1] - 16.0, at[2] + 80.0];
            assert_eq!(fractal.sample_3d(at), fractal.sample_3d(there), "{at:?}");
            let (flat, moved) = ([at[0], at[2]], [at[0] - 48.0, at[2] + 40.0]);
            assert_eq!(fractal.sample(flat), fractal.sample(moved), "{flat:?}");
            assert_eq!(fractal.sample_1d(at[0]), fractal.sample_1d(there[0]));
            differs |= free.sample(flat) != free.sample(moved);
        }
        assert!(differs, "without a period nothing repeats");
    }
}

#[test]
fn filtering_removes_detail_and_keeps_the_mean() {
    for noise in [perlin().fbm(), perlin().ridged(), perlin().ridged_multifractal(), perlin().hybrid_multifractal()] {
        let sampler = noise.clone().feature_size(1000.0).octaves(10).build(1).unwrap();
        let mean = |footprint: f64| {
            let points = (0..20_000).map(|i| [f64::from(i % 141) * 711.3, f64::from(i / 141) * 633.7]);
            points.map(|at| f64::from(sampler.sample_filtered(at, footprint))).sum::<f64>() / 20_000.0
        };
        let full = mean(0.0);
        let spread = f64::from(sampler.bounds().max - sampler.bounds().min);
        for footprint in [4.0, 30.0, 120.0] {
            let filtered = mean(footprint);
            assert!((filtered - full).abs() < 0.02 * spread, "{:?} {footprint}: {filtered} {full}", noise.kind);
        }
        // Nothing is left of octaves shorter than two footprints, whose mean is 0.
        let kind = noise.kind;
        let coarse = noise.feature_size(1000.0).octaves(3).build(1).unwrap();
        if kind == FractalKind::Fbm {
            let at = [123.0, 456.0];
            assert_eq!(sampler.sample_filtered(at, 62.5), coarse.sample_filtered(at, 62.5));
        }
    }
}

#[test]
fn filtering_is_continuous_in_the_footprint() {
    for (name, noise) in worlds() {
        let sampler = noise.build(4).expect(name);
        let spread = sampler.bounds().max - sampler.bounds().min;
        let mut last = sampler.sample_filtered([12.3, 45.6], 0.1);
        for step in 1..4000 {
            let now = sampler.sample_filtered([12.3, 45.6], 0.1 * 1.003f64.powi(step));
            assert!((now - last).abs() < 0.05 * spread, "{name} {step}: {last} {now}");
            last = now;
        }
    }
}

#[test]
fn any_number_is_a_coordinate() {
    for (name, noise) in worlds() {
        let sampler = noise.build(4).expect(name);
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1e300, -1e18, f64::MIN_POSITIVE] {
            for at in [[x, 0.5], [0.5, x], [x, x]] {
                let value = sampler.sample(at);
                let swirls = name == "swirl" || name.contains("turned") || name == "transform";
                assert!(sampler.bounds().contains(value) || (swirls && value.is_finite()), "{name} {at:?} {value}");
            }
        }
    }
}

#[test]
fn a_wrap_does_not_change_the_seed_and_operands_do() {
    let hills = || perlin().fbm().feature_size(50.0);
    let at = [12.3, 45.6];
    let plain = hills().build(1).unwrap().sample(at);
    assert_eq!(hills().offset(5.0).build(1).unwrap().sample(at), plain + 5.0);
    assert_eq!(hills().add(0.0).build(1).unwrap().sample(at), plain);
    assert_ne!(hills().add(hills()).build(1).unwrap().sample(at), plain + plain);
    assert_ne!(hills().build(2).unwrap().sample(at), plain);
    assert_ne!(hills().seed(1).build(1).unwrap().sample(at), plain);
}

#[test]
fn the_same_noise_is_told_in_the_same_words() {
    // By these the plugin knows that land is what it was, and leaves plants where they are.
    for (name, noise) in worlds() {
        let told = |seed| format!("{:?}", noise.build(seed).expect(name));
        assert_eq!(told(4), told(4), "{name}");
        assert_ne!(told(4), told(5), "{name}");
    }
}

#[test]
fn bias_and_gain_follow_their_definition() {
    let base = || value().feature_size(50.0).range(0.0, 1.0);
    let at = |noise: Noise, k: i32| f64::from(noise.build(1).unwrap().sample([f64::from(k) * 7.7, 3.0]));
    let bias = |t: f64, b: f64| t.powf(b.ln() / 0.5f64.ln());
    for k in 0..50 {
        let t = at(base(), k);
        assert!((at(base().bias(0.5), k) - t).abs() < 1e-5);
        assert!((at(base().gain(0.5), k) - t).abs() < 1e-5);
        for amount in [0.2, 0.7] {
            assert!((at(base().bias(amount), k) - bias(t, amount)).abs() < 1e-5);
            let gain =
                if t < 0.5 { bias(2.0 * t, 1.0 - amount) / 2.0 } else { 1.0 - bias(2.0 - 2.0 * t, 1.0 - amount) / 2.0 };
            assert!((at(base().gain(amount), k) - gain).abs() < 1e-5);
        }
    }
}

#[test]
fn printed_products_collapse_and_musgraves_do_not() {
    let spread = |noise: Noise| {
        let sampler = noise.build(1).unwrap();
        let heights = profile(&sampler, 0.0);
        let bounds = heights.iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)));
        bounds.1 - bounds.0
    };
    assert!(spread(perlin().printed_multifractal().octaves(12).into()) < 1e-3);
    assert!(spread(perlin().printed_ridged_multifractal().octaves(12).into()) < 1e-3);
    assert!(spread(perlin().multifractal().octaves(12).into()) > 0.5);
    assert!(spread(perlin().ridged_multifractal().octaves(12).into()) > 0.5);
}

#[cfg(feature = "rayon")]
#[test]
fn threads_do_not_change_a_bit() {
    for (name, noise) in worlds() {
        let sampler = noise.build(4).expect(name);
        let grid = Grid::new([-50, 1000], 2.5, [77, 301]);
        let [mut one, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
        let bounds = sampler.fill_with_gradient(&grid, &mut Scratch::default(), &mut one, &mut dx, &mut dz);
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let [mut many, mut again, mut mx, mut mz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
            pool.install(|| {
                assert_eq!(sampler.fill_parallel(&grid, &mut many), bounds);
                assert_eq!(sampler.fill_with_gradient_parallel(&grid, &mut again, &mut mx, &mut mz), bounds);
            });
            assert!(one == many && one == again && dx == mx && dz == mz, "{name}, {threads} threads");
        }
    }
}
