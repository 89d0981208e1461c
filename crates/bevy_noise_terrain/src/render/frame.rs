//! The frame buffer, as bytes. `bindings.wgsl` declares the same.

use bevy::math::Affine3A;
use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use super::Ground;
use crate::frame::MorphFrame;
use crate::terrain::TerrainOrigin;

/// The ground's noise repeats after this many metres: it is hashed from 32-bit coordinates.
const GROUND_PERIOD: f64 = 65_536.0;

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
    /// Low ground, high ground, rock, snow: linear colour and roughness.
    pub layers: [[f32; 4]; 4],
    /// Heights of the tree line and of the snow line, then sine of the slopes where rock begins and prevails.
    pub limits: [f32; 4],
    /// The origin within the period of the ground's noise.
    pub ground_origin: [f32; 2],
    /// Bits: 1 tints by level.
    pub flags: u32,
    /// Keeps the size a multiple of 16 bytes.
    pub padding: u32,
}

impl FrameHeader {
    /// Everything but the chunks.
    pub fn new(transform: Affine3A, origin: &TerrainOrigin, morph: MorphFrame, ground: &Ground) -> Self {
        Self {
            world_from_terrain: Mat4::from(transform).to_cols_array_2d(),
            terrain_from_world: Mat4::from(transform.inverse()).to_cols_array_2d(),
            morph,
            layers: ground.layers(),
            limits: ground.limits(),
            ground_origin: [origin.x, origin.z].map(|origin| origin.rem_euclid(GROUND_PERIOD) as f32),
            flags: u32::from(ground.show_levels),
            padding: 0,
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
        assert_eq!(std::mem::offset_of!(FrameHeader, layers) % 16, 0);
        assert_eq!(std::mem::offset_of!(FrameHeader, ground_origin) % 8, 0);
    }
}
