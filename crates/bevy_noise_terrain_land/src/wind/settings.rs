//! Settings of the wind.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::settings::{self, Settings, SettingsError, settings};

settings! {
    /// How the wind blows near the ground. [`TerrainWindPlugin`](super::TerrainWindPlugin) inserts the default; change any
    /// field at any time. Nothing jumps when speed, heading, gusts or veer change.
    ///
    /// Settings that [`validate`](Self::validate) rejects change nothing and are reported by
    /// [`SettingsRejected`](crate::SettingsRejected).
    #[derive(Resource, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Resource, Default)]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainWind {
        /// Mean speed in metres per second: 4 moves twigs, 10 whole trees, 20 is a storm.
        pub speed: f32 = 4.0, [0.0..=80.0, "m/s"], slider [0.0..=25.0];
        /// Direction in which it blows, in degrees clockwise from −z as seen from above.
        pub heading: f32 = 115.0, [-360.0..=360.0, "°"];
        /// By how much the speed departs from the mean in the strongest gusts and in the calms between them, as a
        /// fraction of it.
        pub gusts: f32 = 0.75, [0.0..=1.0];
        /// Width of the broader gusts in metres.
        pub gust_size: f32 = 90.0, [2.0..=10_000.0, "m"], slider [10.0..=500.0];
        /// By how much the direction departs from the heading at most, in degrees.
        pub veer: f32 = 25.0, [0.0..=90.0, "°"];
    }
}

impl Settings for TerrainWind {
    const NAME: &str = "wind";
}

impl TerrainWind {
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
    fn wind_settings_survive_a_file() {
        let settings = TerrainWind { speed: 12.5, heading: -30.0, ..default() };
        let text = write_ron_line(&settings).unwrap();
        assert_eq!(read_ron::<TerrainWind>(&text).unwrap(), settings);
        assert!(read_ron::<TerrainWind>("(gust: 1.0)").is_err());
    }
}
