//! Settings of sky and air.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::settings::{self, Settings, SettingsError, settings};

/// How the sky is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect, Serialize, Deserialize)]
pub enum SkyModel {
    /// Scattering computed on the CPU whenever the sun has moved, drawn from a small table. Runs everywhere.
    #[default]
    Analytic,
    /// Bevy's own [`Atmosphere`](bevy::light::Atmosphere) instead of this plugin's sky, clouds and fog. It makes
    /// cameras HDR. Falls back to [`Analytic`](Self::Analytic) on software adapters, where some drivers crash in it,
    /// and on devices with fewer than nine storage buffers per shader stage, which the terrain then needs.
    /// Not covered by the automatic tests.
    Atmosphere,
}

/// How clouds are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect, Serialize, Deserialize)]
pub enum CloudModel {
    /// Clouds with a body: rays are followed through the layer. They are lit from the side, dark below and bright at their
    /// edges.
    #[default]
    Volumetric,
    /// A pattern on a thin layer: a tenth of the texture lookups.
    Flat,
}

settings! {
    /// The time of day, the air and the clouds. [`TerrainSkyPlugin`](super::TerrainSkyPlugin) inserts the default;
    /// change any field at any time.
    ///
    /// Settings that [`validate`](Self::validate) rejects change nothing and are reported by
    /// [`SettingsRejected`](crate::SettingsRejected).
    #[derive(Resource, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Resource, Default)]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainSky {
        /// True solar time in hours: the sun is highest at 12.
        pub time: f32 = 10.0, [0.0..=24.0, "h"];
        /// Latitude in degrees north of the equator.
        pub latitude: f32 = 47.0, [-90.0..=90.0, "°"];
        /// The sun's declination in degrees: negative in the northern winter, positive in the northern summer.
        pub declination: f32 = 12.0, [-23.44..=23.44, "°"];
        /// Degrees from −z to north, clockwise as seen from above.
        pub north: f32 = 0.0, [-360.0..=360.0, "°"];
        /// Sunlight above the atmosphere in lux, on a surface that faces the sun.
        pub illuminance: f32 = 120_000.0, [0.0..=1_000_000.0, "lx"];
        /// Distance in metres at which haze hides a dark ridge (5 % of its contrast is left).
        pub visibility: f32 = 60_000.0, [1_000.0..=300_000.0, "m"];
        /// Fade land and water into the haze before they end, however clear the air is.
        pub hide_edge: bool = true;
        /// Fraction of the sky that is covered by clouds.
        pub cloud_cover: f32 = 0.35, [0.0..=1.0];
        /// By how much more of the sky clouds cover over wet regions of the land's
        /// [climate](crate::NoiseTerrain::climate), and by how much less over dry ones, where these are wider than 2 km; from
        /// 6 km on fully.
        pub cloud_climate: f32 = 0.35, [0.0..=1.0];
        /// Height of the clouds' base in metres.
        pub cloud_height: f32 = 2_600.0, [100.0..=20_000.0, "m"];
        /// Greatest thickness of the clouds in metres.
        pub cloud_thickness: f32 = 900.0, [10.0..=5_000.0, "m"];
        /// How clouds are drawn.
        pub clouds: CloudModel = CloudModel::Volumetric;
        /// Veils of ice far above the other clouds, from none to everywhere.
        pub cirrus: f32 = 0.35, [0.0..=1.0];
        /// Fraction of the sunlight that clouds take from land, water and plants; with 0 they cast no shadows.
        pub cloud_shadows: f32 = 0.85, [0.0..=1.0];
        /// Kilometres after which the clouds' pattern repeats.
        pub cloud_size: f32 = 24.0, [1.0..=200.0, "km"];
        /// Speed of the clouds relative to the [wind](crate::wind::TerrainWind) at the ground.
        pub cloud_wind: f32 = 2.4, [0.0..=20.0], slider [0.0..=5.0];
        /// Drift of the clouds along x and z besides that with the wind, in metres per second.
        pub cloud_drift: Vec2 = Vec2::ZERO, [-200.0..=200.0, "m/s"];
        /// Exposure compensation of cameras in stops; positive is brighter.
        pub exposure: f32 = 0.0, [-10.0..=10.0];
        /// How far exposure adapts to the light, from 0 (night is black) to 1 (night is as bright as day).
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
    /// Names the first invalid field, its value and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }
}

#[cfg(test)]
mod tests {
    use terrain_noise::{read_ron, write_ron_line};

    use super::*;

    #[test]
    fn sky_settings_survive_a_file() {
        let settings =
            TerrainSky { time: 6.25, cloud_drift: Vec2::new(-3.5, 0.125), sky: SkyModel::Atmosphere, ..default() };
        let text = write_ron_line(&settings).unwrap();
        assert_eq!(read_ron::<TerrainSky>(&text).unwrap(), settings);
        assert_eq!(read_ron::<TerrainSky>("(time: 3.0)").unwrap(), TerrainSky { time: 3.0, ..default() });
        assert!(read_ron::<TerrainSky>("(tme: 3.0)").is_err());
    }
}
