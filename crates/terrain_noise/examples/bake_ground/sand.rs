//! Sand: ripples of the wind, 12 cm apart, that fork and end, and grains.

use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::colour::{Colour, blend, shade};
use crate::ground::{Dice, Ground, Texel};
use crate::picture::{Finish, Steps};
use crate::plane::{Plane, SIDE, fbm, tile};

const METRES: f32 = 3.0;
const SAND: Colour = [0.46, 0.375, 0.25];
const DARK: Colour = [0.36, 0.285, 0.185];
/// Waves along x and z to the tile: one each 12 cm.
const WAVES: [f32; 2] = [23.0, 9.0];

pub fn bake() -> Result<(Ground, Finish), NoiseError> {
    let ripples = ripples()?;
    let sway = Plane::noise(&fbm(6, 4), 3)?;
    let grain = Plane::noise(&tile(perlin(), [180; 2], |basis| basis.fbm().octaves(2).into()), 4)?;
    let speck = Plane::noise(&tile(value(), [400; 2], Into::into), 5)?;
    let patch = Plane::noise(&fbm(12, 5), 6)?;
    let mut ground = Ground::new(METRES, |i| {
        let crest = ripples.0[i];
        // Coarse dark grains gather in the troughs, bright ones roll along the crests.
        let tone = blend(DARK, SAND, 0.55 + 0.35 * crest + 0.35 * patch.0[i]);
        Texel {
            height: 0.0048 * crest + 0.002 * sway.0[i] + 0.0006 * grain.0[i] + 0.0003 * speck.0[i],
            albedo: shade(tone, 1.0 + 0.10 * speck.0[i] + 0.10 * grain.0[i]),
            rough: 0.9 - 0.06 * crest,
        }
    });
    // Chips of shell and small dark stones.
    let mut dice = Dice::new(41);
    for place in dice.places(44, METRES) {
        let radius = 0.0016 + 0.0035 * dice.between(0.0, 1.0) * dice.between(0.0, 1.0);
        let tone = if dice.between(0.0, 1.0) < 0.35 { [0.6, 0.54, 0.44] } else { [0.17, 0.14, 0.11] };
        let tone = shade(tone, dice.between(0.7, 1.2));
        let lift = ground.height_at(place) - 0.3 * radius;
        ground.lay(place, radius, |_, [x, z]| {
            let inside = 1.0 - (x * x + z * z) / (radius * radius);
            (inside > 0.0).then(|| Texel { height: lift + radius * inside.sqrt(), albedo: tone, rough: 0.7 })
        });
    }
    ground.even(110.0);
    ground.tint([0.44, 0.36, 0.245]);
    Ok((ground, Finish { relief: 1.0, reach: 0.1, steps: Steps { normal: 3, albedo: 3, ..Steps::default() } }))
}

/// Ripples in -1 ..= 1: waves disturbed by noise grow where they support each other at one
/// distance, as in sand, until they join, fork and end.
fn ripples() -> Result<Plane, NoiseError> {
    let bend = Plane::noise(&fbm(5, 3), 1)?;
    let chance = Plane::noise(&tile(perlin(), [30; 2], |basis| basis.fbm().octaves(2).into()), 2)?;
    let phase = Plane::ask(|[x, z]| WAVES[0] * x as f32 + WAVES[1] * z as f32);
    let mut wave = Plane(
        (0..SIDE * SIDE)
            .map(|i| {
                crate::ground::direction(std::f32::consts::TAU * (phase.0[i] + 0.7 * bend.0[i]))[0] + 1.35 * chance.0[i]
            })
            .collect(),
    );
    let length = SIDE as f32 / (WAVES[0] * WAVES[0] + WAVES[1] * WAVES[1]).sqrt();
    for _ in 0..10 {
        // The difference of two blurs lets one wavelength through; the cut keeps it from growing.
        let band = wave.blurred(0.16 * length).zip(&wave.blurred(0.30 * length), |near, wide| near - wide);
        let strength = band.map(f32::abs).mean();
        wave = band.map(|b| {
            let x = b / strength;
            x / (1.0 + x * x).sqrt()
        });
    }
    // Lean the waves: gentle to windward, steep to lee.
    let wave = wave.blurred(0.09 * length).stretched(0.002).0;
    let lean = wave.map(|w| 0.16 * (w - 0.5) * length / SIDE as f32);
    let leaned = wave.warped(&lean, &lean.map(|l| l * WAVES[1] / WAVES[0]), -1.0);
    Ok(leaned.map(|w| 2.0 * w - 1.0))
}
