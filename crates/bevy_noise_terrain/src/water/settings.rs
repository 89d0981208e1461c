//! What the sea is like.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::hint::{help, hint};

/// Floods the terrain it is put on. Change any field at any time; take it off, and the land falls dry.
///
/// Settings that [`validate`](Self::validate) refuses leave the sea as it was and are reported by [`SeaRejected`].
/// The sea reaches to the horizon; where no land is loaded it is as deep as can be.
#[derive(Component, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[reflect(Component, Default)]
#[serde(default, deny_unknown_fields)]
pub struct TerrainWater {
    /// Height of the surface in metres: ±100 000.
    #[reflect(@hint("Height of the surface in metres", "m", -100000.0, 100000.0))]
    pub level: f32,
    /// Colour of the water where it is shallow: what it scatters back of white light.
    #[reflect(@help("Colour of the water where it is shallow"))]
    pub shallow: LinearRgba,
    /// Its colour where it is deep.
    #[reflect(@help("Its colour where it is deep"))]
    pub deep: LinearRgba,
    /// Depth in metres at which a third of the ground still shows: 0.05 to 1 000.
    #[reflect(@hint("Depth in metres at which a third of the ground still shows", "m", 0.05, 1000.0))]
    pub clarity: f32,
    /// Width of the foam along the shore in metres; 0 for none, up to 200.
    #[reflect(@hint("Width of the foam along the shore in metres", "m", 0.0, 200.0))]
    pub foam_width: f32,
    /// Height of the waves in metres, from trough to crest of the larger ones: 0 (a mirror) to 10. Near viewers long
    /// waves move the surface; all others tilt its normal or make it rougher.
    #[reflect(@hint("Height of the waves in metres", "m", 0.0, 10.0))]
    pub wave_height: f32,
    /// Length of the longest waves in metres: 0.5 to 500.
    #[reflect(@hint("Length of the longest waves in metres", "m", 0.5, 500.0))]
    pub wave_length: f32,
    /// Where the waves run, in degrees clockwise from −z seen from above: −360 to 360.
    #[reflect(@hint("Where the waves run", "°", -360.0, 360.0))]
    pub wave_heading: f32,
    /// How fast waves run against what nature has for their length: 0 (frozen) to 10.
    #[reflect(@hint("How fast waves run against what nature has for their length", "", 0.0, 10.0))]
    pub wave_speed: f32,
    /// Roughness of the surface between the waves: 0.02 to 1.
    #[reflect(@hint("Roughness of the surface between the waves", "", 0.02, 1.0))]
    pub roughness: f32,
}

impl Default for TerrainWater {
    fn default() -> Self {
        Self {
            level: 0.0,
            shallow: LinearRgba::rgb(0.040, 0.150, 0.140),
            deep: LinearRgba::rgb(0.006, 0.028, 0.050),
            clarity: 4.0,
            foam_width: 5.0,
            wave_height: 0.5,
            wave_length: 24.0,
            wave_heading: 60.0,
            wave_speed: 1.0,
            roughness: 0.10,
        }
    }
}

/// A sea that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("sea.{field} is {found}; it must be from {min} to {max}")]
pub struct SeaError {
    /// Name of the field.
    pub field: &'static str,
    /// What it held.
    pub found: f32,
    /// Least allowed value.
    pub min: f32,
    /// Greatest allowed value.
    pub max: f32,
}

/// Changed settings of a sea were refused; the sea stays as it was. Targets the terrain's entity.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct SeaRejected {
    /// The terrain's entity.
    pub entity: Entity,
    /// What is wrong.
    pub error: SeaError,
}

impl TerrainWater {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field out of its range.
    pub fn validate(&self) -> Result<(), SeaError> {
        let darkest = |color: LinearRgba| color.red.min(color.green).min(color.blue);
        let brightest = |color: LinearRgba| color.red.max(color.green).max(color.blue);
        for (field, found, min, max) in [
            ("level", self.level, -100_000.0, 100_000.0),
            ("shallow", darkest(self.shallow), 0.0, 1.0),
            ("shallow", brightest(self.shallow), 0.0, 1.0),
            ("deep", darkest(self.deep), 0.0, 1.0),
            ("deep", brightest(self.deep), 0.0, 1.0),
            ("clarity", self.clarity, 0.05, 1_000.0),
            ("foam_width", self.foam_width, 0.0, 200.0),
            ("wave_height", self.wave_height, 0.0, 10.0),
            ("wave_length", self.wave_length, 0.5, 500.0),
            ("wave_heading", self.wave_heading, -360.0, 360.0),
            ("wave_speed", self.wave_speed, 0.0, 10.0),
            ("roughness", self.roughness, 0.02, 1.0),
        ] {
            if !(min..=max).contains(&found) {
                return Err(SeaError { field, found, min, max });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_sea_is_named() {
        for (sea, field) in [
            (TerrainWater { level: f32::NAN, ..default() }, "level"),
            (TerrainWater { deep: LinearRgba::rgb(0.0, -1.0, 0.0), ..default() }, "deep"),
            (TerrainWater { shallow: LinearRgba::rgb(0.0, 2.0, 0.0), ..default() }, "shallow"),
            (TerrainWater { clarity: 0.0, ..default() }, "clarity"),
            (TerrainWater { wave_length: 0.0, ..default() }, "wave_length"),
            (TerrainWater { roughness: 1.5, ..default() }, "roughness"),
        ] {
            assert_eq!(sea.validate().unwrap_err().field, field);
        }
        assert_eq!(TerrainWater::default().validate(), Ok(()));
    }

    #[test]
    fn a_sea_comes_back_from_a_file_as_it_was() {
        let sea = TerrainWater { level: 412.5, deep: LinearRgba::rgb(0.1, 0.2, 0.3), wave_height: 0.0, ..default() };
        let text = serde_json::to_string(&sea).unwrap();
        assert_eq!(serde_json::from_str::<TerrainWater>(&text).unwrap(), sea);
        assert!(serde_json::from_str::<TerrainWater>(r#"{"lvl": 3.0}"#).is_err());
    }
}
