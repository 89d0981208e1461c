//! Snow: packed by the wind into low sastrugi, smooth between their edges.

use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::colour::blend;
use crate::ground::{Ground, Texel};
use crate::picture::{Finish, Steps};
use crate::plane::{Plane, fbm, smoothstep, tile};

const METRES: f32 = 5.0;
/// The way of the wind: a unit vector.
const WIND: [f32; 2] = [0.88, 0.475];

pub fn bake() -> Result<(Ground, Finish), NoiseError> {
    let wander = [Plane::noise(&fbm(4, 3), 1)?, Plane::noise(&fbm(4, 3), 2)?];
    // Long tongues that lie in the wind.
    let tongues = |cells, seed, length: f32| {
        let round = tile(perlin(), [cells; 2], |basis| basis.fbm().octaves(4).persistence(0.5).into());
        let long = Plane::noise(&round, seed)?.drawn_out(WIND, length);
        Ok::<_, NoiseError>(long.warped(&wander[0], &wander[1], 0.03).evened(110.0))
    };
    let long = tongues(13, 3, 0.13)?.ranked();
    let fine = tongues(30, 4, 0.07)?.stretched(0.01).0.map(|f| 2.0 * f - 1.0);
    let soft = Plane::noise(&fbm(6, 2), 5)?;
    let grain = Plane::noise(&tile(perlin(), [200; 2], |basis| basis.fbm().octaves(1).into()), 6)?;
    let crust = Plane::noise(&fbm(30, 4), 7)?;
    // Lumps where the wind has left off.
    let pitted = Plane::noise(&fbm(9, 4), 8)?.ranked();
    let mut ground = Ground::new(METRES, |i| {
        // Two layers, each with an edge to windward and a soft back.
        let layers = smoothstep(0.30, 0.75, long.0[i]) + 0.5 * smoothstep(0.62, 0.80, long.0[i] + 0.05 * fine.0[i]);
        let lumps = smoothstep(0.5, 0.9, pitted.0[i]) * crust.0[i];
        Texel {
            height: 0.019 * layers + 0.020 * soft.0[i] + 0.0045 * fine.0[i] + 0.006 * lumps + 0.0004 * grain.0[i],
            albedo: [0.80, 0.815, 0.83].map(|c| c * (1.0 + 0.015 * crust.0[i] + 0.012 * grain.0[i])),
            rough: 0.60 + 0.05 * fine.0[i] + 0.16 * crust.0[i] + 0.08 * grain.0[i],
        }
    });
    ground.height = ground.height.levelled(190.0);
    // Fresh snow drifts into the hollows, and looks bluer there.
    let relief = ground.height.levelled(24.0);
    for (colour, relief) in ground.albedo.iter_mut().zip(&relief.0) {
        *colour = blend(*colour, [0.745, 0.785, 0.835], 0.6 * smoothstep(0.004, -0.012, *relief));
    }
    ground.even(110.0);
    ground.tint([0.79, 0.81, 0.835]);
    let steps = Steps { albedo: 2, normal: 2, ..Steps::default() };
    Ok((ground, Finish { relief: 1.0, reach: 0.3, steps }))
}
