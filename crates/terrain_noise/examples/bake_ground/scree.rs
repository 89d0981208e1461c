//! Scree: angular stones of 4 to 35 cm, large ones among many small ones, over grit.

use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::colour::{Colour, blend, ramp, shade};
use crate::ground::{Dice, Ground, Texel};
use crate::picture::{Finish, Steps};
use crate::plane::{Plane, fbm, mix, smoothstep, tile};
use crate::stone::Stone;

const METRES: f32 = 4.0;
/// Greys from warm to cold.
const STONE: [Colour; 4] = [[0.30, 0.265, 0.22], [0.26, 0.245, 0.22], [0.31, 0.30, 0.28], [0.22, 0.225, 0.225]];
const GRIT: Colour = [0.14, 0.12, 0.095];

/// Stones: squares along the tile, one stone each, and the radii in metres.
const SIZES: [(usize, f32, f32); 5] =
    [(150, 0.008, 0.018), (92, 0.016, 0.034), (46, 0.030, 0.058), (21, 0.055, 0.10), (9, 0.09, 0.15)];

pub fn bake() -> Result<(Ground, Finish), NoiseError> {
    let grit = Plane::noise(&tile(cellular(CellOutput::F1), [150; 2], |basis| basis.scale(-1.0)), 1)?;
    let bumps = Plane::noise(&fbm(9, 4), 2)?;
    let grain = Plane::noise(&fbm(40, 5), 3)?;
    let speck = Plane::noise(&tile(value(), [340; 2], Into::into), 4)?;
    let lichen = Plane::noise(&fbm(16, 5), 5)?;
    let mut ground = Ground::new(METRES, |i| Texel {
        height: 0.02 * bumps.0[i] + 0.006 * grit.0[i],
        albedo: shade(GRIT, 1.0 + 0.35 * grit.0[i] + 0.3 * grain.0[i]),
        rough: 0.95,
    });
    let mut dice = Dice::new(11);
    for (count, small, large) in SIZES {
        for place in dice.places(count, METRES) {
            let size = dice.between(0.0, 1.0);
            let radius = mix(small, large, size * size);
            let stone = {
                let (tall, round) = (dice.between(0.45, 0.8), dice.between(0.15, 0.5));
                Stone::new(&mut dice, radius, tall, round)
            };
            // Stones lie on those below, sunk in a little.
            let rest = 0.5 * ground.height_at(place) - radius * dice.between(0.05, 0.4);
            let tone = ramp(&STONE, dice.between(0.0, 1.0));
            let tone = shade(tone, dice.between(0.72, 1.18));
            let grown = dice.between(0.1, 0.7);
            // Each stone shows a part of the grain of its own.
            let shift = (dice.between(0.0, 1.0) * (1 << 20) as f32) as usize;
            ground.lay(place, stone.reach, |i, offset| {
                let (height, edge) = stone.at(offset);
                let own = (i + shift) & ((1 << 20) - 1);
                let rough = grain.0[own];
                let height = height + radius.min(0.06) * 0.10 * rough;
                (height > 0.0).then(|| {
                    let worn = 1.0 + 0.16 * edge + 0.30 * rough + 0.10 * speck.0[i];
                    let spots = smoothstep(grown, grown + 0.12, lichen.0[own]) * 0.5;
                    Texel {
                        height: rest + height,
                        albedo: blend(shade(tone, worn), [0.34, 0.34, 0.27], spots),
                        rough: 0.82 - 0.1 * rough,
                    }
                })
            });
        }
    }
    // Dust lies where it is deep, and keeps it dark.
    let relief = ground.height.levelled(26.0);
    for (colour, relief) in ground.albedo.iter_mut().zip(&relief.0) {
        *colour = shade(*colour, 0.42 + 0.58 * smoothstep(-0.035, 0.015, *relief));
    }
    ground.even(80.0);
    ground.tint([0.235, 0.22, 0.195]);
    Ok((ground, Finish { relief: 1.15, reach: 0.25, steps: Steps { normal: 6, ..Steps::default() } }))
}
