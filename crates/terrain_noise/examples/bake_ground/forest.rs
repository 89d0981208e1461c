//! Forest floor: a litter of leaves and twigs over dark soil, with small cushions of moss.

use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::colour::{Colour, blend, ramp, shade};
use crate::ground::{Dice, Ground, Texel, direction};
use crate::picture::{Finish, Steps};
use crate::plane::{Plane, fbm, mix, smoothstep, tile};

const METRES: f32 = 4.0;
const SOIL: Colour = [0.028, 0.021, 0.014];
const LEAVES: [Colour; 6] = [
    [0.055, 0.034, 0.020],
    [0.085, 0.050, 0.026],
    [0.120, 0.068, 0.032],
    [0.150, 0.092, 0.045],
    [0.105, 0.078, 0.050],
    [0.190, 0.135, 0.075],
];
const BARK: Colour = [0.075, 0.060, 0.048];
const MOSS: [Colour; 3] = [[0.018, 0.021, 0.008], [0.036, 0.040, 0.013], [0.060, 0.064, 0.021]];

pub fn bake() -> Result<(Ground, Finish), NoiseError> {
    let crumbs = Plane::noise(&tile(cellular(CellOutput::F1), [110; 2], |basis| basis.scale(-1.0)), 1)?;
    let bumps = Plane::noise(&fbm(10, 4), 2)?;
    let grain = Plane::noise(&fbm(70, 4), 3)?;
    let mut ground = Ground::new(METRES, |i| Texel {
        height: 0.02 * bumps.0[i] + 0.004 * crumbs.0[i],
        albedo: shade(SOIL, 1.0 + 0.4 * crumbs.0[i] + 0.4 * grain.0[i]),
        rough: 0.95,
    });
    let mut dice = Dice::new(31);
    let relief = ground.height.blurred(3.0);
    // Old leaves below, then moss, and fresh leaves on top of both.
    for (layer, count) in [(0, 88), (1, 80), (2, 62), (3, 42)] {
        if layer == 3 {
            moss(&mut ground, &crumbs)?;
        }
        for place in dice.places(count, METRES) {
            let fresh = layer as f32 / 3.0;
            let tone = ramp(&LEAVES, 0.55 * fresh + 0.45 * dice.between(0.0, 1.0));
            let tone = shade(tone, dice.between(0.6, 1.25) * mix(0.6, 1.05, fresh));
            let lift = relief.look_up(place[0] / METRES, place[1] / METRES) + 0.0045 * layer as f32;
            leaf(&mut ground, &mut dice, place, lift, tone, &grain);
        }
    }
    for place in dice.places(26, METRES) {
        let lift = relief.look_up(place[0] / METRES, place[1] / METRES) + 0.014;
        let size = dice.between(0.0, 1.0);
        twig(&mut ground, &mut dice, place, lift, mix(0.04, 0.28, size * size));
    }
    ground.even(90.0);
    ground.tint([0.066, 0.050, 0.031]);
    Ok((ground, Finish { relief: 0.75, reach: 0.08, steps: Steps { normal: 7, ..Steps::default() } }))
}

/// A leaf of 3 to 8 cm: pointed at both ends, folded along its rib, curled.
fn leaf(ground: &mut Ground, dice: &mut Dice, place: [f32; 2], lift: f32, tone: Colour, grain: &Plane) {
    let half = dice.between(0.016, 0.040);
    let wide = half * dice.between(0.38, 0.68);
    let [c, s] = dice.direction();
    let (fold, curl, bent) = (dice.between(-0.3, 0.45), dice.between(-0.25, 0.5), dice.between(-0.25, 0.25));
    let [tilt_x, tilt_z] = dice.direction().map(|d| d * 0.22);
    let lobes = dice.between(0.0, 0.25);
    ground.lay(place, half, |i, [x, z]| {
        let (along, across) = (c * x + s * z, c * z - s * x);
        let t = along / half;
        let across = across - bent * half * (1.0 - t * t);
        // An outline that is widest before the middle.
        let outline = (1.0 - t * t) * (1.0 - 0.3 * t) * (1.0 - lobes * (0.5 + 0.5 * direction(17.0 * t)[0]));
        let w = across / (wide * outline.max(1e-3));
        (t.abs() < 1.0 && w.abs() < 1.0).then(|| {
            let height = lift + tilt_x * x + tilt_z * z + fold * across.abs() + curl * along * t;
            let rib = 1.0 - smoothstep(0.0, 0.0022, across.abs());
            let veins = direction(26.0 * (t - 0.6 * w.abs()))[0];
            let look = 1.0 + 0.35 * rib + 0.07 * veins + 0.28 * grain.0[i] - 0.22 * w * w;
            Texel { height: height + 0.0006 * rib, albedo: shade(tone, look), rough: 0.72 + 0.1 * grain.0[i] }
        })
    });
}

/// A bent twig with a fork or two.
fn twig(ground: &mut Ground, dice: &mut Dice, place: [f32; 2], lift: f32, long: f32) {
    let tone = shade(BARK, dice.between(0.6, 1.9));
    let thick = 0.0022 + 0.02 * long * dice.between(0.5, 1.0);
    let angle = dice.between(0.0, std::f32::consts::TAU);
    let mut branch = |dice: &mut Dice, from: [f32; 2], angle: f32, long: f32, thick: f32| {
        let (bend, wave) = (dice.between(-0.5, 0.5), dice.between(0.0, 6.0));
        let at = |t: f32| {
            let [c, s] = direction(angle + bend * t + 0.12 * direction(wave + 9.0 * t)[0]);
            [from[0] + c * long * t, from[1] + s * long * t]
        };
        ground.draw((long / 0.003) as usize, |t| {
            let knots = 1.0 + 0.25 * direction(wave + 40.0 * t)[1];
            (at(t), thick * (1.0 - 0.6 * t), Texel { height: lift, albedo: shade(tone, knots), rough: 0.8 })
        });
        at(0.45)
    };
    let fork = branch(dice, place, angle, long, thick);
    if long > 0.1 {
        let side = if dice.between(0.0, 1.0) < 0.5 { -0.7 } else { 0.7 };
        branch(dice, fork, angle + side, 0.45 * long, 0.55 * thick);
    }
}

/// Cushions of moss grow over what lies there.
fn moss(ground: &mut Ground, crumbs: &Plane) -> Result<(), NoiseError> {
    let cover = Plane::noise(&fbm(17, 6), 4)?.levelled(60.0).ranked();
    let pads = Plane::noise(&tile(cellular(CellOutput::F1), [64; 2], |basis| basis.scale(-1.0)), 5)?;
    let fuzz = Plane::noise(&tile(perlin(), [170; 2], |basis| basis.fbm().octaves(2).into()), 6)?;
    for i in 0..cover.0.len() {
        let grown = smoothstep(0.86, 1.0, cover.0[i] + 0.05 * fuzz.0[i] + 0.03 * crumbs.0[i]);
        let tone = ramp(&MOSS, 0.5 + 0.4 * pads.0[i] + 0.5 * fuzz.0[i]);
        let clumps = smoothstep(0.25, 0.6, grown + 0.25 * pads.0[i]) * smoothstep(0.0, 0.2, grown);
        ground.albedo[i] = blend(ground.albedo[i], tone, 0.8 * clumps);
        ground.height.0[i] += clumps * (0.009 + 0.007 * pads.0[i] + 0.004 * fuzz.0[i]);
        ground.rough.0[i] = mix(ground.rough.0[i], 0.95, clumps);
    }
    Ok(())
}
