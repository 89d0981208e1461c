//! Grass: tufts of bent blades, some dry, over thatch.

use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::colour::{Colour, blend, ramp, shade};
use crate::ground::{Dice, Ground, Texel};
use crate::picture::{Finish, Steps};
use crate::plane::{Plane, fbm, mix, tile};

const METRES: f32 = 3.0;
const SOIL: Colour = [0.040, 0.036, 0.020];
const GREENS: [Colour; 4] =
    [[0.060, 0.095, 0.022], [0.085, 0.125, 0.030], [0.115, 0.145, 0.040], [0.150, 0.155, 0.055]];
const STRAW: Colour = [0.27, 0.225, 0.11];

pub fn bake() -> Result<(Ground, Finish), NoiseError> {
    let thatch = Plane::noise(&tile(perlin(), [60, 60], |basis| basis.billow().octaves(4).into()), 1)?;
    // Which way blades lean, how long and how yellow they are, here and there.
    let lean = Plane::noise(&fbm(5, 3), 2)?;
    let lush = Plane::noise(&fbm(14, 4), 3)?.ranked();
    let hue = Plane::noise(&fbm(11, 4), 4)?.ranked();
    let mut ground = Ground::new(METRES, |i| Texel {
        height: 0.006 * thatch.0[i],
        albedo: shade(SOIL, 1.0 + 0.6 * thatch.0[i]),
        rough: 0.95,
    });
    let mut dice = Dice::new(21);
    for tuft in dice.places(62, METRES) {
        let [u, v] = tuft.map(|k| k / METRES);
        let (lush, hue) = (lush.look_up(u, v), hue.look_up(u, v));
        let leaning = 2.0 * std::f32::consts::PI * lean.look_up(u, v) * 2.0;
        let tall = mix(0.038, 0.085, lush) * dice.between(0.7, 1.2);
        let own = ramp(&GREENS, 0.75 * hue + 0.35 * dice.bell() + 0.1);
        let spread = dice.between(0.018, 0.036);
        for _ in 0..dice.between(16.0, 30.0) as usize {
            let away = dice.direction().map(|d| d * spread * dice.between(0.1, 1.0));
            // Outer blades lean outward, all lean with the wind.
            let outward = libm::atan2f(away[1], away[0]);
            let angle = if dice.between(0.0, 1.0) < 0.3 { leaning } else { outward } + 0.9 * dice.bell();
            let base = [tuft[0] + away[0], tuft[1] + away[1]];
            let dry = dice.between(0.0, 1.0) < 0.07;
            let colour = shade(if dry { STRAW } else { own }, dice.between(0.75, 1.3));
            blade(&mut ground, &mut dice, base, angle, tall, colour);
        }
    }
    // A few dead stalks lie about.
    for place in dice.places(16, METRES) {
        let angle = dice.between(0.0, std::f32::consts::TAU);
        let colour = shade(STRAW, dice.between(0.6, 1.0));
        blade(&mut ground, &mut dice, place, angle, 0.06, colour);
    }
    ground.even(70.0);
    ground.tint([0.088, 0.112, 0.036]);
    Ok((ground, Finish { relief: 0.5, reach: 0.06, steps: Steps { normal: 8, albedo: 5, ..Steps::default() } }))
}

/// A blade of grass that rises from its base and bends over to one side.
fn blade(ground: &mut Ground, dice: &mut Dice, base: [f32; 2], angle: f32, tall: f32, colour: Colour) {
    let long = tall * dice.between(0.7, 1.5);
    let (curl, width) = (dice.between(-0.9, 0.9), dice.between(0.0017, 0.0034));
    let (up, droop) = (dice.between(0.55, 1.0), dice.between(0.1, 0.7));
    let parts = (long / 0.0022) as usize;
    ground.draw(parts, |t| {
        let [c, s] = crate::ground::direction(angle + curl * t * t);
        let out = long * (0.35 * t + 0.65 * t * t);
        let place = [base[0] + c * out, base[1] + s * out];
        let height = tall * up * (t * (2.0 - t) - droop * t * t * t);
        // Dark and bluish at the root, light at the tip.
        let look = blend(shade(colour, 0.42), shade(colour, 1.25), t);
        (place, width * (1.0 - 0.75 * t * t), Texel { height, albedo: look, rough: mix(0.85, 0.62, t) })
    });
}
