//! The density of a camera's fog.

use bevy::math::Vec3;
use bevy::pbr::FogFalloff;

use super::TerrainSky;
use super::scattering::{HAZE_HEIGHT, OPAQUE, tint};

/// The fog for a camera `altitude` metres above the land.
///
/// Bevy's fog has the same density everywhere, but haze thins out with height. So the fog takes the mean density of the
/// haze beneath the camera.
pub fn falloff(settings: &TerrainSky, altitude: f32) -> FogFalloff {
    let beneath = altitude.max(1.0) / HAZE_HEIGHT;
    let thinning = (1.0 - (-beneath).exp()) / beneath;
    let density = tint(settings.visibility).min(Vec3::splat(1.7)) * OPAQUE / settings.visibility * thinning;
    FogFalloff::Atmospheric { extinction: density, inscattering: density }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::default;

    fn extinction(settings: &TerrainSky, altitude: f32) -> Vec3 {
        match falloff(settings, altitude) {
            FogFalloff::Atmospheric { extinction, .. } => extinction,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_dark_ridge_vanishes_at_the_visibility() {
        let settings = TerrainSky { visibility: 20_000.0, ..default() };
        let left = (-extinction(&settings, 2.0).y * 20_000.0).exp();
        assert!((left - 0.05).abs() < 0.002, "{left}");
        assert!(extinction(&settings, 5_000.0).y < 0.4 * extinction(&settings, 2.0).y);
    }

    #[test]
    fn far_ridges_are_blue() {
        let density = extinction(&TerrainSky { visibility: 100_000.0, ..default() }, 2.0);
        assert!(density.z > 1.2 * density.y && density.y > density.x);
    }
}
