//! The cave: through a ridge, from a meadow to the other side.

use bevy::math::DVec3;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain::volumes::{TerrainVolume, VolumeShape};

/// Half of the way through, in metres.
const HALF: f64 = 44.0;

/// A volume with a way through it.
pub struct Cave {
    pub volume: TerrainVolume,
    /// From mouth to mouth, along the middle of the floor.
    pub way: Vec<DVec3>,
}

impl Cave {
    /// In the ridge near the origin that rises most over both sides.
    pub fn find(land: &Surface) -> Option<Self> {
        let rise = |x: f64, z: f64| {
            let top = land.height(x, z);
            (top - land.height(x - HALF, z)).min(top - land.height(x + HALF, z))
        };
        let places = (0..60 * 60).map(|k| [k % 60 - 30, k / 60 - 30].map(|step| 40.0 * f64::from(step)));
        let [x, z] = places.max_by(|&[x, z], &[a, b]| rise(x, z).total_cmp(&rise(a, b)))?;
        let ground = |dx: f64| DVec3::new(x + dx, land.height(x + dx, z), z);
        let (from, to) = (ground(-HALF), ground(HALF));
        // Level with the mouths, with a bend.
        let way: Vec<DVec3> = (0..=8)
            .map(|step| {
                let part = f64::from(step) / 8.0;
                from.lerp(to, part) + DVec3::new(0.0, 0.5, 9.0 * bend(part))
            })
            .collect();
        let rough = perlin().fbm().octaves(3).feature_size(11.0).range(-2.2, 2.2);
        let mut shapes: Vec<_> = way
            .windows(2)
            .map(|ends| VolumeShape::dig(ends[0] + 2.0 * DVec3::Y, ends[1] + 2.0 * DVec3::Y, 3.4))
            .collect();
        // A hall in the middle.
        shapes.push(VolumeShape::dig(way[4] + 3.0 * DVec3::Y, way[5] + 3.0 * DVec3::Y, 5.0));
        shapes.push(VolumeShape::Displace { noise: rough });
        let volume = TerrainVolume {
            center: [x, z],
            size: [128.0, 96.0],
            depth: 60.0,
            height: 12.0,
            falloff: 10.0,
            shapes,
            ..TerrainVolume::default()
        };
        Some(Self { volume, way })
    }
}

/// To one side and to the other; 0 at both ends.
fn bend(part: f64) -> f64 {
    4.0 * part * (1.0 - part) * (1.0 - 2.0 * part)
}
