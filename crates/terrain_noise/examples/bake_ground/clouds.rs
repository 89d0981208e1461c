//! Cover of clouds, such that a threshold of `1 - c` leaves the part `c` of the sky clouded, and a
//! finer noise that erodes their edges.

use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::picture::Picture;
use crate::plane::{Plane, fbm, tile};

pub fn bake() -> Result<Picture, NoiseError> {
    let wander = [Plane::noise(&fbm(4, 5), 1)?, Plane::noise(&fbm(4, 5), 2)?];
    let billows = |cells, seed| {
        let puffs = tile(cellular(CellOutput::F1), [cells; 2], |basis| basis.fbm().octaves(4).scale(-1.0));
        Plane::noise(&puffs, seed)
    };
    let shape = Plane::noise(&tile(perlin(), [6; 2], |basis| basis.fbm().octaves(8).persistence(0.55).into()), 3)?;
    let cover = shape.zip(&billows(9, 4)?, |a, b| a + 0.45 * b).warped(&wander[0], &wander[1], 0.04);
    let detail = billows(22, 5)?.zip(&Plane::noise(&fbm(30, 5), 6)?, |a, b| a + 0.5 * b);
    let detail = detail.warped(&wander[1], &wander[0], 0.02).levelled(60.0);
    Ok(Picture::of(
        [&cover.evened(190.0).ranked(), &detail.stretched(0.002).0, &Plane::of(0.0), &Plane::of(1.0)],
        [2, 4, 1, 1],
    ))
}
