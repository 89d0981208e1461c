//! From the settings of the ground to the renderer's uniforms.

use bevy::prelude::*;

use super::PreparedGround;
use super::textures::GroundTextures;
use crate::climate::{ClimateRecord, TerrainClimate, ValueNoiseRecord};
use crate::layers::{LayerRecord, MAX_LAYERS};
use crate::patches::{Mask, PatchesRecord};
use crate::render::{GroundUniforms, PageInputs};
use crate::streaming::TerrainState;
use crate::terrain::TerrainOrigin;

/// Updates the renderer's uniforms.
pub fn update_uniforms(
    mut grounds: Query<(
        &PreparedGround,
        &GroundTextures,
        &TerrainState,
        &TerrainOrigin,
        &mut GroundUniforms,
        &mut PageInputs,
    )>,
) {
    for (ground, textures, land, origin, mut uniforms, mut pages) in &mut grounds {
        let climate = land.climate();
        if uniforms.set_if_neq(ground.uniforms(&climate, origin, textures)) {
            pages.set_ground(ground.uniforms(&climate, &TerrainOrigin::default(), textures));
        }
    }
}

impl PreparedGround {
    /// The settings as uniforms.
    fn uniforms(&self, climate: &TerrainClimate, origin: &TerrainOrigin, textures: &GroundTextures) -> GroundUniforms {
        let ground = self.ground();
        let mut layers = [LayerRecord::default(); MAX_LAYERS];
        for (record, layer) in layers.iter_mut().zip(&ground.layers) {
            *record = LayerRecord::new(layer, climate, origin, textures.find(&layer.albedo, &layer.normal));
        }
        let mut layer_patches = [PatchesRecord::default(); MAX_LAYERS];
        for (record, layer) in layer_patches.iter_mut().zip(&ground.layers) {
            *record = PatchesRecord::new(layer.patches.as_ref().and_then(Mask::new).as_ref(), [origin.x, origin.z]);
        }
        let flags = [ground.show_levels, ground.show_morph, ground.show_mesh];
        GroundUniforms {
            layers,
            layer_patches,
            noises: ValueNoiseRecord::all(climate, [origin.x, origin.z]),
            climate: ClimateRecord::new(climate, origin.z),
            softness: ground.softness,
            bump: ground.bump,
            detail_normals: ground.detail_normals,
            layer_count: ground.layers.len() as u32,
            flags: flags.iter().enumerate().map(|(bit, &is_on)| u32::from(is_on) << bit).sum(),
            padding: [0; 3],
        }
    }
}
