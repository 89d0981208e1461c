//! Lists of positions in space have the bits of single positions.
#![allow(clippy::expect_used, reason = "helpers of tests may stop too")]

use crate::common::worlds;
use terrain_noise::Instructions;
use terrain_noise::prelude::*;

/// Near the origin and far out, on both sides; and what is no position.
fn positions() -> Vec<[f64; 3]> {
    let at = |i: i32, far: f64| [1.7, -0.9, 2.3].map(|step| f64::from(i - 20) * step + far);
    let near = (0..70).map(|i| at(i, 0.0));
    let far = (0..40).map(|i| at(i, 1e9)).chain((0..40).map(|i| at(i, -1e9)));
    let strange = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e18, f64::MIN_POSITIVE];
    near.chain(far).chain(strange.into_iter().flat_map(|x| [[x, 0.5, 0.25], [0.5, x, x], [x; 3]])).collect()
}

/// Whole trees, with fades and combinations that the shared ones lack.
fn trees() -> Vec<(&'static str, Noise)> {
    let ridged = || perlin().ridged_multifractal().octaves(4).feature_size(90.0);
    let further = [
        ("linear", perlin().fade(Fade::Linear).fbm().octaves(3).feature_size(40.0).into()),
        ("value", value().fbm().octaves(4).feature_size(30.0).into()),
        ("hybrid value", value().fade(Fade::Smoothstep).hybrid_multifractal().octaves(4).feature_size(30.0).into()),
        ("turned octaves", value().fbm().octave_rotation(20.0).feature_size(30.0).into()),
        ("rounded", ridged().rounding(2.0).into()),
        ("smooth", ridged().smooth_max(value().feature_size(30.0), 0.4).smooth_min(0.6, 0.2)),
        ("swirl and warp", ridged().swirl(value().feature_size(80.0), 50.0).warp(perlin().feature_size(70.0), 20.0)),
        ("moved", ridged().rotate(40.0).stretch(2.0, 0.5).translate(3.0, -8.0).terrace(0.2, 0.7)),
        (
            "steep",
            perlin()
                .fbm()
                .octaves(32)
                .lacunarity(16.0)
                .persistence(1.0)
                .feature_size(0.001)
                .scale(1e9)
                .scale(100.0)
                .mul(0.0),
        ),
    ];
    worlds().into_iter().chain(further).collect()
}

fn compare(name: &str, sampler: &Sampler, positions: &[[f64; 3]], footprint: f64) {
    let [mut heights, mut again, mut dx, mut dy, mut dz] = std::array::from_fn(|_| vec![0.0; positions.len()]);
    let mut scratch = Scratch::default();
    sampler.fill_points_3d(positions, footprint, &mut scratch, &mut heights);
    sampler.fill_points_3d_with_gradient(positions, footprint, &mut scratch, &mut again, &mut dx, &mut dy, &mut dz);
    for (i, &at) in positions.iter().enumerate() {
        let jet = sampler.sample_jet(at, footprint);
        let [x, y, z] = jet.gradient;
        let found = [heights[i], again[i], dx[i], dy[i], dz[i]];
        let expected = [jet.value, jet.value, x, y, z];
        assert_eq!(found.map(f32::to_bits), expected.map(f32::to_bits), "{name} {at:?}: {found:?} {expected:?}");
        if footprint == 0.0 {
            assert_eq!(heights[i].to_bits(), sampler.sample_3d(at).to_bits(), "{name} {at:?}");
        }
    }
}

#[test]
fn lists_have_the_bits_of_single_positions() {
    let positions = positions();
    for (name, noise) in trees() {
        let sampler = noise.build(3).expect(name);
        for set in Instructions::available() {
            let sampler = sampler.clone().with_instructions(set);
            for footprint in [0.0, 3.0, 25.0, 1e9] {
                compare(name, &sampler, &positions, footprint);
            }
        }
    }
}

#[test]
fn lists_of_any_length() {
    let sampler = perlin().fbm().octaves(3).feature_size(20.0).build(3).expect("a plain noise");
    let positions: Vec<_> = (0..300).map(|i| [f64::from(i) * 0.7, 3.0, f64::from(-i)]).collect();
    for length in [0, 1, 15, 16, 17, 127, 128, 129, 300] {
        compare("perlin", &sampler, &positions[..length], 0.0);
    }
}

#[test]
#[should_panic(expected = "one place a point")]
fn lists_and_heights_are_of_one_length() {
    let sampler = value().feature_size(9.0).build(1).expect("a plain noise");
    sampler.fill_points_3d(&[[0.0; 3]; 3], 0.0, &mut Scratch::default(), &mut [0.0; 2]);
}
