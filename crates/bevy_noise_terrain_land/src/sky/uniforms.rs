//! The sky's uniforms. `sky.wesl` declares the same layout.

use bevy::math::{DVec2, Vec3};

use super::drift::CloudDrift;
use super::lands::Anchor;
use super::radiance::SkyRadiance;
use super::scattering::{HAZE_HEIGHT, haze};
use super::{CloudModel, SUN_RADIUS, TerrainSky};
use crate::climate::{TerrainClimate, ValueNoiseRecord};
use crate::gpu::SkyUniforms;

/// Widths of wet and dry regions, in metres, between which clouds begin to follow them.
const REGIONS: [f32; 2] = [2_000.0, 6_000.0];

impl SkyUniforms {
    /// `edge` is the distance to the land's end in metres, or 0.
    pub(super) fn new(settings: &TerrainSky, sky: &SkyRadiance, anchor: &Anchor, drift: CloudDrift, edge: f32) -> Self {
        let Anchor { origin, sea_level, climate } = anchor;
        let with = |v: Vec3, w: f32| [v.x, v.y, v.z, w];
        let solid_angle = std::f32::consts::PI * SUN_RADIUS * SUN_RADIUS;
        let repeats = 1.0 / (f64::from(settings.cloud_size) * 1_000.0);
        let [place, broader] = drift.0.map(|drift| *origin * repeats - drift);
        // The second layer: rotated and scaled as in the shader.
        let turned = DVec2::new(0.8 * broader.x - 0.6 * broader.y, 0.6 * broader.x + 0.8 * broader.y) * 0.31;
        let wrap = |v: DVec2| [v.x.rem_euclid(1.0) as f32, v.y.rem_euclid(1.0) as f32];
        let volumetric = f32::from(u8::from(settings.clouds == CloudModel::Volumetric));
        let ([x, y], [z, w]) = (wrap(place), wrap(turned));
        Self {
            sun: with(sky.sun, 1.0),
            disc: with(sky.sunlight / solid_angle, SUN_RADIUS.cos()),
            sunlight: with(sky.high_sunlight, haze(settings.visibility) / 1_000.0),
            ambient: with(sky.ambient, HAZE_HEIGHT),
            cloud: [settings.cloud_cover, sea_level + settings.cloud_height, settings.cloud_thickness, repeats as f32],
            drift: [x, y, z, w],
            shade: [settings.cloud_shadows, edge, settings.cirrus, volumetric],
            climate: [departure(settings, climate), *sea_level, 0.0, 0.0],
            regions: ValueNoiseRecord::regions(climate, origin.to_array()),
        }
    }
}

/// By how much the cover over wet and dry regions departs from its mean.
fn departure(settings: &TerrainSky, climate: &TerrainClimate) -> f32 {
    let share = ((climate.feature_size - REGIONS[0]) / (REGIONS[1] - REGIONS[0])).clamp(0.0, 1.0);
    settings.cloud_climate * climate.moisture_spread.min(1.0) * share
}

/// The table of radiance as the shader reads it: smooth light, then single scattering by haze.
pub fn table(sky: &SkyRadiance) -> Vec<[f32; 4]> {
    sky.smooth.iter().chain(&sky.mie).map(|color| color.extend(0.0).to_array()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{SHADE_OFFSET, SHADE_SIDE, TABLE_OFFSET};
    use crate::sky::scattering::Medium;
    use crate::sky::sun_direction;
    use bevy::prelude::default;

    fn sky(settings: &TerrainSky) -> SkyRadiance {
        SkyRadiance::new(
            &Medium::new(settings.visibility),
            sun_direction(settings),
            settings.illuminance,
            settings.cloud_height,
        )
    }

    /// The clouds after `seconds` of this drift.
    fn drifted(settings: &TerrainSky, seconds: f64) -> CloudDrift {
        let mut drift = CloudDrift::default();
        drift.advance(settings, DVec2::ZERO, seconds);
        drift
    }

    #[test]
    fn the_shader_has_the_same_sizes() {
        let phase = format!("MIE_FORWARD: f32 = {};", super::super::scattering::MIE_FORWARD);
        assert!(include_str!("../gpu/sky.wesl").contains(&phase));
        let side = super::super::clouds::SIDE;
        assert!(include_str!("clouds/pattern.wesl").contains(&format!("PATTERN_SIZE: f32 = {side}.0")));
        assert_eq!(side, 4 * SHADE_SIDE);
    }

    #[test]
    fn the_table_is_whole_by_day_and_by_night() {
        for time in [0.0, 5.0, 12.0] {
            let table = table(&sky(&TerrainSky { time, ..default() }));
            assert_eq!(size_of_val(table.as_slice()) + TABLE_OFFSET, SHADE_OFFSET);
            assert!(table.iter().flatten().all(|value| value.is_finite() && *value >= 0.0));
        }
    }

    #[test]
    fn clouds_stand_still_when_the_origin_moves() {
        let settings = TerrainSky { cloud_drift: Vec3::ZERO.truncate(), ..default() };
        let sky = sky(&settings);
        // A point of the pattern, from two origins one shift apart, a thousand kilometres from zero.
        let pattern_at = |origin: DVec2, place: DVec2| {
            let uniforms =
                SkyUniforms::new(&settings, &sky, &Anchor { origin, ..default() }, drifted(&settings, 1e6), 0.0);
            let uv = (place - origin) * f64::from(uniforms.cloud[3]);
            [0, 1].map(|axis| (uv[axis] + f64::from(uniforms.drift[axis])).rem_euclid(1.0))
        };
        let place = DVec2::new(1_003_000.0, -2_000.0);
        let (a, b) = (pattern_at(DVec2::new(1e6, 0.0), place), pattern_at(DVec2::new(1e6 + 8_192.0, -8_192.0), place));
        assert!((a[0] - b[0]).abs() < 1e-5 && (a[1] - b[1]).abs() < 1e-5, "{a:?} {b:?}");
    }

    #[test]
    fn clouds_drift_with_the_wind() {
        let settings = TerrainSky { cloud_size: 1.0, cloud_drift: Vec3::X.truncate() * 10.0, ..default() };
        let sky = sky(&settings);
        let uniforms = SkyUniforms::new(&settings, &sky, &default(), drifted(&settings, 25.0), 0.0);
        // The pattern has moved 250 m of its 1 000 m along x, so that what was at 0 is now at 0.25.
        assert!((uniforms.drift[0] - 0.75).abs() < 1e-6, "{:?}", uniforms.drift);
    }

    #[test]
    fn clouds_stay_where_they_are_when_the_wind_turns_after_a_day() {
        let drift = drifted(&TerrainSky::default(), 86_400.0);
        let [before, after] = [9.0, 10.0].map(|speed| {
            let settings = TerrainSky { cloud_drift: Vec3::X.truncate() * speed, ..default() };
            SkyUniforms::new(&settings, &sky(&settings), &default(), drift, 0.0).drift
        });
        assert_eq!(before, after);
    }
}
