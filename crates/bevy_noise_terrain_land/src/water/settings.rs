//! Settings of the water.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::query::Surface;
use crate::settings::{self, Settings, SettingsError, settings};

settings! {
    /// Floods the terrain that has this component. Change any field at any time; remove it to remove the water.
    ///
    /// Settings that [`validate`](Self::validate) rejects change nothing and are reported by
    /// [`SettingsRejected`](crate::SettingsRejected).
    /// The water extends to the horizon; where no land is loaded it is drawn as deep water.
    #[derive(Component, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Component, Default)]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainWater {
        /// Height of the water's surface in metres.
        pub level: f32 = 0.0, [-100_000.0..=100_000.0, "m"], slider [-200.0..=2_000.0];
        /// Albedo of shallow water.
        pub shallow: LinearRgba = LinearRgba::rgb(0.040, 0.150, 0.140), [0.0..=1.0];
        /// Albedo of deep water.
        pub deep: LinearRgba = LinearRgba::rgb(0.006, 0.028, 0.050), [0.0..=1.0];
        /// Depth in metres at which the ground is still a third visible.
        pub clarity: f32 = 4.0, [0.05..=1_000.0, "m"], slider [0.5..=50.0];
        /// Width of the foam along the shore in metres; 0 for none.
        pub foam_width: f32 = 5.0, [0.0..=200.0, "m"];
        /// Height of the larger waves from trough to crest, in metres; 0 for a mirror.
        /// Near viewers long waves displace the surface; all others tilt its normal or make it rougher.
        pub wave_height: f32 = 0.5, [0.0..=10.0, "m"];
        /// Length of the longest waves in metres.
        pub wave_length: f32 = 24.0, [0.5..=500.0, "m"];
        /// Direction in which the waves run, in degrees clockwise from −z as seen from above.
        pub wave_heading: f32 = 60.0, [-360.0..=360.0, "°"];
        /// Speed of the waves relative to real ones of their length; 0 freezes them.
        pub wave_speed: f32 = 1.0, [0.0..=10.0];
        /// Roughness of the surface between the waves.
        pub roughness: f32 = 0.10, [0.02..=1.0];
    }
}

impl Settings for TerrainWater {
    const NAME: &str = "water";
}

impl TerrainWater {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first invalid field, its value and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }

    /// Metres of water at rest over the land at an absolute position, x and z; 0 on land.
    pub fn depth(&self, land: &Surface, x: f64, z: f64) -> f64 {
        (f64::from(self.level) - land.height(x, z)).max(0.0)
    }
}

/// Reports invalid settings where nothing draws the water.
pub(super) fn report_invalid(mut commands: Commands, waters: Query<(Entity, &TerrainWater), Changed<TerrainWater>>) {
    for (terrain, water) in &waters {
        if let Err(error) = water.validate() {
            settings::reject(&mut commands, Some(terrain), error);
        }
    }
}

#[cfg(test)]
mod tests {
    use terrain_noise::{read_ron, write_ron_line};

    use super::*;

    #[test]
    fn water_settings_survive_a_file() {
        let settings =
            TerrainWater { level: 412.5, deep: LinearRgba::rgb(0.1, 0.2, 0.3), wave_height: 0.0, ..default() };
        let text = write_ron_line(&settings).unwrap();
        assert_eq!(read_ron::<TerrainWater>(&text).unwrap(), settings);
        assert!(read_ron::<TerrainWater>("(lvl: 3.0)").is_err());
    }

    #[test]
    fn depth_is_over_land() {
        let at = |height| {
            let noise = terrain_noise::constant(height);
            let land = crate::NoiseTerrain { noise, ..default() }.surface().unwrap();
            TerrainWater { level: 10.0, ..default() }.depth(&land, 1e6, -3.0)
        };
        assert_eq!([at(4.0), at(10.0), at(20.0)], [6.0, 0.0, 0.0]);
    }
}
