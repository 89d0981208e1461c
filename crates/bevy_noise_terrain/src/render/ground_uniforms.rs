//! The ground's uniforms. `bindings.wgsl` declares the same layout.

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use crate::layers::{ENDLESS, LayerRecord, MAX_LAYERS, PATCHES, PatchesRecord};
use crate::terrain::TerrainOrigin;

/// The ground's uniforms.
#[derive(Component, Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct GroundUniforms {
    /// The layers, lowest first.
    pub layers: [LayerRecord; MAX_LAYERS],
    /// The noises that decide where layers lie.
    pub patches: [PatchesRecord; PATCHES],
    /// Greatest shift of heights by warmth, in metres.
    pub warmth: f32,
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
    pub padding: [u32; 2],
}

impl Default for GroundUniforms {
    /// One plain layer.
    fn default() -> Self {
        let everywhere = [-ENDLESS, ENDLESS, 1.0, 0.0];
        let mut layers = [LayerRecord::default(); MAX_LAYERS];
        layers[0] = LayerRecord {
            color: [0.16, 0.15, 0.11, 0.0],
            scale: [0.16, 0.15, 0.11, -1.0],
            spans: [everywhere; 4],
            ..default()
        };
        Self {
            layers,
            patches: PatchesRecord::all(&TerrainOrigin::default(), 900.0),
            warmth: 0.0,
            softness: 1.0,
            bump: 0.0,
            detail_normals: 1.0,
            layer_count: 1,
            flags: 0,
            padding: [0; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_records_are_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<LayerRecord>(), 144);
        assert_eq!(size_of::<GroundUniforms>(), MAX_LAYERS * 144 + PATCHES * 32 + 32);
        assert_eq!(std::mem::offset_of!(GroundUniforms, patches) % 8, 0);
    }
}
