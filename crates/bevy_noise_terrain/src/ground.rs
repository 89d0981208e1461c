//! Layers of rock, grass, sand and snow on the land (feature `ground`): [`TerrainGround`] on a terrain.
//!
//! Where each layer lies follows from height, slope, curvature and climate; the land's shader decides it for every
//! pixel, so changes need no mesh. Textures are loaded by the app's asset server, or come with this crate.

mod layer;
mod prepared;
mod textures;

pub use layer::{GroundError, GroundLayer, LayerSpan};
use prepared::PreparedGround;
use textures::GroundTextures;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::hint::{help, hint};
use crate::render::{GroundUniforms, MAX_LAYERS};
use crate::terrain::NoiseTerrain;
use crate::{TerrainSystems, gpu};

/// Draws the layers of [`TerrainGround`]. Part of [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin); without it the land
/// is plain.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainGroundPlugin;

impl Plugin for TerrainGroundPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TerrainGround>();
        // Terrains that were spawned before the plugin was added stay plain until they are given a ground.
        let _ = app.try_register_required_components::<NoiseTerrain, TerrainGround>();
        app.add_systems(PostUpdate, prepared::prepare_ground.in_set(TerrainSystems::Apply));
        if gpu::has_renderer(app) {
            textures::embed(app);
            app.add_systems(
                PostUpdate,
                (textures::load_textures, prepared::update_uniforms).chain().in_set(TerrainSystems::Show),
            );
        }
    }
}

/// The layers of the ground, and how they meet. Change any field at any time; no mesh is rebuilt.
///
/// Layers are laid one over the other in their order, each where its spans of height, slope, curvature and
/// moisture say. Where two meet, the one whose surface stands higher shows first: sand fills the gaps between
/// stones before it covers them.
///
/// ```
/// # use bevy_noise_terrain::prelude::*;
/// let mut ground = TerrainGround::default();
/// ground.layers.retain(|layer| layer.name != "snow"); // a warmer world
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[reflect(Component, Default)]
#[require(PreparedGround, GroundTextures, GroundUniforms)]
#[serde(default, deny_unknown_fields)]
pub struct TerrainGround {
    /// From the lowest to the one on top: 1 to 8. The lowest lies wherever no other does.
    pub layers: Vec<GroundLayer>,
    /// Width of wet and dry regions, in metres: 16 to 8 192.
    #[reflect(@hint("Width of wet and dry regions", "m", 16.0, 8_192.0))]
    pub moisture_size: f32,
    /// How much warmth, which differs from place to place, moves spans of height up and down, in metres: 0 to 2 000.
    #[reflect(@hint("How much warmth, which differs from place to place, moves spans of height up and down", "m", 0.0, 2_000.0))]
    pub warmth: f32,
    /// How far one layer fades into another where they meet, from 0.02 (by their surfaces' heights alone) to 1
    /// (a cross-fade).
    #[reflect(@hint("How far one layer fades into another, from by their surfaces' heights alone to a cross-fade", "", 0.02, 1.0))]
    pub softness: f32,
    /// Strength of the textures' own relief: 0 to 2.
    #[reflect(@hint("Strength of the textures' own relief", "", 0.0, 2.0))]
    pub bump: f32,
    /// Strength of the shading that is finer than the mesh, which keeps far slopes crisp: 0 to 1. 0 builds none.
    #[reflect(@hint("Strength of the shading that is finer than the mesh, which keeps far slopes crisp", "", 0.0, 1.0))]
    pub relief: f32,
    /// Tint the chunks by level of detail.
    #[reflect(@help("Tint the land by level of detail"))]
    pub show_levels: bool,
    /// Tint by how far vertices have moved to their parents' surfaces.
    #[reflect(@help("Tint by how far vertices have moved to their parents' surfaces: blue not at all, orange wholly"))]
    pub show_morph: bool,
    /// Draw the edges of the triangles.
    #[reflect(@help("Draw the edges of the triangles"))]
    pub show_mesh: bool,
}

impl Default for TerrainGround {
    fn default() -> Self {
        Self {
            layers: GroundLayer::temperate(),
            moisture_size: 900.0,
            warmth: 170.0,
            softness: 0.15,
            bump: 1.0,
            relief: 1.0,
            show_levels: false,
            show_morph: false,
            show_mesh: false,
        }
    }
}

impl TerrainGround {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn validate(&self) -> Result<(), GroundError> {
        if self.layers.is_empty() || self.layers.len() > MAX_LAYERS {
            return Err(GroundError::Layers { found: self.layers.len(), max: MAX_LAYERS });
        }
        for (field, found, min, max) in [
            ("moisture_size", self.moisture_size, 16.0, 8_192.0),
            ("warmth", self.warmth, 0.0, 2_000.0),
            ("softness", self.softness, 0.02, 1.0),
            ("bump", self.bump, 0.0, 2.0),
            ("relief", self.relief, 0.0, 1.0),
        ] {
            within(found, min, max, || field.to_owned())?;
        }
        for (index, layer) in self.layers.iter().enumerate() {
            for (field, found, min, max) in layer.ranges() {
                within(found, min, max, || format!("layers[{index}].{field}"))?;
            }
        }
        Ok(())
    }
}

fn within(found: f32, min: f32, max: f32, field: impl Fn() -> String) -> Result<(), GroundError> {
    if (min..=max).contains(&found) {
        return Ok(());
    }
    Err(GroundError::Field { field: field(), found, min, max })
}

/// Changed [`TerrainGround`] was refused; the land looks as it did. Targets the terrain's entity.
#[derive(EntityEvent, Clone, Debug)]
pub struct GroundRejected {
    /// The terrain's entity.
    pub entity: Entity,
    /// What is wrong.
    pub error: GroundError,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_valid_and_survives_a_file() {
        let ground = TerrainGround::default();
        assert_eq!(ground.validate(), Ok(()));
        let text = ron::to_string(&ground).unwrap();
        assert_eq!(ron::from_str::<TerrainGround>(&text).unwrap(), ground);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let rejected = |change: fn(&mut TerrainGround)| {
            let mut ground = TerrainGround::default();
            change(&mut ground);
            ground.validate().unwrap_err().to_string()
        };
        assert!(rejected(|ground| ground.layers.clear()).contains("layers are 0"));
        assert!(rejected(|ground| ground.bump = f32::NAN).contains("ground.bump is NaN"));
        assert!(rejected(|ground| ground.layers[1].tile = 0.0).contains("ground.layers[1].tile is 0"));
        assert!(rejected(|ground| ground.layers[0].slope.soft = -1.0).contains("ground.layers[0].slope.soft is -1"));
    }
}
