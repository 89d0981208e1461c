//! Random trees: valid ones keep every promise, invalid ones are refused in words.
#![cfg(feature = "file")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use proptest::prelude::*;
use terrain_noise::{Curve, CurveEnds, Damped, Operand, Shore, Single, prelude::*};

fn fade() -> impl Strategy<Value = Fade> {
    prop_oneof![Just(Fade::Linear), Just(Fade::Cosine), Just(Fade::Smoothstep), Just(Fade::Quintic)]
}

fn lattice() -> impl Strategy<Value = Lattice> {
    prop_oneof![
        4 => Just(Lattice::Hashed),
        1 => Just(Lattice::IntNoise),
        1 => Just(Lattice::ClassicTable),
        1 => Just(Lattice::Permutation)
    ]
}

/// One octave, with features of at least `finest` metres.
fn single(finest: f64) -> impl Strategy<Value = Single> {
    let cubic = prop_oneof![Just(Cubic::Lagrange), Just(Cubic::Elias), Just(Cubic::CatmullRom)];
    let output = prop_oneof![
        Just(CellOutput::F1),
        Just(CellOutput::F2),
        Just(CellOutput::F2MinusF1),
        Just(CellOutput::CellValue)
    ];
    let basis = prop_oneof![
        (fade(), lattice()).prop_map(|(fade, lattice)| Basis::Value { fade, lattice }),
        (fade(), lattice()).prop_map(|(fade, lattice)| Basis::SmoothedValue { fade, lattice }),
        (cubic, lattice()).prop_map(|(cubic, lattice)| Basis::CubicValue { cubic, lattice }),
        (fade(), lattice()).prop_map(|(fade, lattice)| Basis::Perlin { fade, lattice }),
        Just(Basis::ClassicPerlin),
        Just(Basis::Simplex),
        (output, 0.0..=1.0).prop_map(|(output, jitter)| Basis::Cellular { output, jitter }),
    ];
    let period = prop_oneof![3 => Just([0; 3]), 1 => [0u32..20, 0u32..20, 0u32..20]];
    (basis, finest..3000.0, any::<u64>(), period).prop_map(|(basis, feature_size, seed, period)| {
        let single = Single { basis, feature_size, seed, ..Single::default() };
        let times = if basis == Basis::ClassicPerlin { 256 } else { 1 };
        single.period_3d(period.map(|cells| cells * times))
    })
}

fn rounding() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 1 => 0.0..8.0f64]
}

fn fractal(finest: f64, octaves: u32) -> impl Strategy<Value = Fractal> {
    let kind = prop_oneof![
        Just(FractalKind::Fbm),
        Just(FractalKind::Billow),
        Just(FractalKind::Ridged),
        Just(FractalKind::Multifractal),
        Just(FractalKind::PrintedMultifractal),
        Just(FractalKind::RidgedMultifractal),
        Just(FractalKind::PrintedRidgedMultifractal),
        Just(FractalKind::HybridMultifractal),
    ];
    let turn = prop_oneof![3 => Just(0.0), 1 => -360.0..=360.0f64];
    let shape = (-1.0f64..1.5, 0.0f64..3.0, rounding());
    (single(finest), kind, 1..=octaves, 1.5f64..3.0, 0.1f64..1.0, shape, turn).prop_map(
        |(single, kind, octaves, lacunarity, persistence, (offset, gain, rounding), rotation)| {
            let tiles = [single.period_x, single.period_y, single.period_z] != [0; 3];
            // Octaves tile together only where each period is a whole number of the next.
            let (lacunarity, rotation) = if tiles { (lacunarity.round(), 0.0) } else { (lacunarity, rotation) };
            let fractal = single.fbm().octaves(octaves).lacunarity(lacunarity).persistence(persistence);
            Fractal { kind, offset, gain, rotation, rounding, ..fractal }
        },
    )
}

fn tree(finest: f64, octaves: u32) -> impl Strategy<Value = Noise> {
    let leaf = prop_oneof![
        1 => (-100.0..100.0f64).prop_map(constant),
        2 => single(finest).prop_map(Noise::from),
        5 => fractal(finest, octaves).prop_map(Noise::from),
        1 => (finest..900.0, 0.1..0.9f64, -180.0..180.0f64).prop_map(|(metres, slip, wind)| {
            dunes(metres).slip(slip).wind(wind).into()
        }),
        1 => (single(4.0 * finest), 1..octaves, 0.0..3.0f64, 0.0..1.0f64, -0.1..0.1f64, rounding()).prop_map(
            |(single, octaves, damping, ridges, warp, rounding)| {
                Damped { octaves, damping, ridges, warp, rounding, ..single.damped() }.into()
            }
        ),
        1 => (single(finest), 1.0..90.0f64, 1.0..40.0f64, 16.0 * finest..16.0 * finest + 600.0).prop_map(|(single, height, depth, size)| {
            single.scale(height).gullies(depth, size).into()
        }),
        1 => (single(finest), -1.0..1.0f64, 16.0 * finest..16.0 * finest + 600.0).prop_map(|(single, sharpness, size)| {
            single.scale(70.0).gullies(30.0, size).sharpness(sharpness).rounding(2.0).into()
        }),
    ];
    // Slopes over steps that are lower than a difference's rise cannot be judged by differences.
    let lowest_step = 0.1f64.max(0.01 * finest);
    leaf.prop_recursive(5, 24, 3, move |inner| {
        let (a, b, c) = (inner.clone(), inner.clone(), inner.clone());
        let two = || (inner.clone(), inner.clone());
        prop_oneof![
            (a.clone(), -50.0..50.0f64, -50.0..50.0f64).prop_map(|(a, by, to)| a.scale(by).offset(to)),
            (a.clone(), -90.0..0.0f64, 1.0..90.0f64).prop_map(|(a, min, max)| a.range(min, max)),
            (a.clone(), -9.0..0.0f64, 1.0..9.0f64).prop_map(|(a, min, max)| a.clamp(min, max)),
            a.clone().prop_map(Compose::abs),
            (a.clone(), 0.05..0.95f64).prop_map(|(a, amount)| a.bias(amount)),
            (a.clone(), 0.05..0.95f64).prop_map(|(a, amount)| a.gain(amount)),
            (a.clone(), 0.3..4.0f64).prop_map(|(a, exponent)| a.power(exponent)),
            (a.clone(), lowest_step..9.0f64, 0.0..1.0f64).prop_map(|(a, step, sharpness)| a.terrace(step, sharpness)),
            (a.clone(), -2.0..0.0f64, 0.1..3.0f64, -4.0..4.0f64).prop_map(|(a, x, width, y)| a.curve([
                [x, y],
                [x + width, 0.5],
                [x + width * 2.0, -y]
            ])),
            (a.clone(), -2.0..2.0f64, 0.0..3.0f64, 0.0..3.0f64).prop_map(|(a, l, up, down)| a.shore(l, up, down)),
            (a.clone(), 0.2..5.0f64, 0.2..5.0f64, -180.0..180.0f64)
                .prop_map(|(a, x, z, turn)| a.stretch(x, z).rotate(turn).translate(x * 100.0, -z)),
            (a.clone(), 0.2..5.0f64, 0.2..5.0f64).prop_map(|(a, x, z)| a.stretch(x, z)),
            (two(), 0.0..300.0f64).prop_map(|((a, by), amount)| a.warp(by, amount)),
            (two(), -1.0..1.0f64).prop_map(|((a, by), angle)| a.swirl(by, angle)),
            two().prop_map(|(a, b)| a.add(b)),
            two().prop_map(|(a, b)| a.mul(b)),
            (two(), lowest_step..9.0f64, 0.0..1.0f64)
                .prop_map(|((a, b), step, sharpness)| a.strata(step, sharpness, b).into()),
            (two(), -9.0..0.0f64, 0.1..9.0f64).prop_map(|((a, b), low, high)| a.add_above(b, low, high)),
            two().prop_map(|(a, b)| a.min(b)),
            two().prop_map(|(a, b)| a.max(b)),
            (two(), 0.1..9.0f64).prop_map(|((a, b), radius)| a.smooth_min(b, radius)),
            (two(), 0.1..9.0f64).prop_map(|((a, b), radius)| a.smooth_max(b, radius)),
            (a, b, c).prop_map(|(a, b, mask)| a.blend(b, mask)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_are_finite_bounded_and_the_same_everywhere(
        noise in tree(0.5, 7),
        seed: u64,
        start in [-1_000_000_000i64..1_000_000_000, -1000i64..1000],
        spacing in 0.01f64..200.0,
        size in [1usize..40, 1usize..12],
        filtered: bool,
    ) {
        let Ok(sampler) = noise.build(seed) else {
            // A product of products can leave what a number holds: refused, which is all it must be.
            return Ok(());
        };
        let footprint = if filtered { spacing } else { 0.0 };
        let grid = Grid { start, spacing, size, footprint };
        let mut scratch = Scratch::default();
        let [mut heights, mut again, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
        let bounds = sampler.fill(&grid, &mut scratch, &mut heights);
        prop_assert_eq!(sampler.fill_with_gradient(&grid, &mut scratch, &mut again, &mut dx, &mut dz), bounds);
        for (i, &height) in heights.iter().enumerate() {
            let at = [grid.x(i % size[0]), grid.z(i / size[0])];
            prop_assert!(height.is_finite() && sampler.bounds().contains(height), "{} {:?}", height, sampler.bounds());
            prop_assert_eq!(height.to_bits(), sampler.sample_filtered(at, footprint).to_bits());
            prop_assert_eq!(height.to_bits(), again[i].to_bits());
            prop_assert_eq!(sampler.sample_with_gradient(at, footprint).gradient, [dx[i], dz[i]]);
        }
        let space = sampler.sample_3d([start[0] as f64, spacing, start[1] as f64]);
        prop_assert!(sampler.bounds().contains(space) && sampler.bounds().contains(sampler.sample_1d(spacing)));
    }

    #[test]
    fn slopes_are_the_derivative(noise in tree(200.0, 3), seed: u64, from in [-2e3..2e3f64, -2e3..2e3f64, -2e3..2e3f64]) {
        let Ok(sampler) = noise.build(seed) else { return Ok(()) };
        for (dimensions, (off, usable)) in [
            (1, wrong_slopes(&sampler, [from[0]])),
            (2, wrong_slopes(&sampler, [from[0], from[1]])),
            (3, wrong_slopes(&sampler, from)),
        ] {
            prop_assert!(off * 10 <= usable + 20, "{}D: {} of {} slopes are off", dimensions, off, usable);
        }
    }

    #[test]
    fn values_in_every_dimension_are_bounded_and_come_with_their_slopes(
        noise in tree(0.5, 7),
        seed: u64,
        from in [-1e9..1e9f64, -1e3..1e3f64, -1e9..1e9f64],
        footprint in 0.0..20.0f64,
    ) {
        let Ok(sampler) = noise.build(seed) else { return Ok(()) };
        for k in 0..30 {
            let at = from.map(|x| x + f64::from(k) * 3.7);
            // With and without slopes, at a point and along a line: the same bits.
            let (line, ground, space) = (
                sampler.sample_jet([at[0]], 0.0),
                sampler.sample_jet([at[0], at[2]], footprint),
                sampler.sample_jet(at, 0.0),
            );
            prop_assert_eq!(line.value.to_bits(), sampler.sample_1d(at[0]).to_bits());
            prop_assert_eq!(ground.value.to_bits(), sampler.sample_filtered([at[0], at[2]], footprint).to_bits());
            prop_assert_eq!(space.value.to_bits(), sampler.sample_3d(at).to_bits());
            let values = [line.value, ground.value, space.value, sampler.sample_jet(at, footprint).value];
            prop_assert!(values.iter().all(|&value| sampler.bounds().contains(value)), "{:?}", values);
            let finite = |gradient: &[f32]| gradient.iter().all(|slope| slope.is_finite());
            prop_assert!(finite(&line.gradient) && finite(&ground.gradient) && finite(&space.gradient));
        }
    }

    #[test]
    fn files_give_back_the_tree(noise in tree(0.5, 7)) {
        let json = serde_json::to_string(&noise).unwrap();
        let read: Noise = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(&read.build(1).map(|s| s.sample([3.0, 4.0])), &noise.build(1).map(|s| s.sample([3.0, 4.0])));
        if noise.validate().is_ok() {
            prop_assert_eq!(from_ron(&to_ron(&noise).unwrap()).unwrap(), noise);
        }
    }

    #[test]
    fn one_bad_number_anywhere_is_refused_by_name(noise in tree(0.5, 7), which in 0usize..60, bad in 0usize..5) {
        let mut broken = noise;
        let mut left = which;
        let spoiled = spoil(&mut broken, &mut left, [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300][bad]);
        if let Some(name) = spoiled {
            let error = broken.build(1).expect_err("a bad number");
            prop_assert!(error.path.contains(name), "{} {}", error, name);
        }
    }

    #[test]
    fn text_never_ends_the_program(text in "\\PC*") {
        let _ = from_ron(&text);
        let _ = from_ron(&format!("(version: 1, noise: {text})"));
    }
}

/// How many of the slopes along a line through `from` are not the central difference, and how many
/// could be judged.
fn wrong_slopes<const D: usize>(sampler: &Sampler, from: [f64; D]) -> (i32, i32) {
    let reach = f64::from(sampler.bounds().max - sampler.bounds().min);
    // Offsets may have come and gone on the way.
    let rounding = 2e-6 * (200.0 + f64::from(sampler.bounds().max.abs().max(sampler.bounds().min.abs())));
    let (mut off, mut usable) = (0, 0);
    for k in 0..40 {
        let at: [f64; D] = std::array::from_fn(|axis| from[axis] + f64::from(k) * [37.3, -11.9, 23.1][axis]);
        let jet = sampler.sample_jet(at, 0.0);
        for axis in 0..D {
            let slope = |h: f64| {
                let ends = [-h, h].map(|h| {
                    let mut at = at;
                    at[axis] += h;
                    f64::from(sampler.sample_jet(at, 0.0).value)
                });
                (ends[1] - ends[0]) / (2.0 * h)
            };
            let (wide, narrow, narrowest) = (slope(0.3), slope(0.15), slope(0.03));
            let near = |a: f64, b: f64, share: f64| (a - b).abs() < share * b.abs() + 2e-4 * reach + rounding;
            // Creases, steps and what is finer than the difference cannot be judged.
            if near(wide, narrow, 0.03) && near(narrowest, narrow, 0.03) {
                usable += 1;
                off += i32::from(!near(f64::from(jet.gradient[axis]), narrow, 0.06));
            }
        }
    }
    (off, usable)
}

/// Overwrites the n-th real parameter of a tree, and says its name.
fn spoil(noise: &mut Noise, left: &mut usize, bad: f64) -> Option<&'static str> {
    let mut spoiled = None;
    noise.edit_params(|info, param| {
        if let terrain_noise::ParamMut::Number(number) = param {
            if *left == 0 && spoiled.is_none() {
                *number = bad;
                spoiled = Some(info.name);
            }
            *left = left.saturating_sub(1);
        }
    });
    if spoiled.is_some() {
        return spoiled;
    }
    noise.operands_mut().into_iter().find_map(|(_, operand)| spoil(operand, left, bad))
}

#[test]
fn trees_too_deep_or_costly_are_refused() {
    let mut deep = constant(1.0);
    for _ in 0..40 {
        deep = deep.abs();
    }
    assert!(deep.build(1).unwrap_err().to_string().contains("32 nodes deep"));
    let mut wide = constant(1.0);
    for _ in 0..11 {
        wide = wide.clone().add(wide);
    }
    assert!(wide.build(1).unwrap_err().to_string().contains("1024 nodes"));
    let mut costly: Noise = perlin().fbm().octaves(32).into();
    for _ in 0..6 {
        costly = perlin().warp(costly, 1.0);
    }
    assert!(costly.build(1).unwrap_err().to_string().contains("octaves a point"));
}

#[test]
fn nests_that_multiply_are_refused_before_they_are_built() {
    let mut nest = constant(1.0);
    for _ in 0..20 {
        nest = nest.gullies(1.0, 9.0).into();
    }
    assert!(nest.build(1).unwrap_err().to_string().contains("octaves a point"));
    let mut nest = constant(1.0);
    for _ in 0..20 {
        nest = constant(1.0).warp(nest, 1.0);
    }
    assert!(nest.build(1).unwrap_err().to_string().contains("octaves a point"));
}

#[test]
fn ranges_must_rise() {
    let noise = Noise::from(constant(1.0).gullies(9.0, 90.0).low(3.0).high(3.0));
    assert_eq!(noise.validate().unwrap_err().to_string(), "high: found 3, allowed is more than low, 3");
    assert_eq!(constant(1.0).add_above(1.0, 2.0, 1.0).validate().unwrap_err().path, "high");
}

#[test]
fn curves_and_shores_are_checked() {
    let source = || Operand::new(constant(0.0));
    for (points, path) in [
        (vec![[0.0, 0.0]], "points"),
        (vec![[0.0, 0.0], [0.0, 1.0]], "points.1.x"),
        (vec![[0.0, 0.0], [1.0, f64::NAN]], "points.1.y"),
        (vec![[1.0, 0.0], [1.0 + 1e-12, 1.0]], "points.1.x"),
    ] {
        assert_eq!(
            Noise::from(Curve { points, ends: CurveEnds::Level, source: source() }).validate().unwrap_err().path,
            path
        );
    }
    let shore = Shore { level: 0.0, above: -1.0, below: 1.0, source: source() };
    assert_eq!(Noise::from(shore).validate().unwrap_err().path, "above");
}
