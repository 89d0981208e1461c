//! The frame buffer, as bytes. `bindings.wgsl` declares the same.

use bevy::math::Affine3A;
use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use super::ground::{GroundHeader, GroundTextures, PreparedGround};
use crate::frame::MorphFrame;
use crate::terrain::TerrainOrigin;

/// The head of the frame buffer; the records of all slots follow it.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct FrameHeader {
    /// Terrain-local to world.
    pub world_from_terrain: [[f32; 4]; 4],
    /// World to terrain-local.
    pub terrain_from_world: [[f32; 4]; 4],
    /// Viewers and ranges.
    pub morph: MorphFrame,
    /// What the land looks like.
    pub ground: GroundHeader,
}

impl FrameHeader {
    /// Everything but the chunks.
    pub fn new(
        transform: Affine3A,
        origin: &TerrainOrigin,
        morph: MorphFrame,
        ground: &PreparedGround,
        textures: &GroundTextures,
    ) -> Self {
        Self {
            world_from_terrain: Mat4::from(transform).to_cols_array_2d(),
            terrain_from_world: Mat4::from(transform.inverse()).to_cols_array_2d(),
            morph,
            ground: ground.header(origin, textures),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<FrameHeader>() % 16, 0);
        assert_eq!(std::mem::offset_of!(FrameHeader, morph), 128);
        assert_eq!(std::mem::offset_of!(FrameHeader, ground) % 16, 0);
    }
}
