//! What the air is like.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::hint::{help, hint};

/// How the sky is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect, Serialize, Deserialize)]
pub enum SkyModel {
    /// Scattering summed up on the CPU whenever the sun has moved, drawn from a small texture. Runs everywhere.
    #[default]
    Analytic,
    /// Bevy's own [`Atmosphere`](bevy::light::Atmosphere), without this plugin's sky, clouds and fog. It
    /// makes cameras HDR; on software adapters, where some drivers crash in it, and on devices with fewer than nine
    /// storage buffers a shader stage, which land under it needs, the analytic sky stays.
    /// Not part of the automatic tests.
    Atmosphere,
}

/// The air and the time of day. [`TerrainSkyPlugin`](super::TerrainSkyPlugin) inserts the default; change any field
/// at any time.
///
/// Settings that [`validate`](Self::validate) refuses leave everything as it was and are reported by
/// [`AirRejected`].
#[derive(Resource, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[reflect(Resource, Default)]
#[serde(default, deny_unknown_fields)]
pub struct TerrainSky {
    /// True solar time in hours, 0 to 24: the sun is highest at 12.
    #[reflect(@hint("True solar time in hours, 0 to 24", "h", 0.0, 24.0))]
    pub time: f32,
    /// Degrees north of the equator, −90 to 90.
    #[reflect(@hint("Degrees north of the equator, −90 to 90", "°", -90.0, 90.0))]
    pub latitude: f32,
    /// Degrees by which the noon sun stands north of the equator: −23.44 (December) to 23.44 (June).
    #[reflect(@hint("Degrees by which the noon sun stands north of the equator", "°", -23.44, 23.44))]
    pub declination: f32,
    /// Degrees, clockwise seen from above, from −z to north: −360 to 360.
    #[reflect(@hint("Degrees, clockwise seen from above, from −z to north", "°", -360.0, 360.0))]
    pub north: f32,
    /// Sunlight above the air in lux, on a surface that faces it: 0 to 10⁶.
    #[reflect(@hint("Sunlight above the air in lux, on a surface that faces it", "lx", 0.0, 1000000.0))]
    pub illuminance: f32,
    /// Metres at which haze hides a dark ridge (5 % contrast left): 1 000 to 300 000.
    #[reflect(@hint("Metres at which haze hides a dark ridge (5 % contrast left)", "m", 1000.0, 300000.0))]
    pub visibility: f32,
    /// Let land and water dissolve in the air before they end, however clear it is.
    #[reflect(@help("Let land and water dissolve in the air before they end, however clear it is"))]
    pub hide_edge: bool,
    /// Part of the sky that is clouded: 0 to 1.
    #[reflect(@hint("Part of the sky that is clouded", "", 0.0, 1.0))]
    pub cloud_cover: f32,
    /// Height of the clouds' base in metres: 100 to 20 000.
    #[reflect(@hint("Height of the clouds' base in metres", "m", 100.0, 20000.0))]
    pub cloud_height: f32,
    /// How thick the clouds are in metres, where they are thickest: 10 to 5 000.
    #[reflect(@hint("How thick the clouds are in metres, where they are thickest", "m", 10.0, 5000.0))]
    pub cloud_thickness: f32,
    /// Part of the sunlight that clouds take from land, water and plants under them: 0 to 1. With 0 they cast no shadows.
    #[reflect(@hint("Part of the sunlight that clouds take from land, water and plants under them", "", 0.0, 1.0))]
    pub cloud_shadows: f32,
    /// Kilometres after which the clouds' pattern repeats: 1 to 200.
    #[reflect(@hint("Kilometres after which the clouds' pattern repeats", "km", 1.0, 200.0))]
    pub cloud_size: f32,
    /// Metres a second that clouds drift, along x and z: each −200 to 200.
    #[reflect(@help("Metres a second that clouds drift, along x and z"))]
    pub cloud_drift: Vec2,
    /// Stops by which cameras are exposed more (or, if negative, less) than the plugin would: −10 to 10.
    #[reflect(@hint("Stops by which cameras are exposed more (or, if negative, less) than the plugin would", "", -10.0, 10.0))]
    pub exposure: f32,
    /// How far cameras follow the light of the hour, from 0 (night is black) to 1 (night is as bright as day).
    #[reflect(@hint("How far cameras follow the light of the hour, from 0 (night is black) to 1 (night is as bright as day)", "", 0.0, 1.0))]
    pub adaptation: f32,
    /// How the sky is drawn.
    #[reflect(@help("How the sky is drawn"))]
    pub sky: SkyModel,
}

impl Default for TerrainSky {
    fn default() -> Self {
        Self {
            time: 10.0,
            latitude: 47.0,
            declination: 12.0,
            north: 0.0,
            illuminance: 120_000.0,
            visibility: 60_000.0,
            hide_edge: true,
            cloud_cover: 0.35,
            cloud_height: 2_600.0,
            cloud_thickness: 400.0,
            cloud_shadows: 0.85,
            cloud_size: 24.0,
            cloud_drift: Vec2::new(9.0, 4.0),
            exposure: 0.0,
            adaptation: 0.85,
            sky: SkyModel::Analytic,
        }
    }
}

/// Invalid sky settings.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("air.{field} is {found}; it must be from {min} to {max}")]
pub struct AirError {
    /// Name of the field.
    pub field: &'static str,
    /// What it held.
    pub found: f32,
    /// Least allowed value.
    pub min: f32,
    /// Greatest allowed value.
    pub max: f32,
}

/// Changed settings of the air were refused; everything stays as it was.
#[derive(Event, Clone, Copy, Debug)]
pub struct AirRejected {
    /// What is wrong.
    pub error: AirError,
}

impl TerrainSky {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field out of its range.
    pub fn validate(&self) -> Result<(), AirError> {
        for (field, found, min, max) in [
            ("time", self.time, 0.0, 24.0),
            ("latitude", self.latitude, -90.0, 90.0),
            ("declination", self.declination, -23.44, 23.44),
            ("north", self.north, -360.0, 360.0),
            ("illuminance", self.illuminance, 0.0, 1e6),
            ("visibility", self.visibility, 1_000.0, 300_000.0),
            ("cloud_cover", self.cloud_cover, 0.0, 1.0),
            ("cloud_height", self.cloud_height, 100.0, 20_000.0),
            ("cloud_thickness", self.cloud_thickness, 10.0, 5_000.0),
            ("cloud_shadows", self.cloud_shadows, 0.0, 1.0),
            ("cloud_size", self.cloud_size, 1.0, 200.0),
            ("cloud_drift.x", self.cloud_drift.x, -200.0, 200.0),
            ("cloud_drift.y", self.cloud_drift.y, -200.0, 200.0),
            ("exposure", self.exposure, -10.0, 10.0),
            ("adaptation", self.adaptation, 0.0, 1.0),
        ] {
            if !(min..=max).contains(&found) {
                return Err(AirError { field, found, min, max });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_air_is_named() {
        for (air, field) in [
            (TerrainSky { time: 24.5, ..default() }, "time"),
            (TerrainSky { latitude: f32::NAN, ..default() }, "latitude"),
            (TerrainSky { declination: 40.0, ..default() }, "declination"),
            (TerrainSky { visibility: 0.0, ..default() }, "visibility"),
            (TerrainSky { cloud_cover: -0.1, ..default() }, "cloud_cover"),
            (TerrainSky { cloud_drift: Vec2::new(0.0, f32::INFINITY), ..default() }, "cloud_drift.y"),
            (TerrainSky { adaptation: 2.0, ..default() }, "adaptation"),
        ] {
            assert_eq!(air.validate().unwrap_err().field, field);
        }
        assert_eq!(TerrainSky::default().validate(), Ok(()));
    }

    #[test]
    fn air_comes_back_from_a_file_as_it_was() {
        let air =
            TerrainSky { time: 6.25, cloud_drift: Vec2::new(-3.5, 0.125), sky: SkyModel::Atmosphere, ..default() };
        let text = serde_json::to_string(&air).unwrap();
        assert_eq!(serde_json::from_str::<TerrainSky>(&text).unwrap(), air);
        assert_eq!(
            serde_json::from_str::<TerrainSky>(r#"{"time": 3.0}"#).unwrap(),
            TerrainSky { time: 3.0, ..default() }
        );
        assert!(serde_json::from_str::<TerrainSky>(r#"{"tme": 3.0}"#).is_err());
    }
}
