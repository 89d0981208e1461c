//! The ground's uniforms. `bindings.wesl` declares the same layout.

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use crate::climate::{ClimateRecord, NOISES, TerrainClimate, ValueNoiseRecord};
use crate::layers::{LayerRecord, MAX_LAYERS};
use crate::patches::PatchesRecord;
use crate::span::ENDLESS;

/// The ground's uniforms.
#[derive(Component, Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct GroundUniforms {
    /// The layers, lowest first.
    pub layers: [LayerRecord; MAX_LAYERS],
    /// The patches in which each of them lies.
    pub layer_patches: [PatchesRecord; MAX_LAYERS],
    /// The noises of climate and ground.
    pub noises: [ValueNoiseRecord; NOISES],
    /// What layers and plants follow.
    pub climate: ClimateRecord,
    /// Softness of the seams.
    pub softness: f32,
    /// Strength of the textures' normals.
    pub bump: f32,
    /// Strength of the detail normals.
    pub detail_normals: f32,
    /// Layers in use.
    pub layer_count: u32,
    /// Bit flags: 1 tints by level, 2 tints by morph, 4 draws triangle edges.
    pub flags: u32,
    /// Pads the size to a multiple of 16 bytes.
    pub padding: [u32; 3],
}

impl Default for GroundUniforms {
    /// One plain layer.
    fn default() -> Self {
        let everywhere = [-ENDLESS, ENDLESS, 1.0, 0.0];
        let mut layers = [LayerRecord::default(); MAX_LAYERS];
        layers[0] = LayerRecord {
            color: [0.16, 0.15, 0.11, 0.0],
            scale: [0.16, 0.15, 0.11, -1.0],
            spans: [everywhere; 5],
            ..default()
        };
        Self {
            layers,
            layer_patches: [PatchesRecord::default(); MAX_LAYERS],
            noises: ValueNoiseRecord::all(&TerrainClimate::default(), [0.0; 2]),
            climate: ClimateRecord::new(&TerrainClimate::default(), 0.0),
            softness: 1.0,
            bump: 0.0,
            detail_normals: 1.0,
            layer_count: 1,
            flags: 0,
            padding: [0; 3],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_records_are_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<LayerRecord>(), 176);
        assert_eq!(size_of::<GroundUniforms>(), MAX_LAYERS * (176 + 272) + NOISES * 64 + 48 + 32);
        assert_eq!(std::mem::offset_of!(GroundUniforms, climate) % 16, 0);
        assert_eq!(std::mem::offset_of!(GroundUniforms, noises) % 16, 0);
    }
}
