//! Small waves of the wind on water: normals, and the height beside them.

use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::light::normals;
use crate::picture::Picture;
use crate::plane::{Plane, SIDE, fbm};

/// Side of the tile.
const METRES: f32 = 5.0;
/// Metres from the lowest to the highest point.
const DEPTH: f32 = 0.07;
/// The wind's direction.
const WIND: [f32; 2] = [0.8, 0.6];

pub fn bake() -> Result<Picture, NoiseError> {
    let mut dice = crate::ground::Dice::new(51);
    let wander = [Plane::noise(&fbm(3, 2), 1)?, Plane::noise(&fbm(3, 2), 2)?];
    let mut height = Plane::of(0.0);
    // Waves whose length goes a whole number of times into the tile, both ways.
    for _ in 0..160 {
        let length = libm::powf(2.0, dice.between(2.8, 6.0));
        let angle = libm::atan2f(WIND[1], WIND[0]) + 1.3 * dice.bell();
        let waves = crate::ground::direction(angle).map(|d| (d * length).round());
        let squared = waves[0] * waves[0] + waves[1] * waves[1];
        if squared < 9.0 {
            continue;
        }
        let (phase, strong) = (dice.between(0.0, 1.0), libm::powf(squared, -0.64) * dice.between(0.4, 1.0));
        // The cosine of every phase that occurs, looked up by whole numbers: the waves repeat.
        let table: Vec<f32> = (0..SIDE)
            .map(|k| strong * crate::ground::direction((phase + k as f32 / SIDE as f32) * std::f32::consts::TAU)[0])
            .collect();
        let [across, down] = waves.map(|n| n as i64);
        for (i, height) in height.0.iter_mut().enumerate() {
            let along = across * (i % SIDE) as i64 + down * (i / SIDE) as i64;
            *height += table[along.rem_euclid(SIDE as i64) as usize];
        }
    }
    let ripples = Plane::noise(&crate::plane::tile(perlin(), [34; 2], |basis| basis.fbm().octaves(3).into()), 3)?;
    let height = height.warped(&wander[0], &wander[1], 0.02).stretched(0.0005).0.evened(120.0).stretched(0.0005).0;
    // Crests are sharper than troughs.
    let height = height.zip(&ripples, |h, r| 0.55 * h + 0.45 * h * h + 0.02 * r).stretched(0.0005).0;
    let [x, z] = normals(&height, METRES / SIDE as f32, DEPTH);
    Ok(Picture::of([&x, &z, &height, &Plane::of(1.0)], [2, 2, 2, 1]))
}
