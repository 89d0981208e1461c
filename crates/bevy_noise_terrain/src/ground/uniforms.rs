//! From the settings of the ground to the renderer's uniforms.

use bevy::prelude::*;

use super::PreparedGround;
use super::textures::GroundTextures;
use crate::layers::{LayerRecord, MAX_LAYERS, PatchesRecord};
use crate::render::GroundUniforms;
use crate::terrain::TerrainOrigin;

/// Updates the renderer's uniforms.
pub fn update_uniforms(mut grounds: Query<(&PreparedGround, &GroundTextures, &TerrainOrigin, &mut GroundUniforms)>) {
    for (ground, textures, origin, mut uniforms) in &mut grounds {
        uniforms.set_if_neq(ground.uniforms(origin, textures));
    }
}

impl PreparedGround {
    /// The settings as uniforms.
    fn uniforms(&self, origin: &TerrainOrigin, textures: &GroundTextures) -> GroundUniforms {
        let ground = self.ground();
        let mut layers = [LayerRecord::default(); MAX_LAYERS];
        for (record, layer) in layers.iter_mut().zip(&ground.layers) {
            *record = LayerRecord::new(layer, origin, textures.find(&layer.albedo, &layer.normal));
        }
        let flags = [ground.show_levels, ground.show_morph, ground.show_mesh];
        GroundUniforms {
            layers,
            patches: PatchesRecord::all(origin, ground.moisture_size),
            warmth: ground.warmth,
            softness: ground.softness,
            bump: ground.bump,
            detail_normals: ground.detail_normals,
            layer_count: ground.layers.len() as u32,
            flags: flags.iter().enumerate().map(|(bit, &is_on)| u32::from(is_on) << bit).sum(),
            padding: [0; 2],
        }
    }
}
