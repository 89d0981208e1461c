//! The settings of tiles.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::settings::{self, Settings, SettingsError, settings};

settings! {
    /// How far ahead tiles of a terrain are sampled, and how many are kept; every terrain has it.
    #[derive(Component, Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Component, Default)]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainTiles {
        /// Seconds ahead of a moving body for which heights are sampled in the background, and tiles spawned little by little.
        /// What is missing nevertheless is sampled in the tick that needs it.
        pub lookahead: f32 = 0.5, [0.0..=30.0, "s"];
        /// Tiles kept after the last body has left them, for bodies that come back.
        /// One takes 18 KB, and its collider about as much again.
        pub spare: u32 = 256, [0..=65_536];
        /// Trunks and rocks of [`TerrainScatter`](crate::scatter::TerrainScatter) stand on tiles as entities: see
        /// [`TileObject`](crate::tiles::TileObject).
        /// They are placed in the tick that needs the tile.
        pub objects: bool = false;
    }
}

impl Settings for TerrainTiles {
    const NAME: &str = "tiles";
}

impl TerrainTiles {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }
}
