//! What the air is like.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::settings::{self, Settings, SettingsError, settings};

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

settings! {
    /// The air and the time of day. [`TerrainSkyPlugin`](super::TerrainSkyPlugin) inserts the default; change any field
    /// at any time.
    ///
    /// Settings that [`validate`](Self::validate) refuses leave everything as it was and are reported by
    /// [`SettingsRejected`](crate::SettingsRejected).
    #[derive(Resource, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Resource, Default)]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainSky {
        /// True solar time in hours: the sun is highest at 12.
        pub time: f32 = 10.0, [0.0..=24.0, "h"];
        /// Degrees north of the equator.
        pub latitude: f32 = 47.0, [-90.0..=90.0, "°"];
        /// Degrees by which the noon sun stands north of the equator, least in December and most in June.
        pub declination: f32 = 12.0, [-23.44..=23.44, "°"];
        /// Degrees, clockwise seen from above, from −z to north.
        pub north: f32 = 0.0, [-360.0..=360.0, "°"];
        /// Sunlight above the air in lux, on a surface that faces it.
        pub illuminance: f32 = 120_000.0, [0.0..=1_000_000.0, "lx"];
        /// Metres at which haze hides a dark ridge (5 % contrast left).
        pub visibility: f32 = 60_000.0, [1_000.0..=300_000.0, "m"];
        /// Let land and water dissolve in the air before they end, however clear it is.
        pub hide_edge: bool = true;
        /// Part of the sky that is clouded.
        pub cloud_cover: f32 = 0.35, [0.0..=1.0];
        /// Height of the clouds' base in metres.
        pub cloud_height: f32 = 2_600.0, [100.0..=20_000.0, "m"];
        /// How thick the clouds are in metres, where they are thickest.
        pub cloud_thickness: f32 = 400.0, [10.0..=5_000.0, "m"];
        /// Part of the sunlight that clouds take from land, water and plants under them. With 0 they cast no shadows.
        pub cloud_shadows: f32 = 0.85, [0.0..=1.0];
        /// Kilometres after which the clouds' pattern repeats.
        pub cloud_size: f32 = 24.0, [1.0..=200.0, "km"];
        /// Metres a second that clouds drift, along x and z.
        pub cloud_drift: Vec2 = Vec2::new(9.0, 4.0), [-200.0..=200.0, "m/s"];
        /// Stops by which cameras are exposed more (or, if negative, less) than the plugin would.
        pub exposure: f32 = 0.0, [-10.0..=10.0];
        /// How far cameras follow the light of the hour, from 0 (night is black) to 1 (night is as bright as day).
        pub adaptation: f32 = 0.85, [0.0..=1.0];
        /// How the sky is drawn.
        pub sky: SkyModel = SkyModel::Analytic;
    }
}

impl Settings for TerrainSky {
    const NAME: &str = "sky";
}

impl TerrainSky {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn air_comes_back_from_a_file_as_it_was() {
        let settings =
            TerrainSky { time: 6.25, cloud_drift: Vec2::new(-3.5, 0.125), sky: SkyModel::Atmosphere, ..default() };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<TerrainSky>(&text).unwrap(), settings);
        assert_eq!(
            serde_json::from_str::<TerrainSky>(r#"{"time": 3.0}"#).unwrap(),
            TerrainSky { time: 3.0, ..default() }
        );
        assert!(serde_json::from_str::<TerrainSky>(r#"{"tme": 3.0}"#).is_err());
    }
}
