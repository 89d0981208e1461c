//! Layers of rock, grass, sand and snow on the land: [`TerrainGround`] on a terrain.
//!
//! Where each layer lies follows from height, slope, curvature and climate; a shader decides it once for each
//! chunk that is drawn, so changes rebuild no mesh, and [`TerrainGround::shares`] answers it anywhere. Feature `ground` draws the layers: textures
//! are loaded by the app's asset server or come with this crate.

mod layer;
mod prepared;
mod record;
mod shares;
#[cfg(feature = "ground")]
mod textures;
#[cfg(feature = "ground")]
mod uniforms;

pub use crate::span::LayerSpan;
pub use layer::GroundLayer;
use prepared::PreparedGround;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::layers::MAX_LAYERS;
use crate::settings::{self, Settings, SettingsError, settings};
use crate::{TerrainSystems, terrain};

/// Gives every terrain a [`TerrainGround`], and draws its layers (feature `ground`): else the land is plain. Part of
/// [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin).
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainGroundPlugin;

impl Plugin for TerrainGroundPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TerrainGround>();
        terrain::require::<TerrainGround>(app);
        app.add_systems(PostUpdate, prepared::prepare_ground.in_set(TerrainSystems::Apply));
        #[cfg(feature = "ground")]
        if crate::gpu::has_renderer(app) {
            textures::embed(app);
            app.add_systems(
                PostUpdate,
                (textures::load_textures, uniforms::update_uniforms).chain().in_set(TerrainSystems::Show),
            );
        }
    }
}

settings! {
    /// The layers of the ground, and how they meet. Change any field at any time; no mesh is rebuilt.
    ///
    /// Layers are stacked in their order, each within its spans of height, slope, curvature, moisture and temperature, and
    /// its patches. Where two meet, the one whose surface is higher shows first: sand fills the gaps between stones before it
    /// covers them.
    ///
    /// Settings that [`validate`](Self::validate) rejects change nothing and are reported by
    /// [`SettingsRejected`](crate::SettingsRejected).
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy_noise_terrain::prelude::*;
    /// let mut ground = TerrainGround::default();
    /// ground.layers.retain(|layer| layer.name != "snow"); // a warmer world
    /// ```
    #[derive(Component, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Component, Default)]
    #[require(PreparedGround)]
    #[cfg_attr(feature = "ground", require(textures::GroundTextures, crate::render::GroundUniforms))]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainGround {
        /// The layers from bottom to top, 1 to 8. The bottom one covers whatever no other does.
        pub layers: Vec<GroundLayer> = GroundLayer::temperate();
        /// How far layers fade into each other: from 0.02 (by their surfaces' heights only) to 1 (a cross-fade).
        pub softness: f32 = 0.15, [0.02..=1.0];
        /// Strength of the textures' normal maps.
        pub bump: f32 = 1.0, [0.0..=2.0];
        /// Strength of the detail normals, finer than the mesh, that keep distant slopes crisp. 0 builds none.
        #[serde(alias = "relief")]
        pub detail_normals: f32 = 1.0, [0.0..=1.0];
        /// Tint the ground by level of detail.
        pub show_levels: bool = false;
        /// Tint the ground by how far vertices have morphed: blue not at all, orange completely.
        pub show_morph: bool = false;
        /// Draw the edges of the triangles.
        pub show_mesh: bool = false;
    }
}

impl Settings for TerrainGround {
    const NAME: &str = "ground";

    fn check(&self) -> Result<(), SettingsError> {
        let count = self.layers.len();
        if (1..=MAX_LAYERS).contains(&count) {
            return Ok(());
        }
        Err(SettingsError::new("layers", format!("{count} layers"), format!("1 to {MAX_LAYERS} layers")))
    }
}

impl TerrainGround {
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
    fn the_default_is_valid_and_survives_a_file() {
        let ground = TerrainGround::default();
        assert_eq!(ground.validate(), Ok(()));
        let text = write_ron_line(&ground).unwrap();
        assert_eq!(read_ron::<TerrainGround>(&text).unwrap(), ground);
    }

    #[test]
    fn there_are_one_to_eight_layers() {
        let error = |layers| TerrainGround { layers, ..default() }.validate().unwrap_err().to_string();
        assert_eq!(error(Vec::new()), "ground.layers: found 0 layers, allowed is 1 to 8 layers");
        assert_eq!(error(vec![default(); 9]), "ground.layers: found 9 layers, allowed is 1 to 8 layers");
    }
}
