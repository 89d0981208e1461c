//! Parameters at the ends of their ranges: a tree that is built keeps its promises with any of them.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use crate::common::worlds;
use terrain_noise::{Damped, ParamMut, prelude::*};

/// Numbers in a fixed order (Knuth's multiplier).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Puts about half of all parameters to an end of their range.
fn stretch(noise: &mut Noise, dice: &mut Dice) {
    noise.edit_params(|info, param| match (param, dice.roll(6)) {
        (ParamMut::Number(number), 0) if info.min.is_finite() => *number = info.min,
        (ParamMut::Number(number), 1) if info.max.is_finite() => *number = info.max,
        (ParamMut::Number(number), 2) if info.min <= 0.0 && info.max >= 0.0 => *number = 0.0,
        (ParamMut::Integer(number), 0) => *number = info.min as u32,
        (ParamMut::Integer(number), 1) => *number = info.max as u32,
        (ParamMut::Choice(choice), side) => choice.choose(side as usize),
        _ => {}
    });
    for (_, operand) in noise.operands_mut() {
        stretch(operand, dice);
    }
}

#[test]
fn parameters_at_their_ends_keep_every_promise() {
    let mut dice = Dice(1);
    let mut scratch = Scratch::default();
    let mut built = 0;
    for (name, noise) in worlds() {
        for round in 0..40 {
            let mut noise = noise.clone();
            stretch(&mut noise, &mut dice);
            let spacing = [0.0, 1e-3, 1.0, 300.0][dice.roll(4) as usize];
            let start = [dice.roll(1 << 31) as i64 - (1 << 30), -(dice.roll(3000) as i64)];
            let Ok(sampler) = noise.build(round) else { continue };
            built += 1;
            let grid = Grid { footprint: spacing, ..Grid::new(start, spacing.max(0.7), [19, 3]) };
            let [mut heights, mut again, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
            sampler.fill(&grid, &mut scratch, &mut heights);
            sampler.fill_with_gradient(&grid, &mut scratch, &mut again, &mut dx, &mut dz);
            for (i, &height) in heights.iter().enumerate() {
                let at = [grid.x(i % 19), grid.z(i / 19)];
                let bounds = sampler.bounds();
                assert!(height.is_finite() && bounds.contains(height), "{name}: {height} {bounds:?}\n{noise:?}");
                let point = sampler.sample_filtered(at, grid.footprint);
                assert!(height.to_bits() == point.to_bits(), "{name}: {height} {point}\n{noise:?}");
                assert!(height.to_bits() == again[i].to_bits(), "{name}: {height} {}\n{noise:?}", again[i]);
            }
        }
    }
    assert!(built > 500, "{built}");
}

#[test]
fn octaves_that_only_grow_are_numbers() {
    let noise = Damped { lacunarity: 16.0, persistence: 2.0, octaves: 24, damping: 0.0, ..perlin().damped() };
    let land = Noise::from(noise).build(1).unwrap();
    assert!((0..200).all(|i| land.bounds().contains(land.sample([f64::from(i) * 7.3, 0.5]))));
}

#[test]
fn land_without_measure_has_gullies_of_some_kind() {
    let land = perlin().feature_size(0.002).scale(1e9).scale(1e9).scale(1e9).scale(1e9).gullies(60.0, 0.001);
    let land = land.build(1).unwrap();
    assert!((0..200).all(|i| land.bounds().contains(land.sample([f64::from(i) * 0.000_37, 0.5]))));
}

#[test]
fn terraces_finer_than_a_height_leave_it() {
    let land = constant(1e9).scale(1e9).scale(1e9).scale(1e9).terrace(1e-6, 0.8).build(1).unwrap();
    assert_eq!(land.sample([0.0, 0.0]), 1e36);
}
