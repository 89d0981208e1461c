//! Origins that are no places are refused.

use bevy::prelude::*;

use crate::settings::{SettingsError, reject};
use crate::terrain::TerrainOrigin;

/// On a terrain: its last valid origin, and what has been refused since.
#[derive(Component, Default)]
pub(crate) struct SoundOrigin {
    origin: TerrainOrigin,
    refused: Option<SettingsError>,
}

/// Puts the last valid origin in the place of one that is not valid.
pub(crate) fn check_origins(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut TerrainOrigin, &mut SoundOrigin), Changed<TerrainOrigin>>,
) {
    for (terrain, mut origin, mut sound) in &mut terrains {
        match origin.validate() {
            Ok(()) => *sound = SoundOrigin { origin: *origin, refused: None },
            Err(error) => {
                *origin = sound.origin;
                // An app may give the same again in every frame.
                if sound.refused.as_ref() != Some(&error) {
                    sound.refused = Some(error.clone());
                    reject(&mut commands, Some(terrain), error);
                }
            }
        }
    }
}
