//! What the land looks like, as the shader gets it. `bindings.wgsl` declares the same.

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use super::patches::{PATCHES, PatchesRecord};
use crate::terrain::TerrainOrigin;

/// Layers at most.
pub const MAX_LAYERS: usize = 8;
/// The textures are drawn again and again, each time wider: there is detail at every distance.
pub const SCALES: usize = 3;
/// Stands for infinity, which is not portable in shaders.
pub const ENDLESS: f32 = 1e9;

/// A layer in the frame buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LayerRecord {
    /// Linear colour and strength of the normals.
    pub color: [f32; 4],
    /// What the texture's albedo is multiplied with to have that colour on average, and the layer of the array
    /// textures or −1.
    pub scale: [f32; 4],
    /// Spans of height, sine of slope, curvature and moisture: from, to, reciprocal of the soft width, nothing.
    pub spans: [[f32; 4]; 4],
    /// Tiles per metre, nothing, and the origin's place in a tile, for each scale.
    pub scales: [[f32; 4]; SCALES],
}

/// All that the ground's shader needs besides heights.
#[derive(Component, Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct GroundUniforms {
    /// The layers, lowest first.
    pub layers: [LayerRecord; MAX_LAYERS],
    /// The noises that decide where they lie.
    pub patches: [PatchesRecord; PATCHES],
    /// Metres by which warmth moves heights.
    pub warmth: f32,
    /// Softness of the seams.
    pub softness: f32,
    /// Strength of the textures' normals.
    pub bump: f32,
    /// Strength of the relief.
    pub relief: f32,
    /// Layers in use.
    pub layer_count: u32,
    /// Bits: 1 tints by level, 2 by morph, 4 draws the mesh.
    pub flags: u32,
    /// Keep the size a multiple of 16 bytes.
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
            relief: 1.0,
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
